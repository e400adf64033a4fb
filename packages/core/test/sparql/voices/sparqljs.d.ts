/** sparqljs has no declarations of its own; this is what the tests use of it. */
declare module 'sparqljs' {
  export class Parser {
    constructor(options?: { readonly baseIRI?: string });
    /** Throws an Error where a text is no SPARQL 1.1. */
    parse(text: string): unknown;
  }
}
