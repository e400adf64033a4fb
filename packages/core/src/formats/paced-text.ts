import type { Slicer } from '../contracts/slicer.ts';
import type { IriMeter } from './iri-meter.ts';

/**
 * Length of the pieces fed to a parser, in UTF-16 units. Adapts to the work that the text causes:
 * one unit may make two quads, or complete an IRI of any length.
 */
const MAX_LENGTH = 1 << 11;
const FIRST_LENGTH = 1 << 8;
const MIN_LENGTH = 1 << 5;
/**
 * Target maximum of work per piece, so that it takes a few milliseconds: quads, and UTF-16 units of
 * long IRIs.
 */
const QUADS_A_PIECE = 1024;
const IRI_UNITS_A_PIECE = 1 << 17;

/** Feeds a parser that cannot pause in pieces, and lets other work run between them. */
export class PacedText {
  /** Incremented by the reader. */
  quads = 0;
  private readonly meter: IriMeter;
  private readonly slicer: Slicer;
  private readonly feed: (text: string) => number;
  // Starts small, since the amount of work per unit of text is unknown.
  private length = FIRST_LENGTH;

  /**
   * @param feed takes a piece of text and returns how much of it was read: less than all if it ends
   *   a long token, which may be a base or a namespace that the text behind it makes long IRIs of
   */
  constructor(meter: IriMeter, slicer: Slicer, feed: (text: string) => number) {
    this.meter = meter;
    this.slicer = slicer;
    this.feed = feed;
  }

  async add(text: string): Promise<void> {
    const { slicer } = this;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start, this.length);
      start += this.feedPiece(text.slice(start, end));
      if (slicer.due) await slicer.pause();
    }
  }

  private feedPiece(text: string): number {
    const { meter, quads } = this;
    const units = meter.longUnits;
    meter.read += text.length;
    const read = this.feed(text);
    meter.read -= text.length - read;
    const work = Math.max((this.quads - quads) / QUADS_A_PIECE, (meter.longUnits - units) / IRI_UNITS_A_PIECE);
    if (read < text.length) this.length = MIN_LENGTH;
    else if (work > 1 && this.length > MIN_LENGTH) this.length >>= 1;
    // A piece that produced no work, such as the middle of a token, predicts nothing about the
    // next.
    else if (work > 0 && work < 0.25 && this.length < MAX_LENGTH) this.length <<= 1;
    return read;
  }
}

/** Returns the end of a piece of about this length; never splits a surrogate pair. */
function pieceEnd(text: string, start: number, length: number): number {
  const end = Math.min(text.length, start + length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end + 1 : end;
}
