import { WorldsError } from '../model/worlds-error.ts';
import type { RunRequest, SparqlRequest } from './engine-requests.ts';
import type { QuadsResult, QueryResult, SelectResult, UpdateResult } from './query-results.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';

/** What a SPARQL text asks for. */
export type SparqlForm = 'select' | 'ask' | 'construct' | 'describe' | 'update';

/** The methods of the engine that run texts. */
export interface SparqlRunner {
  sparql(request: SparqlRequest): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null>;
  query(request: SparqlRequest): Promise<QueryResult>;
  select(request: SparqlRequest): Promise<SelectResult>;
  ask(request: SparqlRequest): Promise<boolean>;
  construct(request: SparqlRequest): Promise<QuadsResult>;
  update(request: SparqlRequest): Promise<UpdateResult>;
}

interface PreparedText {
  readonly text: string;
  readonly baseIri: string | undefined;
  readonly form: SparqlForm;
  readonly prefixes: Readonly<Record<string, string>>;
}

/**
 * A query or update that was parsed and checked: see `WorldsEngine.prepare`. Immutable; run it as
 * often as needed, over any worlds, with other `bindings` each time.
 *
 * Each method takes what the method of the engine takes, but for the text, and throws what that
 * throws; a method for another form throws INVALID_ARGUMENT.
 */
export class PreparedSparql {
  /** What the text asks for. */
  readonly form: SparqlForm;
  /** Prefix name (without `:`) to namespace IRI, as the text declares them. */
  readonly prefixes: Readonly<Record<string, string>>;
  readonly #runner: SparqlRunner;
  readonly #text: Pick<SparqlRequest, 'query' | 'baseIri'>;

  constructor(runner: SparqlRunner, { text, baseIri, form, prefixes }: PreparedText) {
    this.form = form;
    this.prefixes = prefixes;
    this.#runner = runner;
    this.#text = { query: text, baseIri };
  }

  /** Whether it writes. */
  get isUpdate(): boolean {
    return this.form === 'update';
  }

  /** Runs it and gives the answer in the shape of the wire; null for an update that succeeded. */
  async sparql(request: RunRequest = {}): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return this.#runner.sparql(this.request(request));
  }

  /** Runs it, whatever its form. */
  async run(request: RunRequest = {}): Promise<QueryResult> {
    return this.#runner.query(this.request(request));
  }

  /** Runs a SELECT. */
  async select(request: RunRequest = {}): Promise<SelectResult> {
    return this.#runner.select(this.request(request));
  }

  /** Runs an ASK. */
  async ask(request: RunRequest = {}): Promise<boolean> {
    return this.#runner.ask(this.request(request));
  }

  /** Runs a CONSTRUCT or DESCRIBE. */
  async construct(request: RunRequest = {}): Promise<QuadsResult> {
    return this.#runner.construct(this.request(request));
  }

  /** Runs an update. */
  async update(request: RunRequest = {}): Promise<UpdateResult> {
    return this.#runner.update(this.request(request));
  }

  /** The text. */
  toString(): string {
    return String(this.#text.query);
  }

  private request(request: RunRequest): SparqlRequest {
    for (const field of ['query', 'baseIri']) {
      if ((request as Readonly<Record<string, unknown>>)[field] === undefined) continue;
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${field}: this is fixed when the text is prepared; prepare another text.`,
      );
    }
    return { ...request, ...this.#text };
  }
}
