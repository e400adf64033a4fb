import type * as RDF from '@rdfjs/types';
import type { RequestMemory } from '../model/memory-budget.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import type { Changes } from './changes.ts';
import type { QuadSource } from './quad-source.ts';
import type { QueryPlan } from './query-plan.ts';
import type { SearchSource } from './search-source.ts';
import type { TermBytesSource } from './term-bytes.ts';
import type { TermId, TermSource } from './term-source.ts';

/** Inputs of `prepare` besides the text. */
export interface PrepareOptions {
  /**
   * Base of relative IRIs in the text; an absolute IRI. Without it a relative IRI throws
   * INVALID_SPARQL.
   */
  readonly baseIri?: string | undefined;
  /**
   * Terms substituted for variables of the text, by name without `?`. They are never parsed, which
   * rules out injection.
   */
  readonly bindings?: ReadonlyMap<string, RDF.Term> | undefined;
  /**
   * Size limits of the text; defaults if omitted. An engine that does not enforce limits ignores
   * them.
   */
  readonly limits?: RequestLimits | undefined;
  /** Aborts the parsing of a long text. */
  readonly signal?: AbortSignal | undefined;
}

/** Inputs of one evaluation besides the data. */
export interface EvaluateOptions {
  /** Aborts the evaluation, also while its result is read. */
  readonly signal?: AbortSignal | undefined;
  /** NOW() is one instant for a whole request (SPARQL 1.1 section 17.4.5.1). */
  readonly now: Date;
  /**
   * Replaces the FROM clauses (SPARQL 1.1 Protocol 2.1.4); in updates, USING. Undefined: the text
   * decides.
   */
  readonly dataset?: { readonly defaultGraphs: readonly string[]; readonly namedGraphs: readonly string[] } | undefined;
  /** Maximum number of rows or triples; exceeding it throws LIMIT_EXCEEDED. Undefined: no limit. */
  readonly maxRows?: number | undefined;
  /**
   * If true, the answer, its order included, depends only on the terms of the data. Otherwise, an
   * order that SPARQL leaves open follows ids, which reveal when a term first entered the
   * namespace. An engine that does not support this ignores it.
   */
  readonly canonicalOrder?: boolean | undefined;
  /**
   * Ranked search of the same worlds, for `SERVICE <urn:rdf-worlds:search>`. Without it that
   * service throws UNSUPPORTED.
   */
  readonly search?: SearchSource | undefined;
  /**
   * Memory budget of the request. The engine claims the memory that an evaluation holds; an engine
   * that does not count memory claims nothing. A result stream calls `release` when it has been
   * read to the end, has failed or was cancelled; in all other cases the caller does.
   */
  readonly memory?: RequestMemory | undefined;
}

/** Inputs of `explain`. */
export interface ExplainOptions extends EvaluateOptions {
  /**
   * Runs the query to its end, within the limits of the options, and adds the measurements of each
   * operator.
   */
  readonly analyze?: boolean | undefined;
}

/** One solution: a row of a batch. */
export interface SolutionRow {
  /** Returns the term bound to a variable, named without `?`; undefined if unbound or unknown. */
  get(variable: string): RDF.Term | undefined;
}

/** Solutions as ids, for writers that never create a term. */
export interface SolutionIds {
  readonly terms: TermBytesSource;
  /**
   * By column (the index into `variables`), then by row. NO_TERM is unbound; an undefined column is
   * unbound in every row.
   */
  readonly columns: readonly (Uint32Array | undefined)[];
}

/** A batch of SELECT solutions. Iterates synchronously; creates terms on demand. */
export interface BindingsBatch extends Iterable<SolutionRow> {
  /** Number of rows. */
  readonly length: number;
  /** Returns the term at a row and a column (the index into `variables`), undefined if unbound. */
  term(row: number, column: number): RDF.Term | undefined;
  /**
   * The same rows as ids. Undefined if the engine does not work on ids or the source has no stored
   * bytes.
   */
  readonly ids?: SolutionIds | undefined;
}

/** A batch of triples of a CONSTRUCT or DESCRIBE. */
export interface QuadsBatch extends Iterable<RDF.Quad> {
  /** Number of triples. */
  readonly length: number;
}

/**
 * Result of a query: solutions (SELECT), a boolean (ASK), or triples (CONSTRUCT, DESCRIBE). Batches
 * are computed while they are read, once. `variables` are names without `?`, in the order of the
 * query.
 */
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
       * Prefix name (without `:`) to namespace IRI, as declared in the text: for writers. Optional
       * for an engine.
       */
      readonly prefixes?: Readonly<Record<string, string>> | undefined;
    };

