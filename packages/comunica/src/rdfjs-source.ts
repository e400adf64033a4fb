import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  QuadBatch,
  type QuadCursor,
  type QuadSource,
  type TermId,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { AsyncIterator } from 'asynciterator';
import { canonicalBatches } from './canonical-quads.ts';
import type { Pacer } from './pacer.ts';
import { rowIterator } from './row-iterator.ts';

/** Number of decoded terms cached per evaluation: predicates and classes recur. */
const CACHED_TERMS = 8192;

type Entries = [RDF.Variable, RDF.Term][];

/** Decodes ids and caches the last few thousand terms. */
class TermCache {
  private readonly source: QuadSource;
  private readonly terms = new Map<TermId, RDF.Term>();

  constructor(source: QuadSource) {
    this.source = source;
  }

  term(id: TermId): RDF.Term {
    let term = this.terms.get(id);
    if (term) return term;
    term = this.source.terms.term(id);
    if (this.terms.size >= CACHED_TERMS) this.terms.clear();
    this.terms.set(id, term);
    return term;
  }
}

/**
 * Binds the variables of a triple term pattern to the parts of a term. Returns false if they do not
 * match.
 */
function unify(pattern: RDF.Term, term: RDF.Term, bound: Map<string, [RDF.Variable, RDF.Term]>): boolean {
  if (pattern.termType === 'Variable') {
    const known = bound.get(pattern.value);
    if (known) return known[1].equals(term);
    bound.set(pattern.value, [pattern, term]);
    return true;
  }
  if (pattern.termType !== 'Quad') return pattern.equals(term);
  return (
    term.termType === 'Quad' &&
    unify(pattern.subject, term.subject, bound) &&
    unify(pattern.predicate, term.predicate, bound) &&
    unify(pattern.object, term.object, bound)
  );
}

function hasVariable(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return [term.subject, term.predicate, term.object].some(hasVariable);
  return term.termType === 'Variable';
}

function* read(cursor: QuadCursor, batch: QuadBatch): Generator<QuadBatch> {
  while (cursor.next(batch) > 0) yield batch;
}

/**
 * One position of a quad pattern: the id to look up, and the variable or triple term pattern to
 * bind.
 */
interface Slot {
  readonly id: TermId;
  readonly pattern?: RDF.Term;
}

const NOWHERE: Slot = { id: NO_TERM };

/**
 * Adapts a {@link QuadSource} to the RDF/JS source that Comunica queries (`matchBindings` and
 * `countQuads` of its IRdfJsSourceExtended). Quads are read in batches of ids; terms are created
 * only for the variables of a pattern.
 */
export class RdfjsSource {
  /** Triple term patterns are matched here, not afterwards by Comunica. */
  readonly features = { quotedTripleFiltering: true } as const;
  private readonly source: QuadSource;
  private readonly cache: TermCache;
  private readonly pacer: Pacer;
  private readonly isCanonical: boolean;

  /** @param isCanonical quads are returned in the order of their terms, not of their ids */
  constructor(source: QuadSource, pacer: Pacer, isCanonical = false) {
    this.source = source;
    this.isCanonical = isCanonical;
    this.cache = new TermCache(source);
    this.pacer = pacer;
  }

  matchBindings(
    factory: RDF.BindingsFactory,
    subject: RDF.Term,
    predicate: RDF.Term,
    object: RDF.Term,
    graph: RDF.Term,
  ): AsyncIterator<RDF.Bindings> {
    const slots = [this.slot(subject), this.slot(predicate), this.slot(object), this.graphSlot(graph)];
    if (slots.includes(NOWHERE)) return rowIterator<RDF.Bindings>([][Symbol.iterator](), this.pacer);
    return rowIterator(this.solutions(slots, factory), this.pacer);
  }

  /**
   * Required by RDF/JS, and used by Comunica to recognise a source; patterns are read through
   * `matchBindings`.
   */
  match(): never {
    throw new Error('Comunica reads this source through matchBindings.');
  }

  /**
   * Returns an upper bound, at least 1. Undefined is a variable; a variable graph ranges over the
   * named graphs only. Never returns 0, because Comunica prunes operations with an unmatched
   * pattern, including aggregates that must count nothing as 0.
   */
  countQuads(subject?: RDF.Term, predicate?: RDF.Term, object?: RDF.Term, graph?: RDF.Term): number {
    const slots = [subject, predicate, object].map((term) => (term ? this.slot(term) : { id: NO_TERM }));
    slots.push(graph ? this.graphSlot(graph) : { id: ANY_NAMED_GRAPH });
    if (slots.includes(NOWHERE)) return 1;
    return Math.max(1, this.source.estimate(slots[0].id, slots[1].id, slots[2].id, slots[3].id));
  }

  private slot(term: RDF.Term): Slot {
    if (hasVariable(term)) return { id: NO_TERM, pattern: term };
    const id = this.source.terms.find(term);
    return id === NO_TERM ? NOWHERE : { id };
  }

  private graphSlot(graph: RDF.Term): Slot {
    if (graph.termType === 'DefaultGraph') return { id: DEFAULT_GRAPH };
    if (graph.termType === 'Variable') return { id: ANY_NAMED_GRAPH, pattern: graph };
    return this.slot(graph);
  }

  /**
   * Yields the solutions of a pattern, and undefined for a pause at least once per batch, so that a
   * pattern without matches is not a busy loop.
   */
  private *solutions(slots: readonly Slot[], factory: RDF.BindingsFactory): Generator<RDF.Bindings | undefined> {
    const ids = slots.map((slot) => slot.id) as [TermId, TermId, TermId, TermId];
    const capacity = Math.min(1024, Math.max(1, this.source.estimate(...ids)));
    const batch = new QuadBatch(capacity);
    const columns = [batch.subject, batch.predicate, batch.object, batch.graph];
    // For each variable its first column; columns that repeat a variable; and the triple term
    // patterns.
    const first = new Map<string, { variable: RDF.Variable; column: Uint32Array }>();
    const repeated: [Uint32Array, Uint32Array][] = [];
    const nested: { pattern: RDF.Term; column: Uint32Array }[] = [];
    for (const [position, { pattern }] of slots.entries()) {
      const column = columns[position];
      if (pattern?.termType === 'Quad') nested.push({ pattern, column });
      if (pattern?.termType !== 'Variable') continue;
      const known = first.get(pattern.value);
      if (known) repeated.push([known.column, column]);
      else first.set(pattern.value, { variable: pattern, column });
    }
    const variables = [...first.values()];
    const { cache } = this;
    const cursor = this.source.cursor();
    cursor.seek(...ids);
    const batches = this.isCanonical ? canonicalBatches(cursor, batch, (id) => cache.term(id)) : read(cursor, batch);
    for (const filled of batches) {
      if (!filled) {
        yield undefined;
        continue;
      }
      rows: for (let row = 0; row < batch.length; row++) {
        for (const [left, right] of repeated) if (left[row] !== right[row]) continue rows;
        const entries: Entries = variables.map(({ variable, column }) => [variable, cache.term(column[row])]);
        if (nested.length === 0) {
          yield factory.bindings(entries);
          continue;
        }
        const bound = new Map(entries.map((entry) => [entry[0].value, entry]));
        if (nested.every(({ pattern, column }) => unify(pattern, cache.term(column[row]), bound))) {
          yield factory.bindings([...bound.values()]);
        }
      }
      yield undefined;
    }
  }
}
