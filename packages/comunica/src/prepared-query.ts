import { WorldsError } from '@rdf-worlds/core';
import type {
  BindingsBatch,
  EvaluateOptions,
  PreparedQuery,
  PreparedUpdate,
  QuadSource,
  QuadsBatch,
  RequestMemory,
  SparqlResult,
  TermId,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { Operation } from './algebra.ts';
import { type Columns, SolutionsBatch } from './bindings-batch.ts';
import { compareTexts, mergeSorted, termKey } from './canonical-quads.ts';
import { datasetOf } from './dataset.ts';
import { describe } from './description.ts';
import { Evaluation } from './evaluation.ts';
import { distinctBatches } from './quads-batches.ts';
import { checkServices, type ServiceOptions } from './service.ts';
import type { Substitution } from './substitution.ts';
import { Template } from './template.ts';
import type { Toolbox } from './toolbox.ts';
import type { TranslatedQuery } from './translation.ts';
import type { VariableNames } from './variable-names.ts';

/** Terms by name of variable, without `?`. */
export type Bindings = ReadonlyMap<string, RDF.Term>;

/** The parts of a prepared text besides its translation. */
export interface Preparation {
  readonly toolbox: Toolbox;
  readonly names: VariableNames;
  readonly substitution: Substitution;
  readonly services: ServiceOptions;
  /** Prepares the same text with other bindings. */
  readonly bind: (bindings: Bindings) => PreparedQuery | PreparedUpdate;
}

/** Returns the variables that a SELECT selects, in order: those of its outermost projection. */
function selected(where: Operation): readonly RDF.Variable[] {
  let op = where;
  while (op.type === 'slice' || op.type === 'distinct' || op.type === 'reduced') op = op.input;
  return op.type === 'project' ? op.variables : [];
}

/** A query on Comunica: Comunica computes the solutions; this class converts them to results. */
export class ComunicaQuery implements PreparedQuery {
  readonly type = 'query' as const;
  readonly form: PreparedQuery['form'];
  private readonly query: TranslatedQuery;
  private readonly preparation: Preparation;
  private readonly where: Operation;

  /** Throws UNSUPPORTED for a SERVICE that is not allowed, without SILENT. */
  constructor(query: TranslatedQuery, preparation: Preparation) {
    const { substitution, services } = preparation;
    this.form = query.form;
    this.query = query;
    this.preparation = preparation;
    const where = query.form === 'select' ? substitution.select(query.where) : substitution.operation(query.where);
    this.where = checkServices(where, services.allowedEndpoints);
  }

  get namesDataset(): boolean {
    return this.query.dataset !== undefined;
  }

  bind(bindings: Bindings): PreparedQuery {
    return this.preparation.bind(bindings) as PreparedQuery;
  }

  async evaluate(source: QuadSource, options: EvaluateOptions): Promise<SparqlResult> {
    const { toolbox, services } = this.preparation;
    const dataset = datasetOf(source, this.query.dataset, options.dataset);
    const { now, signal, maxRows, search, canonicalOrder, memory } = options;
    // A result that is never read starts nothing and attaches to no signal.
    const begin = () =>
      new Evaluation({
        toolbox,
        source: dataset,
        now,
        signal,
        baseIri: this.query.baseIri,
        services,
        search,
        canonicalOrder,
      });
    switch (this.form) {
      case 'ask': {
        const evaluation = begin();
        try {
          return { type: 'boolean', value: await evaluation.ask(this.where) };
        } finally {
          evaluation.close();
        }
      }
      case 'select': {
        const columns = this.columns();
        const rows = (evaluation: Evaluation) => limited(this.rows(evaluation, columns), maxRows);
        return { type: 'bindings', variables: columns.outer, batches: closing(begin, rows, memory) };
      }
      case 'construct': {
        const quads = (evaluation: Evaluation) => limited(distinctBatches(this.constructed(evaluation)), maxRows);
        return { type: 'quads', batches: closing(begin, quads, memory) };
      }
      case 'describe': {
        const quads = (evaluation: Evaluation) =>
          limited(distinctBatches(this.described(evaluation, dataset, canonicalOrder)), maxRows);
        return { type: 'quads', batches: closing(begin, quads, memory) };
      }
    }
  }

  private columns(): Columns {
    const inner = selected(this.where).map((variable) => variable.value);
    const outer = inner.map((name) => this.preparation.names.outer(name));
    return { inner, outer };
  }

  private async *rows(evaluation: Evaluation, columns: Columns): AsyncGenerator<BindingsBatch> {
    for await (const solutions of evaluation.solutions(this.where)) {
      yield new SolutionsBatch(solutions, columns, evaluation.blankNodes);
    }
  }

  private async *constructed(evaluation: Evaluation): AsyncGenerator<RDF.Quad[]> {
    const template = new Template(this.query.template, this.preparation.substitution.term);
    const { blankNodes } = evaluation;
    for await (const solutions of evaluation.solutions(this.where)) {
      yield solutions.flatMap((solution) => {
        // Section 16.2.1: a template's blank nodes are new for every solution.
        const nodes = new Map<string, RDF.Term>();
        return [
          ...template.fill({
            variable: (name) => {
              const term = solution.get(name);
              return term && blankNodes.outer(term);
            },
            blankNode: (label) => {
              let node = nodes.get(label);
              if (!node) nodes.set(label, (node = blankNodes.fresh()));
              return node;
            },
          }),
        ];
      });
    }
  }

  private async *described(
    evaluation: Evaluation,
    dataset: QuadSource,
    canonicalOrder = false,
  ): AsyncGenerator<RDF.Quad[]> {
    const { substitution } = this.preparation;
    const resources = new Set<TermId>();
    const variables: string[] = [];
    for (const term of this.query.described.map(substitution.term)) {
      if (term.termType === 'Variable') variables.push(term.value);
      else resources.add(dataset.terms.find(term));
    }
    if (variables.length > 0) {
      for await (const solutions of evaluation.solutions(this.where)) {
        for (const solution of solutions) {
          for (const name of variables) {
            const term = solution.get(name);
            if (term) resources.add(dataset.terms.find(evaluation.blankNodes.outer(term)));
          }
        }
      }
    }
    const triples = describe(dataset, resources, evaluation.pacer);
    if (!canonicalOrder) {
      yield* triples;
      return;
    }
    const all: { readonly quad: RDF.Quad; readonly key: string }[] = [];
    for await (const some of triples) for (const quad of some) all.push({ quad, key: termKey(quad) });
    const sorting = mergeSorted(all, (one, other) => compareTexts(one.key, other.key));
    let step = sorting.next();
    for (; !step.done; step = sorting.next()) await evaluation.pacer.breathe();
    yield step.value.map(({ quad }) => quad);
  }
}

/** Throws LIMIT_EXCEEDED instead of returning the batch that exceeds the row limit. */
async function* limited<Batch extends BindingsBatch | QuadsBatch>(
  batches: AsyncIterable<Batch>,
  maxRows = Number.POSITIVE_INFINITY,
): AsyncGenerator<Batch> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length;
    if (rows > maxRows) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `The query has more than ${maxRows} rows: add a LIMIT to it, or raise maxRows.`,
      );
    }
    yield batch;
  }
}

/**
 * Closes an evaluation with its results: after the last row, on an error, and when the reader stops
 * early. Also releases the memory of the request, even if the results are never read.
 */
function closing<Batch>(
  begin: () => Evaluation,
  batches: (evaluation: Evaluation) => AsyncIterable<Batch>,
  memory: RequestMemory | undefined,
): AsyncIterableIterator<Batch> {
  const results = evaluated(begin, batches, memory);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => results.next(),
    return: async () => {
      const end = await results.return(undefined);
      // A generator that was never started does not run its finally block.
      memory?.release();
      return end;
    },
  };
}

async function* evaluated<Batch>(
  begin: () => Evaluation,
  batches: (evaluation: Evaluation) => AsyncIterable<Batch>,
  memory: RequestMemory | undefined,
): AsyncGenerator<Batch> {
  let evaluation: Evaluation | undefined;
  try {
    evaluation = begin();
    yield* batches(evaluation);
  } finally {
    evaluation?.close();
    memory?.release();
  }
}
