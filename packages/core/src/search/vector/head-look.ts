/** Where more blocks are left than this share, the look costs more than it saves. */
const MAX_LEFT = 0.7;

/**
 * Whether a search looks at heads before it reads middles. That halves the scan where the nearest
 * stand out, and only costs where everything is about as near: after a look that did not pay, some
 * pieces go without, twice as many each time.
 */
export class HeadLook {
  private pieces = 0;
  private pause = 1;

  get pays(): boolean {
    return this.pieces === 0;
  }

  /** Told of each piece: how many blocks were looked at, and how many of them were left. */
  tell(looked: number, left: number): void {
    if (this.pieces > 0) this.pieces--;
    else if (left > looked * MAX_LEFT) {
      this.pieces = this.pause;
      this.pause *= 2;
    }
  }
}
