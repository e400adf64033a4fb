/** If a larger share of blocks must be read further, checking heads costs more than it saves. */
const MAX_LEFT = 0.7;

/**
 * Decides whether a search checks heads before it reads middles. The check halves the scan if the
 * nearest rows stand out, and only costs if everything is about equally near: after a check that
 * did not pay, it is suspended for some pieces, twice as many each time.
 */
export class HeadLook {
  private pieces = 0;
  private pause = 1;

  get pays(): boolean {
    return this.pieces === 0;
  }

  /** Records a piece: the number of blocks checked, and of those that had to be read further. */
  tell(looked: number, left: number): void {
    if (this.pieces > 0) this.pieces--;
    else if (left > looked * MAX_LEFT) {
      this.pieces = this.pause;
      this.pause *= 2;
    }
  }
}
