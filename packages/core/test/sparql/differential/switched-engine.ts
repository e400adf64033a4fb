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

/** What an update made of its target world. */
export interface WorldState {
  readonly quads: readonly RDF.BaseQuad[];
  readonly graphs: readonly string[];
}

/** Ends an update after its state has been seen, so that nothing of it stays. */
class RolledBack extends Error {}

/**
 * Stands in a WorldsEngine for several engines, one after the other: each answers over the same
 * worlds, with the same blank nodes. Updates are seen and rolled back unless they are to stay.
 */
export class SwitchedEngine implements SparqlEngine {
  readonly name = 'switched';
  current: SparqlEngine;
  rollsBack = true;
  /** The labels of the blank nodes that the last request's data had. */
  labels: ReadonlySet<string> = new Set();
  /** After an update. */
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
