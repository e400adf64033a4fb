import {
  type EvaluateOptions,
  type PreparedQuery,
  type QuadSource,
  type SparqlEngine,
  type SparqlResult,
  throwIfAborted,
  WorldsError,
} from '@rdf-worlds/core';
import { type CursorJoin, countSolutions } from './cursor-join.ts';
import { type Lap, Stopwatch } from './stopwatch.ts';

/** One evaluation. */
export interface CursorJoinRun {
  readonly solutions: number;
  /** Of the join alone: the dataset was there, the solutions went nowhere. */
  readonly lap: Lap;
}

/**
 * A "SPARQL engine" that knows a few joins by name and nothing of SPARQL: an engine is what the
 * library shows a dataset to, so this is how the store is measured through its public seam, and
 * without a query language in the way. Its queries are ASK.
 */
export class CursorJoinEngine implements SparqlEngine {
  readonly name = 'cursor joins';
  private readonly joins: ReadonlyMap<string, CursorJoin>;
  private lastRun: CursorJoinRun | undefined;

  constructor(joins: readonly CursorJoin[]) {
    this.joins = new Map(joins.map((join) => [join.name, join]));
  }

  /** Whether a text is the name of a join. */
  knows(text: string): boolean {
    return this.joins.has(text);
  }

  async prepare(text: string): Promise<PreparedQuery> {
    const join = this.joins.get(text);
    if (!join) throw new WorldsError('INVALID_SPARQL', `There is no join ${JSON.stringify(text)}.`);
    return {
      type: 'query',
      form: 'ask',
      evaluate: async (source, options) => this.evaluate(join, source, options),
    };
  }

  /** What the last evaluation did; throws when there is none that was not taken yet. */
  takeRun(): CursorJoinRun {
    const run = this.lastRun;
    if (!run) throw new Error('No join was evaluated since the last look.');
    this.lastRun = undefined;
    return run;
  }

  private evaluate(join: CursorJoin, source: QuadSource, { signal }: EvaluateOptions): SparqlResult {
    throwIfAborted(signal);
    const watch = new Stopwatch();
    const solutions = countSolutions(source, join);
    this.lastRun = { solutions, lap: watch.lap() };
    return { type: 'boolean', value: solutions > 0 };
  }
}
