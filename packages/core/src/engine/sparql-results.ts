/**
 * The head of SPARQL results in the JSON of the HTTP API (SPARQL 1.1 Query Results JSON Format).
 */
export interface SparqlHead {
  /** Variables without `?`, in the order of the query. Empty for ASK, CONSTRUCT and DESCRIBE. */
  readonly vars: readonly string[];
  /** URLs of further metadata, as the specification allows. The engine never sets it. */
  readonly link?: readonly string[] | null;
}

/**
 * A term in SPARQL JSON (SPARQL 1.1 Query Results JSON Format section 3.2.2; SPARQL 1.2 for
 * `triple` and `its:dir`). A literal has at most one of `xml:lang` and `datatype`; with neither, it
 * is an xsd:string.
 */
export type SparqlValue =
  | { readonly type: 'uri'; readonly value: string }
  | { readonly type: 'bnode'; readonly value: string }
  | {
      readonly type: 'literal';
      readonly value: string;
      readonly 'xml:lang'?: string;
      readonly 'its:dir'?: 'ltr' | 'rtl';
      readonly datatype?: string;
    }
  | {
      readonly type: 'triple';
      readonly value: {
        readonly subject: SparqlValue;
        readonly predicate: SparqlValue;
        readonly object: SparqlValue;
      };
    };

/** One solution: bound variables, without `?`, with their values. Unbound variables are absent. */
export type SparqlBinding = Readonly<Record<string, SparqlValue>>;

/**
 * A quad of a CONSTRUCT or DESCRIBE result. Extends SPARQL JSON, which has no form for triples. The
 * graph is `{ type: 'default', value: '' }` for the default graph.
 */
export interface SparqlQuad {
  readonly subject: { readonly type: 'uri' | 'bnode'; readonly value: string };
  readonly predicate: { readonly type: 'uri'; readonly value: string };
  readonly object: SparqlValue;
  readonly graph: { readonly type: 'default' | 'uri'; readonly value: string };
}

/** The result of a SELECT query: one binding per solution, in the order of the query. */
export interface SparqlSelectResults {
  readonly head: SparqlHead;
  readonly results: { readonly bindings: readonly SparqlBinding[] };
}

/** The result of an ASK query. */
export interface SparqlAskResults {
  readonly head: SparqlHead;
  readonly boolean: boolean;
}

/** The result of a CONSTRUCT or DESCRIBE query. */
export interface SparqlQuadsResults {
  readonly head: SparqlHead;
  readonly results: { readonly quads: readonly SparqlQuad[] };
}

/** The result of a query in the shape of the HTTP API. */
export type SparqlResults = SparqlSelectResults | SparqlAskResults | SparqlQuadsResults;
