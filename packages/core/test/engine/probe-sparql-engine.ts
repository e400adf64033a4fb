import type {
  EvaluateOptions,
  PreparedQuery,
  PreparedUpdate,
  QuadSource,
  SparqlEngine,
  UpdateView,
} from '../../src/plugin.ts';

/**
 * A SparqlEngine without SPARQL: the text `ASK` hands the dataset to `look`, the text `UPDATE` the
 * view to `change`. So a test sees what any engine would see, and decides when.
 */
export class ProbeSparqlEngine implements SparqlEngine {
  readonly name = 'probe';
  /** Runs while a text is prepared. */
  preparing: () => Promise<void> = async () => undefined;
  look: (source: QuadSource, options: EvaluateOptions) => Promise<boolean> | boolean = () => true;
  change: (view: UpdateView, options: EvaluateOptions) => Promise<void> | void = () => undefined;

  async prepare(text: string): Promise<PreparedQuery | PreparedUpdate> {
    await this.preparing();
    if (text === 'UPDATE') return { type: 'update', execute: async (view, options) => this.change(view, options) };
    return {
      type: 'query',
      form: 'ask',
      evaluate: async (source, options) => ({ type: 'boolean', value: await this.look(source, options) }),
    };
  }
}
