import { DEFAULT_REQUEST_LIMITS, ExpansionMeter, limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import type { TextLocation } from '../model/worlds-error.ts';

/**
 * Shorter IRIs are not counted: a prefix of this length cannot multiply the work for a document.
 */
export const SHORT_IRI = 256;

/**
 * Limits the expansion of a document's IRIs: `maxIriLength` for each, and `maxExpansionBytes` for
 * the total of long ones. Without it, a prefix or base of 60 kB would turn a megabyte into
 * gigabytes.
 */
export class IriMeter {
  /** How much of the document has been read, in bytes or UTF-16 units. */
  read = 0;
  /** Total UTF-16 units of the counted IRIs: a measure of the work for checking them. */
  longUnits = 0;
  private readonly limits: RequestLimits;
  private readonly meter: ExpansionMeter;
  private readonly location: (() => TextLocation) | undefined;

  /** @param location returns the current location, for errors */
  constructor(limits: RequestLimits = DEFAULT_REQUEST_LIMITS, location?: () => TextLocation) {
    this.limits = limits;
    this.meter = new ExpansionMeter(limits);
    this.location = location;
  }

  /** Checks the length of a token or text. Throws LIMIT_EXCEEDED. */
  claimToken(length: number): void {
    if (length > this.limits.maxTokenLength) throw limitExceeded('maxTokenLength', this.limits, this.location?.());
  }

  /** Counts an IRI before it is processed. Throws LIMIT_EXCEEDED. */
  claim(iri: string): void {
    if (iri.length <= SHORT_IRI) return;
    this.longUnits += iri.length;
    this.meter.claim(iri.length, iri.length, this.read, this.location);
  }

  /** Checks how many brackets are open. Throws LIMIT_EXCEEDED. */
  claimNesting(depth: number): void {
    if (depth > this.limits.maxDocumentNesting)
      throw limitExceeded('maxDocumentNesting', this.limits, this.location?.());
  }

  /** Checks the number of attributes of an XML element so far. Throws LIMIT_EXCEEDED. */
  claimAttributes(count: number): void {
    if (count > this.limits.maxAttributes) throw limitExceeded('maxAttributes', this.limits, this.location?.());
  }

  /** Checks the number of entities an XML document has declared so far. Throws LIMIT_EXCEEDED. */
  claimEntities(count: number): void {
    if (count > this.limits.maxEntities) throw limitExceeded('maxEntities', this.limits, this.location?.());
  }

  /** Checks the length of a language tag. Throws LIMIT_EXCEEDED. */
  claimLanguageTag(length: number): void {
    if (length > this.limits.maxLanguageTagLength)
      throw limitExceeded('maxLanguageTagLength', this.limits, this.location?.());
  }

  /**
   * Counts text that the document writes once and repeats, such as a namespace in an XML literal.
   * Throws LIMIT_EXCEEDED.
   */
  claimText(length: number): void {
    if (length > SHORT_IRI) this.meter.claim(0, length, this.read, this.location);
  }
}
