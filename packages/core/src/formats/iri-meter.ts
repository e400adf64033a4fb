import { DEFAULT_REQUEST_LIMITS, ExpansionMeter, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import type { TextLocation } from '../model/worlds-error.ts';

/**
 * Shorter IRIs are not counted: no prefix of this length turns a document into many times its work.
 */
export const SHORT_IRI = 256;

/**
 * Bounds what the IRIs of one document make of it: `maxIriLength` for each, and `maxExpansionBytes`
 * for the long ones in all, where a prefix or base of 60 kB would otherwise turn a megabyte into
 * gigabytes.
 */
export class IriMeter {
  /** How much of the document was read so far, in bytes or UTF-16 units. */
  read = 0;
  /** UTF-16 units of all IRIs that were counted: what looking at them costs. */
  longUnits = 0;
  private readonly limits: RequestLimits;
  private readonly meter: ExpansionMeter;
  private readonly location: (() => TextLocation) | undefined;

  /** @param location of what is being read, for errors */
  constructor(limits: RequestLimits = DEFAULT_REQUEST_LIMITS, location?: () => TextLocation) {
    this.limits = limits;
    this.meter = new ExpansionMeter(limits);
    this.location = location;
  }

  /** Looks at the length of a token or text. Throws LIMIT_EXCEEDED. */
  claimToken(length: number): void {
    if (length > this.limits.maxTokenLength) throw limitExceeded('maxTokenLength', this.limits, this.location?.());
  }

  /** Counts an IRI before it is looked at. Throws LIMIT_EXCEEDED. */
  claim(iri: string): void {
    if (iri.length <= SHORT_IRI) return;
    this.longUnits += iri.length;
    this.meter.claim(iri.length, iri.length, this.read, this.location);
  }

  /** Looks at how many attributes an XML element has so far. Throws LIMIT_EXCEEDED. */
  claimAttributes(count: number): void {
    if (count > this.limits.maxAttributes) throw limitExceeded('maxAttributes', this.limits, this.location?.());
  }

  /** Looks at how many entities an XML document declares so far. Throws LIMIT_EXCEEDED. */
  claimEntities(count: number): void {
    if (count > this.limits.maxEntities) throw limitExceeded('maxEntities', this.limits, this.location?.());
  }

  /** Looks at the length of a language tag. Throws LIMIT_EXCEEDED. */
  claimLanguageTag(length: number): void {
    if (length > this.limits.maxLanguageTagLength)
      throw limitExceeded('maxLanguageTagLength', this.limits, this.location?.());
  }

  /**
   * Counts what the document repeats of a text that it wrote once, such as a namespace in an XML
   * literal. Throws LIMIT_EXCEEDED.
   */
  claimText(length: number): void {
    if (length > SHORT_IRI) this.meter.claim(0, length, this.read, this.location);
  }
}
