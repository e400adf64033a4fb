import type * as RDF from '@rdfjs/types';

/** A test collection: quads whose literals are searched, and questions with judged subjects. */
export interface JudgedCollection {
  readonly name: string;
  readonly quads: readonly RDF.Quad[];
  readonly queries: readonly {
    readonly text: string;
    /** Positive gains by subject IRI; all others are 0. */
    readonly gains: ReadonlyMap<string, number>;
  }[];
}
