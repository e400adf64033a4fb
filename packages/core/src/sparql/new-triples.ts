import type * as RDF from '@rdfjs/types';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { LARGE_TEXT } from '../model/memory-budget.ts';
import type { Execution } from './exec/execution.ts';
import { RowNumbers } from './exec/row-numbers.ts';
import { TermCache } from './solution-batch.ts';
import type { QuadReceiver } from './template.ts';

/**
 * A set of triples by id. CONSTRUCT and DESCRIBE produce a graph, so each triple is returned once.
 * Partitioned by predicate, because most triples share a few predicates.
 */
export class TripleSet {
  private readonly execution: Execution;
  private readonly byPredicate = new Map<TermId, RowNumbers>();
  private last: RowNumbers | undefined;
  private lastPredicate: TermId = NO_TERM;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Adds a triple and returns whether it is new. */
  add(subject: TermId, predicate: TermId, object: TermId): boolean {
    let pairs = this.last;
    if (pairs === undefined || predicate !== this.lastPredicate) {
      pairs = this.byPredicate.get(predicate);
      if (pairs === undefined) {
        pairs = new RowNumbers(2, this.execution);
        this.byPredicate.set(predicate, pairs);
      }
      this.last = pairs;
      this.lastPredicate = predicate;
    }
    const known = pairs.size;
    return pairs.numberOfTwo(subject, object) === known;
  }
}

/** Collects triples that have not been returned before. */
export class NewTriples implements QuadReceiver {
  private readonly execution: Execution;
  /** Undefined if no triple comes twice. */
  private readonly seen: TripleSet | undefined;
  private readonly terms: TermCache;
  private quads: RDF.Quad[] = [];

  constructor(execution: Execution, seen: TripleSet | undefined) {
    this.seen = seen;
    this.execution = execution;
    this.terms = new TermCache(execution.source.terms, execution);
  }

  add(subject: TermId, predicate: TermId, object: TermId): void {
    if (this.seen?.add(subject, predicate, object) === false) return;
    const quad = this.terms.triple(subject, predicate, object);
    const { length } = quad.object.value;
    if (length >= LARGE_TEXT) this.execution.claimTemporary(length);
    this.quads.push(quad);
  }

  /** Returns the triples added since the last call. */
  take(): RDF.Quad[] {
    const { quads } = this;
    this.quads = [];
    return quads;
  }
}
