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
 * The basis of a kept plan: constants with their ids, and patterns with the counts of their
 * matches.
 */
export interface Basis {
  readonly constants: readonly (readonly [constant: RDF.Term, id: TermId])[];
  readonly patterns: readonly (readonly [pattern: Ids, count: number])[];
}

/**
 * What a plan takes from the quads that it is made for. Operators read all else when they run, so
 * the plan also serves the same graphs with other quads, as long as {@link holdsIn} says so.
 */
export class PlanBasis {
  private readonly source: QuadSource;
  /** NO_TERM for constants that are in no quad. */
  private readonly constants: [RDF.Term, TermId][] = [];
  private readonly patterns: [Ids, number][] = [];
  private isFixed = false;

  constructor(source: QuadSource) {
    this.source = source;
  }

  /**
   * What was noted, without the quads, which would otherwise stay in memory with the plan;
   * undefined if the plan is right for these quads alone.
   */
  get noted(): Basis | undefined {
    const { constants, patterns } = this;
    return this.isFixed ? undefined : { constants, patterns };
  }

  /** Returns the id of a constant, or NO_TERM. */
  find(constant: RDF.Term): TermId {
    const id = this.source.terms.find(constant);
    this.note(this.constants, [constant, id]);
    return id;
  }

  /**
   * Estimates the matches of a pattern. The estimate may decide what is fast, but not what is
   * right.
   */
  count(pattern: Ids): number {
    const count = this.source.estimate(...pattern);
    this.note(this.patterns, [pattern, count]);
    return count;
  }

  /** Notes that the plan is right for these quads alone. */
  bindToQuads(): void {
    this.isFixed = true;
  }

  private note<Entry>(notes: Entry[], entry: Entry): void {
    if (notes.length < MAX_NOTED) notes.push(entry);
    else this.isFixed = true;
  }
}

/**
 * Whether a plan with this basis is right for other quads, and about as good as one made for them.
 */
export function holdsIn({ constants, patterns }: Basis, source: QuadSource): boolean {
  return (
    constants.every(([constant, id]) => source.terms.find(constant) === id) &&
    patterns.every(([pattern, count]) => isSimilar(count, source.estimate(...pattern)))
  );
}

function isSimilar(then: number, now: number): boolean {
  return now <= then * MAX_CHANGE + FREE_CHANGE && then <= now * MAX_CHANGE + FREE_CHANGE;
}
