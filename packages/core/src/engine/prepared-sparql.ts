import type { PreparedQuery, PreparedUpdate } from '../contracts/sparql-engine.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { RunRequest } from './engine-requests.ts';
import type { QuadsResult, QueryResult, SelectResult, UpdateResult } from './query-results.ts';
import { type RunSparql, SparqlMethods } from './sparql-methods.ts';
import type { SparqlAskResults, SparqlQuadsResults, SparqlSelectResults } from './sparql-results.ts';

/** The form of a query, or `update`. */
export type SparqlForm = 'select' | 'ask' | 'construct' | 'describe' | 'update';

/** Request fields that were fixed by `prepare`. */
const OF_TEXT = ['query', 'baseIri'] as const;

/**
 * A prepared query or update: parsed and checked once by `WorldsEngine.prepare`, run any number
 * of times, over any worlds and with different `bindings`. Immutable; concurrent runs are allowed.
 *
 * Each method takes the same request as the engine's method of that name, but without `query` and
 * `baseIri`, and throws the same errors. It throws INVALID_ARGUMENT if the text has another form.
 */
export class PreparedSparql {
  /** The form of the query, or `update`. */
  readonly form: SparqlForm;
  /** Prefix name (without `:`) to namespace IRI, as declared in the text of a query. */
  readonly prefixes: Readonly<Record<string, string>>;
  /**
   * Whether the text itself selects its dataset: with FROM in a query, with USING or WITH in an
   * update. Undefined if the SPARQL engine does not report it.
   */
  readonly namesDataset: boolean | undefined;
  /**
   * True for an update whose outcome cannot reveal what the worlds contain, such as INSERT DATA: it
   * can run with `blind`. False for other updates and for queries.
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

  /** Runs any form. Returns the result in the shape of the HTTP API; null for an update. */
  sparql(request: RunRequest = {}): Promise<SparqlSelectResults | SparqlAskResults | SparqlQuadsResults | null> {
    return this.#methods.sparql(request);
  }

  /** Runs any form. The `type` of the result says which it was. */
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

  /** Runs an update, atomically. */
  update(request: RunRequest = {}): Promise<UpdateResult> {
    return this.#methods.update(request);
  }

  /** Returns the query or update text. */
  toString(): string {
    return this.#text;
  }
}

function requireNoText(request: RunRequest): void {
  for (const field of OF_TEXT) {
    if ((request as Readonly<Record<string, unknown>>)[field] === undefined) continue;
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: fixed by prepare, so a run cannot change it; prepare the other text instead.`,
    );
  }
}
