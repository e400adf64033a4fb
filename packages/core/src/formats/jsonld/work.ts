import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../../model/request-limits.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { IriMeter } from '../iri-meter.ts';

/** A remote context required by a kernel; the reply is a {@link LoadedContext}. */
export interface ContextRequest {
  readonly url: string;
}

/** A parsed remote document. */
export interface LoadedContext {
  readonly document: unknown;
  readonly documentUrl: string;
}

/**
 * A kernel of the expansion: yields undefined periodically, for the slicer, and a request for each
 * remote context.
 */
export type Kernel<Result> = Generator<ContextRequest | undefined, Result, LoadedContext | undefined>;

/** Number of steps between two yields; a step is a member, an item or a term. */
const STEPS_A_SLICE = 512;
/** UTF-16 units of long IRIs between two yields: a few milliseconds of work. */
const IRI_UNITS_A_SLICE = 1 << 17;
/**
 * One more term may be defined per this many characters of the document; no definition is shorter.
 */
const CHARACTERS_A_TERM = 8;

/** The work limits for reading one document, and the work done so far. */
export class JsonLdWork {
  readonly meter: IriMeter;
  readonly limits: RequestLimits;
  private steps = 0;
  private unitsAtYield = 0;
  private terms = 0;
  private depth = 0;
  private remoteContexts = 0;

  constructor(limits: RequestLimits = DEFAULT_REQUEST_LIMITS) {
    this.limits = limits;
    this.meter = new IriMeter(limits);
  }

  /** Counts a step. Returns true if the kernel must yield. */
  step(): boolean {
    const { longUnits } = this.meter;
    if (++this.steps < STEPS_A_SLICE && longUnits - this.unitsAtYield < IRI_UNITS_A_SLICE) return false;
    this.steps = 0;
    this.unitsAtYield = longUnits;
    return true;
  }

  /** Counts the definition of terms. Throws LIMIT_EXCEEDED. */
  claimTerms(count: number): void {
    this.terms += count;
    if (this.terms > this.limits.maxContextTerms + this.meter.read / CHARACTERS_A_TERM)
      throw limitExceeded('maxContextTerms', this.limits);
  }

  /** Counts a remote context before it is loaded. Throws LIMIT_EXCEEDED. */
  claimRemoteContext(): void {
    if (++this.remoteContexts > this.limits.maxRemoteContexts) throw limitExceeded('maxRemoteContexts', this.limits);
  }

  /**
   * Increments the nesting depth of contexts and terms: terms may depend on one another and have
   * contexts with terms. Throws LIMIT_EXCEEDED.
   */
  enter(): void {
    if (++this.depth > this.limits.maxContextDepth) throw limitExceeded('maxContextDepth', this.limits);
  }

  leave(): void {
    this.depth--;
  }
}

/**
 * Throws INVALID_RDF. `problem` starts with an error code of JSON-LD 1.1 API section 9.6, if there
 * is one, followed by the problem and its place.
 */
export function invalidJsonLd(problem: string): never {
  throw new WorldsError('INVALID_RDF', `Invalid JSON-LD: ${problem}`);
}

/** Returns a short form of a part of the document, for error messages. */
export function shown(value: unknown): string {
  if (value instanceof Map) return 'an object';
  if (Array.isArray(value)) return 'an array';
  const text = (typeof value === 'bigint' ? undefined : JSON.stringify(value)) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
