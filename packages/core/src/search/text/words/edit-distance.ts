/** Longer words have no room in the bits of one number. */
export const MAX_LETTERS = 30;

/**
 * Which mistakes are forgiven in a word: `limit` in all, and `early` of them before the word's
 * first `from` letters are matched.
 */
export interface Leniency {
  readonly limit: number;
  readonly early: number;
  readonly from: number;
}

/**
 * Distances of one word from many that come in sorted order (optimal string alignment: insertions,
 * deletions, replacements and swaps of neighbours, Damerau 1964). What is known of a candidate is a
 * stack by its letters, so letters that it shares with the one before are not looked at again; a
 * letter after which nothing is near enough tells how much of the candidate was enough to know.
 *
 * For each number of mistakes up to the limit there is a set of bits: bit `at` says that the first
 * `at` letters of the word are so near to the letters of the candidate so far (Wu, Manber, CACM
 * 1992). Letters are code points. One object serves one word after the other: `begin` again.
 */
export class EditDistance {
  private limit = 0;
  private early = 0;
  /** Where more than `early` mistakes may have been made. */
  private late = 0;
  /** The first bit is for no letters. */
  private all = 0;
  private whole = 0;
  /** By letter: a bit for each place where the word has it, from 1. */
  private readonly asciiPlaces = new Uint32Array(128);
  private readonly otherPlaces = new Map<number, number>();
  /** By the letters so far: their sets, by number of mistakes. */
  private readonly sets: Uint32Array;
  /** The places of the letters of the candidate so far. */
  private readonly places: Uint32Array;

  /** Candidates have at most `maxLetters`, the limit is at most `maxLimit`. */
  constructor(maxLetters: number, maxLimit: number) {
    this.sets = new Uint32Array((maxLetters + 1) * (maxLimit + 1));
    this.places = new Uint32Array(maxLetters + 1);
  }

  /** Goes to a word, of at most `MAX_LETTERS` letters. */
  begin(letters: readonly number[], { limit, early, from }: Leniency): void {
    const { sets, asciiPlaces, otherPlaces } = this;
    this.limit = limit;
    this.early = early;
    this.all = 2 ** (letters.length + 1) - 1;
    this.late = this.all & ~(2 ** from - 1);
    this.whole = 1 << letters.length;
    asciiPlaces.fill(0);
    otherPlaces.clear();
    for (let at = 0; at < letters.length; at++) {
      const letter = letters[at];
      const bit = 2 << at;
      if (letter < 128) asciiPlaces[letter] |= bit;
      else otherPlaces.set(letter, (otherPlaces.get(letter) ?? 0) | bit);
    }
    sets[0] = 1;
    for (let mistakes = 1; mistakes <= limit; mistakes++)
      sets[mistakes] = this.allowed(mistakes, 2 ** (mistakes + 1) - 1, sets[mistakes - 1]);
  }

  /**
   * Sets letter number `depth` of the candidate, from 1, after the letters before it. False: no
   * word that begins so is near enough.
   */
  push(depth: number, letter: number): boolean {
    const { limit, all, sets, places } = this;
    const here = letter < 128 ? this.asciiPlaces[letter] : (this.otherPlaces.get(letter) ?? 0);
    places[depth] = here;
    const width = limit + 1;
    const row = depth * width;
    const above = row - width;
    // Where the word has this letter and the one before the other way round.
    const swaps = depth > 1 ? (here << 1) & places[depth - 1] : 0;
    let fewer = (sets[above] << 1) & here & all;
    sets[row] = fewer;
    for (let mistakes = 1; mistakes <= limit; mistakes++) {
      const before = sets[above + mistakes - 1];
      // The letter is right, or one too many, or in place of another, or one was left out before
      // it, or two are swapped.
      let near = ((sets[above + mistakes] << 1) & here) | before | (before << 1) | (fewer << 1);
      if (swaps !== 0) near |= (sets[above - width + mistakes - 1] << 2) & swaps;
      fewer = this.allowed(mistakes, near, fewer);
      sets[row + mistakes] = fewer;
    }
    return fewer !== 0;
  }

  /**
   * The distance of the candidate of so many letters; above the limit it is only known to be above.
   */
  distance(depth: number): number {
    const { limit, whole, sets } = this;
    const row = depth * (limit + 1);
    for (let mistakes = 0; mistakes <= limit; mistakes++) if ((sets[row + mistakes] & whole) !== 0) return mistakes;
    return limit + 1;
  }

  /**
   * Of the places that so many mistakes lead to, those where so many may have been made, and those
   * that fewer lead to.
   */
  private allowed(mistakes: number, places: number, fewer: number): number {
    return mistakes <= this.early ? places & this.all : (places & this.late) | fewer;
  }
}
