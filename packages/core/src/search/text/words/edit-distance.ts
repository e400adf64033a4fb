/** Longer words do not fit in the bits of one number. */
export const MAX_LETTERS = 30;

/**
 * Mistakes allowed in a word: `limit` in total, of which `early` before its first `from` letters
 * are matched.
 */
export interface Leniency {
  readonly limit: number;
  readonly early: number;
  readonly from: number;
}

/**
 * Edit distances of one word from many candidates in sorted order (optimal string alignment:
 * insertions, deletions, replacements and swaps of neighbours, Damerau 1964). The state is a stack
 * by candidate letter, so a prefix shared with the previous candidate is not processed again; a
 * letter after which nothing is near enough tells how much of the candidate rules it out.
 *
 * For each number of mistakes up to the limit there is a bit set: bit `at` means that the first
 * `at` letters of the word are within that distance of the candidate letters so far (Wu, Manber,
 * CACM 1992). Letters are code points. Reusable: call `begin` for the next word.
 */
export class EditDistance {
  private limit = 0;
  private early = 0;
  /** Positions at which more than `early` mistakes are allowed. */
  private late = 0;
  /** Mask of all positions; bit 0 stands for no letters. */
  private all = 0;
  private whole = 0;
  /** By letter: a bit for each position of the word that has it, from 1. */
  private readonly asciiPlaces = new Uint32Array(128);
  private readonly otherPlaces = new Map<number, number>();
  /** By candidate length: the bit sets, by number of mistakes. */
  private readonly sets: Uint32Array;
  /** Position masks of the candidate letters so far. */
  private readonly places: Uint32Array;

  /** Candidates have at most `maxLetters` letters; the limit is at most `maxLimit`. */
  constructor(maxLetters: number, maxLimit: number) {
    this.sets = new Uint32Array((maxLetters + 1) * (maxLimit + 1));
    this.places = new Uint32Array(maxLetters + 1);
  }

  /** Starts a word of at most `MAX_LETTERS` letters. */
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
   * Sets letter number `depth` of the candidate, from 1, after its predecessors. Returns false if
   * no candidate with this prefix is near enough.
   */
  push(depth: number, letter: number): boolean {
    const { limit, all, sets, places } = this;
    const here = letter < 128 ? this.asciiPlaces[letter] : (this.otherPlaces.get(letter) ?? 0);
    places[depth] = here;
    const width = limit + 1;
    const row = depth * width;
    const above = row - width;
    // Positions where the word has this letter and the previous one swapped.
    const swaps = depth > 1 ? (here << 1) & places[depth - 1] : 0;
    let fewer = (sets[above] << 1) & here & all;
    sets[row] = fewer;
    for (let mistakes = 1; mistakes <= limit; mistakes++) {
      const before = sets[above + mistakes - 1];
      // The letter matches, is inserted, replaces another, follows a deleted one, or is swapped
      // with its neighbour.
      let near = ((sets[above + mistakes] << 1) & here) | before | (before << 1) | (fewer << 1);
      if (swaps !== 0) near |= (sets[above - width + mistakes - 1] << 2) & swaps;
      fewer = this.allowed(mistakes, near, fewer);
      sets[row + mistakes] = fewer;
    }
    return fewer !== 0;
  }

  /**
   * Returns the distance of the candidate of `depth` letters; any distance above the limit is
   * reported as limit + 1.
   */
  distance(depth: number): number {
    const { limit, whole, sets } = this;
    const row = depth * (limit + 1);
    for (let mistakes = 0; mistakes <= limit; mistakes++) if ((sets[row + mistakes] & whole) !== 0) return mistakes;
    return limit + 1;
  }

  /**
   * Restricts the positions reached with some mistakes to those where that many are allowed, and
   * adds those reached with fewer.
   */
  private allowed(mistakes: number, places: number, fewer: number): number {
    return mistakes <= this.early ? places & this.all : (places & this.late) | fewer;
  }
}
