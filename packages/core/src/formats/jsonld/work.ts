import { DEFAULT_REQUEST_LIMITS, limitExceeded, type RequestLimits } from '../../model/request-limits.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { IriMeter } from '../iri-meter.ts';

/** A remote context that a kernel waits for: it is sent a {@link LoadedContext}. */
export interface ContextRequest {
  readonly url: string;
}

/** A remote document, parsed. */
export interface LoadedContext {
  readonly document: unknown;
  readonly documentUrl: string;
}

/**
 * A kernel of the expansion: yields now and then, for the slicer, and whenever it needs a remote
 * context.
 */
export type Kernel<Result> = Generator<ContextRequest | undefined, Result, LoadedContext | undefined>;

/** Steps between two yields; a step is a member, an item or a term. */
const STEPS_A_SLICE = 512;
/**
 * UTF-16 units of long IRIs between two yields: what looking at them takes is some milliseconds.
 */
const IRI_UNITS_A_SLICE = 1 << 17;
/** Characters of a document for which one more term may be defined: no definition is shorter. */
const CHARACTERS_A_TERM = 8;

/** What the reading of one document may cost, and did so far. */
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

  /** Counts a step; true when it is time to yield. */
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

  /** Counts a remote context that is to be loaded. Throws LIMIT_EXCEEDED. */
  claimRemoteContext(): void {
    if (++this.remoteContexts > this.limits.maxRemoteContexts) throw limitExceeded('maxRemoteContexts', this.limits);
  }

  /**
   * Goes one context or term deeper: terms may be defined by one another, and hold contexts with
   * terms. Throws LIMIT_EXCEEDED.
   */
  enter(): void {
    if (++this.depth > this.limits.maxContextDepth) throw limitExceeded('maxContextDepth', this.limits);
  }

  leave(): void {
    this.depth--;
  }
}

/**
 * Throws INVALID_RDF; `problem` is an error code of JSON-LD 1.1 API section 9.6 where there is one,
 * then what and where.
 */
export function invalidJsonLd(problem: string): never {
  throw new WorldsError('INVALID_RDF', `Invalid JSON-LD: ${problem}`);
}

/** A piece of a document for a message. */
export function shown(value: unknown): string {
  if (value instanceof Map) return 'an object';
  if (Array.isArray(value)) return 'an array';
  const text = (typeof value === 'bigint' ? undefined : JSON.stringify(value)) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}