/** A parsed query. It can be evaluated again, over other sources, and concurrently. */
export interface PreparedQuery {
  readonly type: 'query';
  /** What the query asks for. */
  readonly form: 'select' | 'ask' | 'construct' | 'describe';
  /**
   * Prefix name (without `:`) to namespace IRI, as declared in the text. Optional for an engine.
   */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** True if the text has FROM or FROM NAMED. Undefined: unknown. */
  readonly namesDataset?: boolean | undefined;
  /**
   * False if the text has no GRAPH with a variable: of the named graphs of its dataset, the query
   * reads those that it names. Undefined: unknown.
   */
  readonly readsNamedGraphs?: boolean | undefined;
  /**
   * Returns the query with terms substituted for its variables, like `PrepareOptions.bindings`, and
   * throws the same errors. Optional: without it, the text is prepared again for every run with
   * bindings.
   */
  bind?(bindings: ReadonlyMap<string, RDF.Term>): PreparedQuery;
  /**
   * Evaluates the query; rows are computed as they are read. An engine that need not wait may
   * return the result synchronously.
   */
  evaluate(source: QuadSource, options: EvaluateOptions): SparqlResult | Promise<SparqlResult>;
  /** Describes how `evaluate` would run. Optional for an engine. */
  explain?(source: QuadSource, options: ExplainOptions): Promise<QueryPlan>;
}

/**
 * Private view of an update request. `source` reflects the operations so far; nobody else sees
 * them.
 */
export interface UpdateView {
  /** The terms of `source`; the same object throughout. */
  readonly terms: TermSource;
  /**
   * The whole dataset of the request, the target included, after the changes so far. Read this
   * property again after each `apply`.
   */
  readonly source: QuadSource;
  /**
   * Builds the structures that make `source` fast to read after the changes so far. Call it before
   * an operation that reads; without it, reads over many graphs are slower.
   *
   * @param readsNamedGraphs false if the operation reads, of the named graphs, those that it names.
   *   Default: true
   */
  prepareSource?(readsNamedGraphs?: boolean): void | Promise<void>;
  /** The named graphs of the target world only, empty ones included, after the changes so far. */
  readonly targetGraphs: Uint32Array;
  /**
   * The target world only, after the changes so far: the operand of CLEAR, DROP, COPY, MOVE and
   * ADD.
   */
  readonly target: QuadSource;
  /**
   * Returns whether the target world has a named graph, even an empty one, after the changes so
   * far.
   */
  hasTargetGraph(graph: TermId): boolean;
  /** Applies one operation's changes to the target world atomically. */
  apply(changes: Changes): void | Promise<void>;
}

/** A parsed update request: operations to be executed in order. */
export interface PreparedUpdate {
  readonly type: 'update';
  /**
   * True if the update consists of INSERT DATA only. The caller may then assume that every term
   * that it creates is stored.
   */
  readonly insertsDataOnly?: boolean | undefined;
  /**
   * True if no outcome reveals the contents of the worlds: INSERT DATA, DELETE DATA, and CLEAR,
   * DROP and CREATE that cannot fail. Undefined: treated as an update that reads.
   */
  readonly isBlind?: boolean | undefined;
  /**
   * True if an operation has USING, USING NAMED or WITH. `execute` throws INVALID_ARGUMENT for it
   * if the options name a dataset too (SPARQL 1.1 Protocol 2.2.3). Undefined: unknown.
   */
  readonly namesDataset?: boolean | undefined;
  /** Like `PreparedQuery.bind`. */
  bind?(bindings: ReadonlyMap<string, RDF.Term>): PreparedUpdate;
  /**
   * Runs the operations in order, synchronously if nothing has to be awaited. A failure has no
   * effect: the engine discards the view.
   */
  execute(view: UpdateView, options: EvaluateOptions): void | Promise<void>;
  /**
   * Describes how `execute` would run on a dataset, without changing anything. Throws
   * INVALID_ARGUMENT with `analyze`. Optional for an engine.
   */
  explain?(source: QuadSource, options: ExplainOptions): Promise<QueryPlan>;
}

/**
 * SPARQL engine plug-in: SPARQL 1.1 Query and Update over {@link QuadSource}s. The contract is a
 * test suite in `@rdf-worlds/testkit`.
 */
export interface SparqlEngine {
  /** Name for people, used in error messages. */
  readonly name: string;
  /**
   * Parses and checks a text. Throws INVALID_SPARQL with a location, also for an empty text. Throws
   * UNSUPPORTED, unless SILENT, for LOAD and for a SERVICE that the engine refuses; the
   * ranked-search service is never refused.
   */
  prepare(
    text: string,
    options: PrepareOptions,
  ): PreparedQuery | PreparedUpdate | Promise<PreparedQuery | PreparedUpdate>;
}
