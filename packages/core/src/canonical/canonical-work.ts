import { type HashName, hexHash } from '#platform';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { limitExceeded, type RequestLimits } from '../model/request-limits.ts';
import { TextHash } from './text-hash.ts';

/** The hash algorithms of RDFC-1.0: "Implementations MUST support SHA-256 and SHA-384." */
export const CANONICAL_HASHES = ['SHA-256', 'SHA-384'] as const;

/** A hash algorithm of RDFC-1.0: `SHA-256` or `SHA-384`. */
export type CanonicalHash = (typeof CANONICAL_HASHES)[number];

const NODE_NAMES: Readonly<Record<CanonicalHash, HashName>> = { 'SHA-256': 'sha256', 'SHA-384': 'sha384' };

/** Limits, memory budget and hash function of one canonicalization. */
export class CanonicalWork {
  readonly memory: MemoryBudget;
  private readonly hashName: HashName;
  private readonly limits: RequestLimits;
  private steps = 0;

  constructor(algorithm: CanonicalHash, limits: RequestLimits, memory: MemoryBudget) {
    this.hashName = NODE_NAMES[algorithm];
    this.limits = limits;
    this.memory = memory;
  }

  /** Returns the hash of a text, in hexadecimal digits. */
  hash(text: string): string {
    return hexHash(this.hashName, text);
  }

  newHash(): TextHash {
    return new TextHash(this.hashName);
  }

  /**
   * Counts steps of Hash N-Degree Quads, whose number is exponential for some graphs. Throws
   * LIMIT_EXCEEDED above the limit: "Implementations MUST defend against potential
   * denial-of-service attacks by raising suitable exceptions and terminating early" (RDFC-1.0
   * section 4.4.3).
   */
  countSteps(count: number): void {
    this.steps += count;
    if (this.steps > this.limits.maxCanonicalSteps) throw limitExceeded('maxCanonicalSteps', this.limits);
  }
}
