import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../../contracts/quad-source.ts';
import type { TermId } from '../../contracts/term-source.ts';

type Ids = readonly [TermId, TermId, TermId, TermId];

/** A plan is made again once a count is more than this many times as high or low, */
const MAX_CHANGE = 4;
/** and differs by more than this. */
const FREE_CHANGE = 16;
/**
 * Plans of more constants, or of more counted patterns, are made again after each commit. A plan
 * that plans further patterns while it runs would otherwise note without end.
 */
const MAX_NOTED = 64;

/**
 * What a plan takes from the quads that it is made for. Operators read all else when they run, so
 * the plan also serves the same graphs with other quads, as long as {@link holdsIn} says so.
 */
export class PlanBasis {
  private readonly source: QuadSource;
  /** Constants by id; NO_TERM for those that are in no quad. */
  private readonly constants: RDF.Term[] = [];
  private readonly ids: TermId[] = [];
  private readonly patterns: Ids[] = [];
  private readonly counts: number[] = [];
  private isFixed = false;

  constructor(source: QuadSource) {
    this.source = source;
  }

  /** Returns the id of a constant, or NO_TERM. */
  find(constant: RDF.Term): TermId {
    const id = this.source.terms.find(constant);
    if (this.isRoomIn(this.ids)) {
      this.ids.push(id);
      this.constants.push(constant);
    }
    return id;
  }

  /**
   * Estimates the matches of a pattern. The estimate may decide what is fast, but not what is
   * right.
   */
  count(ids: Ids): number {
    const count = this.source.estimate(...ids);
    if (this.isRoomIn(this.counts)) {
      this.counts.push(count);
      this.patterns.push(ids);
    }
    return count;
  }

  /** Notes that the plan is right for these quads alone. */
  bindToQuads(): void {
    this.isFixed = true;
  }

  /** Whether a plan for other quads can have this basis at all. */
  get mayHoldElsewhere(): boolean {
    return !this.isFixed;
  }

  private isRoomIn({ length }: readonly number[]): boolean {
    this.isFixed ||= length === MAX_NOTED;
    return length < MAX_NOTED;
  }

  /** Returns the same without the quads, which would otherwise stay in memory with the plan. */
  detached(): Basis {
    const { constants, ids, patterns, counts } = this;
    return { constants, ids, patterns, counts };
  }
}

/**
 * The basis of a kept plan: constants with their ids, and patterns with the counts of their
 * matches.
 */
export interface Basis {
  readonly constants: readonly RDF.Term[];
  readonly ids: readonly TermId[];
  readonly patterns: readonly Ids[];
  readonly counts: readonly number[];
}

/**
 * Whether a plan with this basis is right for other quads, and about as good as one made for them.
 */
export function holdsIn({ constants, ids, patterns, counts }: Basis, source: QuadSource): boolean {
  for (let i = 0; i < constants.length; i++) if (source.terms.find(constants[i]) !== ids[i]) return false;
  for (let i = 0; i < patterns.length; i++) {
    if (!isSimilar(counts[i], source.estimate(...patterns[i]))) return false;
  }
  return true;
}

function isSimilar(then: number, now: number): boolean {
  return now <= then * MAX_CHANGE + FREE_CHANGE && then <= now * MAX_CHANGE + FREE_CHANGE;
}
