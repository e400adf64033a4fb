import type { Slicer } from '../storage/slicer.ts';
import type { IriMeter } from './iri-meter.ts';

/**
 * How much text a parser is fed in one piece, in UTF-16 units; less while short text makes much
 * work.
 */
const MAX_LENGTH = 1 << 12;
const MIN_LENGTH = 1 << 8;
/**
 * What one piece ought to make at most, so that it takes a few milliseconds: quads, and units of
 * long IRIs.
 */
const QUADS_A_PIECE = 1024;
const IRI_UNITS_A_PIECE = 1 << 17;
/**
 * A token that has not ended is looked at again with each piece: pieces grow with it, so that this
 * costs a multiple of its length and not its square.
 */
const PART_OF_TOKEN = 32;

/** Feeds a parser that cannot pause, in pieces between which others go on. */
export class PacedText {
  /** Counted by the reader. */
  quads = 0;
  private readonly meter: IriMeter;
  private readonly slicer: Slicer;
  private readonly feed: (text: string) => void;
  // Small at first: nobody knows what a document makes of its text.
  private length = MIN_LENGTH;
  private waiting = '';

  constructor(meter: IriMeter, slicer: Slicer, feed: (text: string) => void) {
    this.meter = meter;
    this.slicer = slicer;
    this.feed = feed;
  }

  /**
   * Feeds text, or keeps it until there is more of it.
   * @param unfinished how long the token is that has begun and not ended
   */
  async add(text: string, unfinished: () => number): Promise<void> {
    this.waiting += text;
    if (this.waiting.length * PART_OF_TOKEN < unfinished()) return;
    const { waiting, slicer } = this;
    this.waiting = '';
    for (let start = 0, end: number; start < waiting.length; start = end) {
      end = pieceEnd(waiting, start, Math.max(this.length, Math.ceil(unfinished() / PART_OF_TOKEN)));
      this.feedPiece(waiting.slice(start, end));
      if (slicer.due) await slicer.pause();
    }
  }

  /** Feeds what was kept. */
  end(): void {
    const { waiting } = this;
    this.waiting = '';
    if (waiting !== '') this.feedPiece(waiting);
  }

  private feedPiece(text: string): void {
    const { meter, quads } = this;
    const units = meter.longUnits;
    meter.read += text.length;
    this.feed(text);
    const work = Math.max((this.quads - quads) / QUADS_A_PIECE, (meter.longUnits - units) / IRI_UNITS_A_PIECE);
    if (work > 1 && this.length > MIN_LENGTH) this.length >>= 1;
    // A piece that made nothing, such as the middle of a token, says nothing of the next.
    else if (work > 0 && work < 0.25 && this.length < MAX_LENGTH) this.length <<= 1;
  }
}

/** Where a piece of about this length ends: never inside of a surrogate pair. */
function pieceEnd(text: string, start: number, length: number): number {
  const end = Math.min(text.length, start + length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
