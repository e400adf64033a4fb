import type { Slicer } from '../contracts/slicer.ts';
import type { IriMeter } from './iri-meter.ts';

/**
 * Length of the pieces fed to a parser, in UTF-16 units. Adapts to the work that the text causes.
 */
const MAX_LENGTH = 1 << 12;
const MIN_LENGTH = 1 << 8;
/**
 * Target maximum of work per piece, so that it takes a few milliseconds: quads, and UTF-16 units of
 * long IRIs.
 */
const QUADS_A_PIECE = 1024;
const IRI_UNITS_A_PIECE = 1 << 17;
/**
 * An unfinished token is scanned again with each piece. Pieces of at least 1/32 of its length keep
 * the total cost linear rather than quadratic.
 */
const PART_OF_TOKEN = 32;

/** Feeds a parser that cannot pause in pieces, and lets other work run between them. */
export class PacedText {
  /** Incremented by the reader. */
  quads = 0;
  private readonly meter: IriMeter;
  private readonly slicer: Slicer;
  private readonly feed: (text: string) => void;
  // Starts small, since the amount of work per unit of text is unknown.
  private length = MIN_LENGTH;
  private waiting = '';

  constructor(meter: IriMeter, slicer: Slicer, feed: (text: string) => void) {
    this.meter = meter;
    this.slicer = slicer;
    this.feed = feed;
  }

  /**
   * Feeds text, or buffers it until there is more.
   * @param unfinished returns the length of the token that has started and not ended
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

  /** Feeds the buffered text. */
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
    // A piece that produced no work, such as the middle of a token, predicts nothing about the
    // next.
    else if (work > 0 && work < 0.25 && this.length < MAX_LENGTH) this.length <<= 1;
  }
}

/** Returns the end of a piece of about this length; never splits a surrogate pair. */
function pieceEnd(text: string, start: number, length: number): number {
  const end = Math.min(text.length, start + length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
