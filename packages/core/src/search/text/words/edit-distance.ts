/**
 * Distances of one word from many that come in sorted order (optimal string alignment: insertions, deletions, replacements and swaps of
 * neighbours, Damerau 1964). The rows of the dynamic programme are a stack by the letters of the candidate, so letters that it shares with the
 * one before are not looked at again; a row where everything exceeds the limit tells how much of the candidate was enough to know.
 *
 * Only cells within `limit` of the diagonal are computed. Letters are code points.
 */
export class EditDistance {
  private readonly letters: Uint32Array;
  private readonly limit: number;
  private readonly width: number;
  private rows: Uint8Array;
  /** The letters of the candidate so far. */
  private readonly path: Uint32Array;

  /** Candidates have at most `maxLetters` letters. */
  constructor(word: string, limit: number, maxLetters: number) {
    this.letters = Uint32Array.from([...word], (letter) => letter.codePointAt(0)!);
    this.limit = limit;
    this.width = this.letters.length + 1;
    this.rows = new Uint8Array((maxLetters + 1) * this.width).fill(limit + 1);
    this.path = new Uint32Array(maxLetters + 1);
    for (let at = 0; at <= Math.min(limit, this.letters.length); at++) this.rows[at] = at;
  }

  /** Sets letter number `depth` of the candidate, from 1, after the letters before it. False: no word that begins so is near enough. */
  push(depth: number, letter: number): boolean {
    const { letters, limit, width, rows, path } = this;
    path[depth] = letter;
    const row = depth * width;
    const above = row - width;
    const first = Math.max(1, depth - limit);
    const last = Math.min(letters.length, depth + limit);
    const tooFar = limit + 1;
    // The cells just outside of the band, which the next row and `distance` may look at.
    rows[row + first - 1] = first === 1 && depth <= limit ? depth : tooFar;
    if (last < letters.length) rows[row + last + 1] = tooFar;
    let least = rows[row + first - 1];
    for (let at = first; at <= last; at++) {
      const same = letters[at - 1] === letter;
      let cost = rows[above + at - 1] + (same ? 0 : 1);
      const deleted = rows[above + at] + 1;
      if (deleted < cost) cost = deleted;
      const inserted = rows[row + at - 1] + 1;
      if (inserted < cost) cost = inserted;
      if (at > 1 && depth > 1 && letters[at - 2] === letter && path[depth - 1] === letters[at - 1]) {
        const swapped = rows[above - width + at - 2] + 1;
        if (swapped < cost) cost = swapped;
      }
      if (cost > tooFar) cost = tooFar;
      rows[row + at] = cost;
      if (cost < least) least = cost;
    }
    return least <= limit;
  }

  /** The distance of the candidate of so many letters; above the limit it is only known to be above. */
  distance(depth: number): number {
    if (Math.abs(depth - this.letters.length) > this.limit) return this.limit + 1;
    return this.rows[depth * this.width + this.letters.length];
  }
}
