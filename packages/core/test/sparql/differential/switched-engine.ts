import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../../../src/contracts/quad-batch.ts';
import { DEFAULT_GRAPH, NO_TERM } from '../../../src/contracts/term-source.ts';
import type {
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  QuadSource,
  SparqlEngine,
  UpdateView,
} from '../../../src/plugin.ts';

/** The state of the target world after an update. */
export interface WorldState {
  readonly quads: readonly RDF.BaseQuad[];
  readonly graphs: readonly string[];
}

/** Aborts an update once its outcome is recorded, so that none of it is stored. */
class RolledBack extends Error {}

/**
 * Delegates to one of several engines, so that each runs over the same worlds of one WorldsEngine,
 * with the same blank nodes. The outcome of an update is recorded in `state`; the update is then
 * rolled back unless `rollsBack` is false.
 */
export class SwitchedEngine implements SparqlEngine {
  readonly name = 'switched';
  current: SparqlEngine;
  rollsBack = true;
  /** The labels of the blank nodes in the data of the last request. */
  labels: ReadonlySet<string> = new Set();
  /** The outcome of the last update. */
  state: WorldState | undefined;

  constructor(current: SparqlEngine) {
    this.current = current;
  }

  async prepare(text: string, options: PrepareOptions): Promise<PreparedQuery | PreparedUpdate> {
    const prepared = await this.current.prepare(text, options);
    if (prepared.type === 'query') {
      return {
        type: 'query',
        form: prepared.form,
        evaluate: (source, evaluateOptions) => {
          this.labels = labelsOf(source);
          return prepared.evaluate(source, evaluateOptions);
        },
      };
    }
    return {
      type: 'update',
      execute: async (view, evaluateOptions) => {
        this.state = undefined;
        this.labels = labelsOf(view.source);
        await prepared.execute(view, evaluateOptions);
        this.state = stateOf(view);
        if (this.rollsBack) throw new RolledBack();
      },
    };
  }
}

export function* quadsOf(source: QuadSource): Generator<RDF.BaseQuad> {
  const { terms } = source;
  const batch = new QuadBatch();
  const cursor = source.cursor();
  for (const graph of [DEFAULT_GRAPH, ...source.graphs]) {
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
    while (cursor.next(batch) > 0) {
      for (let row = 0; row < batch.length; row++) {
        yield {
          termType: 'Quad',
          value: '',
          subject: terms.term(batch.subject[row]),
          predicate: terms.term(batch.predicate[row]),
          object: terms.term(batch.object[row]),
          graph: terms.term(graph),
          equals: () => false,
        };
      }
    }
  }
}

function labelsOf(source: QuadSource): Set<string> {
  const labels = new Set<string>();
  for (const { subject, object } of quadsOf(source)) {
    for (const term of [subject, object]) if (term.termType === 'BlankNode') labels.add(term.value);
  }
  return labels;
}

function stateOf({ target, source, targetGraphs }: UpdateView): WorldState {
  return {
    quads: [...quadsOf(target)],
    graphs: Array.from(targetGraphs, (id) => source.terms.term(id).value).sort(),
  };
}
