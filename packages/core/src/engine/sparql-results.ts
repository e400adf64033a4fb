/**
 * SPARQL results in the shape of the HTTP API (INTERFACE; SPARQL 1.1 Query Results JSON Format).
 */
export interface SparqlHead {
  readonly vars: readonly string[];
  readonly link?: readonly string[] | null;
}

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

export type SparqlBinding = Readonly<Record<string, SparqlValue>>;

export interface SparqlQuad {
  readonly subject: { readonly type: 'uri' | 'bnode'; readonly value: string };
  readonly predicate: { readonly type: 'uri'; readonly value: string };
  readonly object: SparqlValue;
  readonly graph: { readonly type: 'default' | 'uri'; readonly value: string };
}

export interface SparqlSelectResults {
  readonly head: SparqlHead;
  readonly results: { readonly bindings: readonly SparqlBinding[] };
}

export interface SparqlAskResults {
  readonly head: SparqlHead;
  readonly boolean: boolean;
}

export interface SparqlQuadsResults {
  readonly head: SparqlHead;
  readonly results: { readonly quads: readonly SparqlQuad[] };
}

export type SparqlResults = SparqlSelectResults | SparqlAskResults | SparqlQuadsResults;
