import { QuadsResult, type QueryResult, readOnce, SelectResult, type UpdateResult } from './query-results.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';
import { toWireResults } from './wire-results.ts';

/** A result of the type that a method expects; of any type if it expects none. */
export type ResultOf<Type extends QueryResult['type']> = Extract<QueryResult, { type: Type }>;

/**
 * Runs a request. `operation` names the method for messages; a text whose result is of another type
 * than `expected` is rejected before it runs. Returns a promise only if it must wait, because
 * promises are measurable in short queries. May throw synchronously.
 */
export type RunSparql<Request> = <Type extends QueryResult['type'] = QueryResult['type']>(
  operation: string,
  request: Request,
  expected?: Type,
) => ResultOf<Type> | Promise<ResultOf<Type>>;

/**
 * The methods that run SPARQL, one for each shape of result: of the engine, for requests with a
 * text, and of a prepared text, for requests without one.
 */
export class SparqlMethods<Request extends { readonly signal?: AbortSignal | undefined }> {
  private readonly run: RunSparql<Request>;

  constructor(run: RunSparql<Request>) {
    this.run = run;
  }

  async sparql(request: Request): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return toWireResults(await this.run('sparql', request), request.signal);
  }

  async query(request: Request): Promise<QueryResult> {
    const result = this.run('query', request);
    return readOnce(result instanceof Promise ? await result : result);
  }

  async select(request: Request): Promise<SelectResult> {
    const result = await this.run('select', request, 'bindings');
    return new SelectResult(result.variables, result.batches);
  }

  async ask(request: Request): Promise<boolean> {
    return (await this.run('ask', request, 'boolean')).value;
  }

  async construct(request: Request): Promise<QuadsResult> {
    const { batches, prefixes } = await this.run('construct', request, 'quads');
    return new QuadsResult(batches, prefixes);
  }

  async update(request: Request): Promise<UpdateResult> {
    const { inserted, deleted, revision } = await this.run('update', request, 'update');
    return { inserted, deleted, revision };
  }
}
