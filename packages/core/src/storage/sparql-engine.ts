import type * as RDF from '@rdfjs/types';
import type { RequestMemory } from '../model/memory-budget.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import type { Changes } from './changes.ts';
import type { QuadSource } from './quad-source.ts';
import type { QueryPlan } from './query-plan.ts';
import type { SearchSource } from './search-source.ts';
import type { TermBytesSource } from './term-bytes.ts';
import type { TermId, TermSource } from './term-source.ts';

/** What `prepare` may depend on besides the text. */
export interface PrepareOptions {
  /**
   * Base of relative IRIs in the text; an absolute IRI. Without it a relative IRI is
   * INVALID_SPARQL.
   */
  readonly baseIri?: string | undefined;
  /**
   * Terms that replace variables of the text, by name without `?`; they are never parsed, so
   * nothing can be injected.
   */
  readonly bindings?: ReadonlyMap<string, RDF.Term> | undefined;
  /**
   * What the text may contain; the defaults when not given. An engine that does not count it
   * ignores this.
   */
  readonly limits?: RequestLimits | undefined;
  /** Ends the parsing of a long text. */
  readonly signal?: AbortSignal | undefined;
}

/** What one evaluation may depend on besides the data. */
export interface EvaluateOptions {
  readonly signal?: AbortSignal | undefined;
  /** NOW() is one instant for a whole request (SPARQL 1.1 section 17.4.5.1). */
  readonly now: Date;
  /**
   * Replaces the FROM clauses (SPARQL 1.1 Protocol 2.1.4); for updates replaces USING. Undefined:
   * the text decides.
   */
  readonly dataset?: { readonly defaultGraphs: readonly string[]; readonly namedGraphs: readonly string[] } | undefined;
  readonly maxRows?: number | undefined;
  /**
   * True: the answer, its order included, depends on the terms of the data alone. False or
   * undefined: what SPARQL leaves open follows ids, which tell when a term first came into the
   * namespace. An engine that cannot do this ignores it.
   */
  readonly canonicalOrder?: boolean | undefined;
  /**
   * The ranked search of the same worlds, for `SERVICE <urn:rdf-worlds:search>`. Without it that
   * service is UNSUPPORTED.
   */
  readonly search?: SearchSource | undefined;
  /**
   * The memory of the request. What an evaluation keeps is claimed of it; an engine that does not
   * count claims nothing. A stream of results calls `release` when it was read to its end, has
   * failed or was given up; the caller does everywhere else.
   */
  readonly memory?: RequestMemory | undefined;
}

/** What `explain` may depend on. */
export interface ExplainOptions extends EvaluateOptions {
  /**
   * Runs the query to its end, within the limits of the options, and adds what each operator did.
   */
  readonly analyze?: boolean | undefined;
}

/** One solution: a row of a batch. */
export interface SolutionRow {
  /** The term bound to a variable, named without `?`; undefined when unbound or unknown. */
  get(variable: string): RDF.Term | undefined;
}

/** Solutions as ids, for writers that never make a term. */
export interface SolutionIds {
  readonly terms: TermBytesSource;
  /**
   * By column (the index into `variables`), then by row; NO_TERM is unbound, and so is a column
   * that is undefined.
   */
  readonly columns: readonly (Uint32Array | undefined)[];
}

/** Some solutions of a SELECT. Iterates synchronously; terms are made on demand. */
export interface BindingsBatch extends Iterable<SolutionRow> {
  readonly length: number;
  /** The term at a row and a column (the index into `variables`), or undefined when unbound. */
  term(row: number, column: number): RDF.Term | undefined;
  /**
   * The same rows as ids; an engine that does not work on ids, or a source without stored bytes,
   * has none.
   */
  readonly ids?: SolutionIds | undefined;
}

/** Some triples of a CONSTRUCT or DESCRIBE. */
export interface QuadsBatch extends Iterable<RDF.Quad> {
  readonly length: number;
}

export type SparqlResult =
  | {
      readonly type: 'bindings';
      readonly variables: readonly string[];
      readonly batches: AsyncIterable<BindingsBatch>;
    }
  | { readonly type: 'boolean'; readonly value: boolean }
  | {
      readonly type: 'quads';
      readonly batches: AsyncIterable<QuadsBatch>;
      /**
       * Prefix name (without `:`) to namespace IRI, as the text declares them: for writers. An
       * engine need not tell.
       */
      readonly prefixes?: Readonly<Record<string, string>> | undefined;
    };

export interface PreparedQuery {
  readonly type: 'query';
  readonly form: 'select' | 'ask' | 'construct' | 'describe';
  /**
   * Prefix name (without `:`) to namespace IRI, as the text declares them. An engine need not tell.
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** Rows are made as they are read. An engine that need not wait may give the result at once. */
  evaluate(source: QuadSource, options: EvaluateOptions): SparqlResult | Promise<SparqlResult>;
  /** How `evaluate` goes about it. An engine need not be able to tell. */
  explain?(source: QuadSource, options: ExplainOptions): Promise<QueryPlan>;
}

/**
 * The private view of an update request: what its operations have done so far is visible in
 * `source`, to nobody else.
 */
export interface UpdateView {
  /** Those of `source`, the same throughout. */
  readonly terms: TermSource;
  /**
   * The whole dataset of the request, the target included, after the changes so far. Read it anew
   * after each `apply`.
   */
  readonly source: QuadSource;
  /**
   * Makes what `source` needs to be read fast, after the changes so far. Call it before an
   * operation that reads; without it `source` is slower over many graphs.
   */
  prepareSource?(): void | Promise<void>;
  /** The named graphs of the target world alone, empty ones too, after the changes so far. */
  readonly targetGraphs: Uint32Array;
  /**
   * The target world alone, after the changes so far: what CLEAR, DROP, COPY, MOVE and ADD act on.
   */
  readonly target: QuadSource;
  hasTargetGraph(graph: TermId): boolean;
  /** Applies one operation's changes to the target world, all at once. */
  apply(changes: Changes): void | Promise<void>;
}

export interface PreparedUpdate {
  readonly type: 'update';
  /**
   * True for INSERT DATA and nothing else: whoever runs it may take it that every term that it
   * makes is stored.
   */
  readonly insertsDataOnly?: boolean | undefined;
  /**
   * True if no outcome tells what the worlds hold: INSERT DATA, DELETE DATA, and CLEAR, DROP and
   * CREATE that cannot fail. An update that does not say so counts as one that reads.
   */
  readonly isBlind?: boolean | undefined;
  /**
   * Runs the operations in order, at once where nothing has to be waited for. A failure leaves
   * nothing behind: the engine throws the view away.
   */
  execute(view: UpdateView, options: EvaluateOptions): void | Promise<void>;
  /**
   * How `execute` would go about it on a dataset; changes nothing. Throws INVALID_ARGUMENT with
   * `analyze`. An engine need not be able to tell.
   */
  explain?(source: QuadSource, options: ExplainOptions): Promise<QueryPlan>;
}

/**
 * SPARQL 1.1 Query and Update over {@link QuadSource}s: the seam that an engine implements. Its
 * contract is a test suite in `@rdf-worlds/testkit`.
 */
export interface SparqlEngine {
  readonly name: string;
  /**
   * Parses and checks a text. Throws INVALID_SPARQL with a location, and UNSUPPORTED for LOAD
   * (without SILENT) and SERVICE. An empty text is INVALID_SPARQL.
   */
  prepare(
    text: string,
    options: PrepareOptions,
  ): PreparedQuery | PreparedUpdate | Promise<PreparedQuery | PreparedUpdate>;
}
