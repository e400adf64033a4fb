/**
 * Tells rows that differ from the previous one in some columns, also across batches. Where rows
 * that are equal there follow each other (`Operator.clusters`), these are the distinct ones, and
 * nothing has to be remembered but the last.
 */
export class NextRows {
  private readonly last: Uint32Array;
  private isFirst = true;

  /** @param width number of columns */
  constructor(width: number) {
    this.last = new Uint32Array(width);
  }

  /** Returns whether a row differs. Call it for one row after the other. */
  differs(columns: readonly Uint32Array[], row: number): boolean {
    const { last } = this;
    let differs = this.isFirst;
    for (let i = 0; i < last.length; i++) {
      if (columns[i][row] === last[i]) continue;
      last[i] = columns[i][row];
      differs = true;
    }
    this.isFirst = false;
    return differs;
  }
}
