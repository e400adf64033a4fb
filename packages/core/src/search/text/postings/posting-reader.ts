import { BLOCK, type Segment } from './segment.ts';

/** Reads a whole posting list of a segment in order: `open`, then `next` until it returns false. */
export class PostingReader {
  local = -1;
  frequency = 0;
  private bytes: Uint8Array = new Uint8Array(0);
  private at = 0;
  private remaining = 0;

  /** Opens the list that starts at `start`. */
  open({ bytes }: Segment, start: number): void {
    this.bytes = bytes;
    this.at = start;
    this.local = -1;
    this.remaining = this.readVarint();
    if (this.remaining <= BLOCK) return;
    this.readVarint();
    this.at += 3;
  }

  next(): boolean {
    if (this.remaining === 0) return false;
    this.remaining--;
    const value = this.readVarint();
    this.local += (value >>> 1) + 1;
    this.frequency = (value & 1) === 0 ? 1 : this.bytes[this.at++];
    return true;
  }

  private readVarint(): number {
    const { bytes } = this;
    let { at } = this;
    let byte = bytes[at++];
    let value = byte & 0x7f;
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
    }
    this.at = at;
    return value >>> 0;
  }
}
