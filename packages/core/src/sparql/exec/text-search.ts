import { QuadBatch, WANT_GRAPH } from '../../contracts/quad-batch.ts';
import type { FoundTriple, SearchSource } from '../../contracts/search-source.ts';
import { ANY_NAMED_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { doubleValue } from '../expressions/value.ts';
import { Batch, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { FoundRows } from './found-rows.ts';
import type { Operator, PlanNames } from './operator.ts';
import { Pace } from './pace.ts';
import { type Narrowing, narrowingOf } from './search-narrowing.ts';
import type { SlotSet } from './slot-set.ts';

/** Maximum number of different texts that one SERVICE may search for, over all rows. */
const MAX_TEXTS = 1000;

/** A parameter of a search: a slot, or a constant if `slot` is negative. */
export interface SearchEnd {
  readonly slot: number;
  readonly id: TermId;
}

export interface TextSearchSpec {
  readonly query: SearchEnd;
  /** Undefined if the query does not use it. */
  readonly subject?: SearchEnd;
  readonly predicate?: SearchEnd;
  readonly object?: SearchEnd;
  readonly graph?: SearchEnd;
  readonly score?: SearchEnd;
  readonly rank?: SearchEnd;
  readonly limit: number;
  /** The graph that contains the hits; ANY_NAMED_GRAPH for a variable graph. */
  readonly activeGraph: TermId;
  /** Restricts the search to triples in these rows; undefined means no restriction. */
  readonly among?: Operator;
  /** If true, a failed search yields the row unchanged (SPARQL 1.1 Federated Query section 2.4). */
  readonly silent: boolean;
}

/**
 * `SERVICE <urn:rdf-worlds:search>`: joins each row with the best-ranked triples for a text, which
 * is a constant or bound by the row. Each distinct text is searched once.
 */
export class TextSearch implements Operator {
  readonly name = 'text search';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly Operator[];
  private readonly spec: TextSearchSpec;
  private readonly ends: readonly SearchEnd[];

  constructor(input: Operator, spec: TextSearchSpec) {
    this.inputs = spec.among ? [input, spec.among] : [input];
    this.spec = spec;
    const { subject, predicate, object, graph, score, rank } = spec;
    // Must match the column order of FoundRows.
    this.ends = [subject, predicate, object, graph, score, rank].map((end) => end ?? { slot: -1, id: NO_TERM });
    const own = this.ends.flatMap(({ slot }) => (slot >= 0 ? [slot] : []));
    this.slots = [...new Set([...input.slots, ...own])];
    this.certain = spec.silent ? input.certain : input.certain.with(own);
    this.estimate = Math.max(1, input.estimate) * spec.limit;
  }

  detail(names: PlanNames): string {
    const { query, limit } = this.spec;
    return `${query.slot >= 0 ? names.variable(query.slot) : names.term(query.id)}, ${limit} best`;
  }

  *run(execution: Execution): Stream {
    const { query, silent, among } = this.spec;
    const found = execution.searches.get(this) ?? new Map<TermId, FoundRows | null>();
    execution.searches.set(this, found);
    let narrowing: Narrowing | undefined;
    const pace = new Pace(execution);
    const output = Batch.withSlots(this.slots, execution.batchRows);
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      for (let row = 0; row < rows.length; row++) {
        const text = query.slot >= 0 ? (rows.columns[query.slot]?.[row] ?? NO_TERM) : query.id;
        if (text === NO_TERM) continue;
        let hits = found.get(text);
        if (hits === undefined) {
          if (found.size === MAX_TEXTS) throw tooMany();
          if (among && !narrowing) narrowing = yield* narrowingOf(among, this.ends, execution);
          hits = yield* this.search(text, narrowing, execution);
          found.set(text, hits);
        }
        if (hits === null) {
          if (!silent) continue;
          copyRow(this.inputs[0].slots, rows, row, output);
          for (const { slot } of this.ends)
            if (slot >= 0 && !rows.columns[slot]) output.columns[slot]![output.length] = 0;
          output.length++;
        }
        const subjectSlot = this.ends[0].slot;
        const known = subjectSlot >= 0 ? (rows.columns[subjectSlot]?.[row] ?? NO_TERM) : NO_TERM;
        for (const hit of hits === null ? [] : hits.of(known)) {
          if (output.length === output.capacity) {
            yield output;
            output.length = 0;
          }
          if (this.join(rows, row, hits!, hit, output)) output.length++;
          if (pace.isDue) yield PAUSE;
        }
        if (output.length === output.capacity) {
          yield output;
          output.length = 0;
        }
      }
    }
    if (output.length > 0) yield output;
  }

  /** Writes a row joined with a hit; returns false if they are incompatible (section 18.3). */
  private join(rows: Batch, row: number, hits: FoundRows, hit: number, output: Batch): boolean {
    const at = output.length;
    for (const slot of this.slots) output.columns[slot]![at] = rows.columns[slot]?.[row] ?? NO_TERM;
    for (let end = 0; end < this.ends.length; end++) {
      const { slot, id } = this.ends[end];
      if (slot < 0 && id === NO_TERM) continue;
      const value = hits.columns[end][hit];
      const known = slot < 0 ? id : output.columns[slot]![at];
      if (known !== NO_TERM && known !== value) return false;
      if (slot >= 0) output.columns[slot]![at] = value;
    }
    return true;
  }

  /** Returns the hits for one text, or null if a silent search failed. */
  private *search(
    text: TermId,
    narrowing: Narrowing | undefined,
    execution: Execution,
  ): Generator<Pause, FoundRows | null, void> {
    const { limit, silent, activeGraph } = this.spec;
    const term = execution.term(text);
    const rows = new FoundRows(execution);
    if (term.termType !== 'Literal') return rows;
    const { source } = execution;
    const only = ({ slot, id }: SearchEnd) => (slot < 0 && id !== NO_TERM ? new Set([id]) : undefined);
    const [subjects, predicates, objects] = this.ends.slice(0, 3).map(only);
    const accepts = (s: TermId, p: TermId, o: TermId): boolean =>
      source.count(s, p, o, activeGraph) > 0 && (narrowing === undefined || narrowing.has(s, p, o));
    const request = {
      text: term.value,
      limit,
      subjects: subjects ?? narrowing?.subjects,
      predicates: predicates ?? narrowing?.predicates,
      objects,
      accepts,
      signal: execution.signal,
    };
    let found: readonly FoundTriple[];
    try {
      found = yield* execution.wait(requireSearch(execution.search).search(request));
    } catch (error) {
      execution.throwIfStopped();
      if (silent) return null;
      throw error;
    }
    const graphs = new QuadBatch(64, WANT_GRAPH);
    const cursor = source.cursor();
    found.forEach(({ subject, predicate, object, score }, at) => {
      const scoreId = execution.idOf(doubleValue(score)) as TermId;
      const rank = execution.integerId(at + 1);
      if (this.ends[3].slot < 0) {
        rows.add([subject, predicate, object, this.ends[3].id, scoreId, rank]);
        return;
      }
      cursor.seek(subject, predicate, object, ANY_NAMED_GRAPH);
      while (cursor.next(graphs) > 0) {
        for (let i = 0; i < graphs.length; i++) {
          rows.add([subject, predicate, object, graphs.graph[i], scoreId, rank]);
        }
      }
    });
    return rows;
  }
}

function copyRow(slots: readonly number[], rows: Batch, row: number, output: Batch): void {
  for (const slot of slots) output.columns[slot]![output.length] = rows.columns[slot]?.[row] ?? NO_TERM;
}

function requireSearch(search: SearchSource | undefined): SearchSource {
  if (search) return search;
  throw new WorldsError(
    'UNSUPPORTED',
    'SERVICE <urn:rdf-worlds:search> has nothing to search: pass `search` in the options of the evaluation, as WorldsEngine does.',
  );
}

function tooMany(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `SERVICE <urn:rdf-worlds:search> was asked for more than ${MAX_TEXTS} different texts; bind its variable to fewer.`,
  );
}
