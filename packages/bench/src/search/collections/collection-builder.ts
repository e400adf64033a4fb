import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { JudgedCollection } from './judged-collection.ts';

const NAMESPACE = 'http://data.example/';

/** Collects the quads and questions of a test collection, with short names for its IRIs. */
export class CollectionBuilder {
  private readonly name: string;
  private readonly quads: RDF.Quad[] = [];
  private readonly queries: JudgedCollection['queries'][number][] = [];

  constructor(name: string) {
    this.name = name;
  }

  fact(subject: string, predicate: string, text: string, language?: string): void {
    this.quads.push(
      dataFactory.quad(
        dataFactory.namedNode(NAMESPACE + subject),
        dataFactory.namedNode(predicate.includes(':') ? predicate : `${NAMESPACE}vocabulary#${predicate}`),
        dataFactory.literal(text, language),
      ),
    );
  }

  query(text: string, gains: ReadonlyMap<string, number>): void {
    this.queries.push({ text, gains: new Map(Array.from(gains, ([subject, gain]) => [NAMESPACE + subject, gain])) });
  }

  collection(): JudgedCollection {
    return { name: this.name, quads: this.quads, queries: this.queries };
  }
}
