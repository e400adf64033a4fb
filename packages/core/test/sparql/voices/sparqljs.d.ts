/** The part of sparqljs that the tests use; it has no declarations of its own. */
declare module 'sparqljs' {
  export class Parser {
    constructor(options?: { readonly baseIRI?: string });
    /** Throws an Error if the text is not valid SPARQL 1.1. */
    parse(text: string): unknown;
  }
}
