import type { QueryPlan } from '../contracts/query-plan.ts';
import { Slicer } from '../contracts/slicer.ts';
import type { SparqlEngine } from '../contracts/sparql-engine.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { Catalog } from './catalog.ts';
import { Deadline } from './deadline.ts';
import { evaluateOptions, prepareText, type QueryWork, requestMemory } from './query-work.ts';
import { openDataset, querySearch } from './query-worlds.ts';

export interface ExplainWork extends QueryWork {
  readonly analyze?: boolean;
}

/**
 * Returns the evaluation plan of a query or an update over a snapshot of its worlds. Changes
 * nothing and takes no lock.
 */
export async function explainText(catalog: Catalog, engine: SparqlEngine, work: ExplainWork): Promise<QueryPlan> {
  const deadline = new Deadline(work.signal, work.timeoutMs);
  const memory = requestMemory(catalog, work);
  try {
    throwIfAborted(deadline.signal);
    const prepared = await prepareText(catalog, engine, work, deadline.signal);
    if (!prepared.explain) {
      throw new WorldsError(
        'UNSUPPORTED',
        `The SPARQL engine "${engine.name}" does not explain its plans; the built-in engine does.`,
      );
    }
    const source = await openDataset(catalog, prepared, work, memory, new Slicer(deadline.signal));
    const plan = await prepared.explain(source, {
      ...evaluateOptions(catalog, work, deadline.signal, memory, querySearch(catalog, work, source, memory)),
      analyze: work.analyze,
    });
    throwIfAborted(deadline.signal);
    return plan;
  } finally {
    memory.release();
    deadline[Symbol.dispose]();
  }
}
