import type { PreparedQuery, PreparedUpdate } from '../contracts/sparql-engine.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { RunRequest } from './engine-requests.ts';
import type { QuadsResult, QueryResult, SelectResult, UpdateResult } from './query-results.ts';
import { type RunSparql, SparqlMethods } from './sparql-methods.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';

/** The form of a SPARQL text. */
export type SparqlForm = 'select' | 'ask' | 'construct' | 'describe' | 'update';

/** Fields of a request that belong to the text, which is prepared already. */
const OF_TEXT = ['query', 'baseIri'] as const;

/**
 * A parsed and checked query or update: see `WorldsEngine.prepare`. Immutable; run it as often as
 * needed, over any worlds, with other `bindings` each time. A run does not parse the text again.
 *
 * Each method takes the request of the engine's method without the text, and throws the same
 * errors; a method for another form throws INVALID_ARGUMENT.
 */
export class PreparedSparql {
  /** The form of the text. */
  readonly form: SparqlForm;
  /** Prefix name (without `:`) to namespace IRI, as declared in the text of a query. */
  readonly prefixes: Readonly<Record<string, string>>;
  /**
   * True if the text names graphs of its dataset: by FROM in a query, by USING or WITH in an
   * update. Undefined if the SPARQL engine does not tell.
   */
  readonly namesDataset: boolean | undefined;
  /**
   * True for an update whose outcome cannot reveal what the worlds contain: it also runs with
   * `blind`. False for other updates and for queries.
   */
  readonly isBlind: boolean;
  readonly #text: string;
  readonly #methods: SparqlMethods<RunRequest>;

  /** @internal Created by `WorldsEngine.prepare`. */
  constructor(text: string, prepared: PreparedQuery | PreparedUpdate, run: RunSparql<RunRequest>) {
    this.form = prepared.type === 'update' ? 'update' : prepared.form;
    this.prefixes = (prepared.type === 'query' && prepared.prefixes) || {};
    this.namesDataset = prepared.namesDataset;
    this.isBlind = prepared.type === 'update' && (prepared.isBlind ?? false);
    this.#text = text;
    this.#methods = new SparqlMethods((operation, request, expected) => {
      requireNoText(request);
      return run(operation, request, expected);
    });
  }

  /** True for an update. */
  get isUpdate(): boolean {
    return this.form === 'update';
  }

  /** Runs it and returns the result in the shape of the HTTP API; null for a successful update. */
  sparql(request: RunRequest = {}): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return this.#methods.sparql(request);
  }

  /** Runs it, whatever its form. */
  run(request: RunRequest = {}): Promise<QueryResult> {
    return this.#methods.query(request);
  }

  /** Runs a SELECT. */
  select(request: RunRequest = {}): Promise<SelectResult> {
    return this.#methods.select(request);
  }

  /** Runs an ASK. */
  ask(request: RunRequest = {}): Promise<boolean> {
    return this.#methods.ask(request);
  }

  /** Runs a CONSTRUCT or DESCRIBE. */
  construct(request: RunRequest = {}): Promise<QuadsResult> {
    return this.#methods.construct(request);
  }

  /** Runs an update. */
  update(request: RunRequest = {}): Promise<UpdateResult> {
    return this.#methods.update(request);
  }

  /** Returns the text. */
  toString(): string {
    return this.#text;
  }
}

function requireNoText(request: RunRequest): void {
  for (const field of OF_TEXT) {
    if ((request as Readonly<Record<string, unknown>>)[field] === undefined) continue;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: this is fixed when the text is prepared; prepare another text.`,
    );
  }
}
