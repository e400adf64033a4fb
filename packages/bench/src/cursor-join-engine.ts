import { WorldsError } from '@rdf-worlds/core';
import {
  type EvaluateOptions,
  type PreparedQuery,
  type QuadSource,
  type SparqlEngine,
  type SparqlResult,
  throwIfAborted,
} from '@rdf-worlds/core/plugin';
import { type CursorJoin, countSolutions } from './cursor-join.ts';
import { type Lap, Stopwatch } from './stopwatch.ts';

/** The result of one evaluation. */
export interface CursorJoinRun {
  readonly solutions: number;
  /** The time of the join alone: without opening the dataset, and with the solutions discarded. */
  readonly lap: Lap;
}

/**
 * A "SPARQL engine" that recognises a few joins by name. Engines receive a dataset from the
 * library, so this measures the store through its public interface, without a query language. Its
 * queries are ASK.
 */
export class CursorJoinEngine implements SparqlEngine {
  readonly name = 'cursor joins';
  private readonly joins: ReadonlyMap<string, CursorJoin>;
  private lastRun: CursorJoinRun | undefined;

  constructor(joins: readonly CursorJoin[]) {
    this.joins = new Map(joins.map((join) => [join.name, join]));
  }

  /** Returns true if the text is the name of a join. */
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

  /** Returns the result of the last evaluation, once. Throws if there is none. */
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
