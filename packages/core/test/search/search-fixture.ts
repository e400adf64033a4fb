import { Slicer } from '../../src/contracts/slicer.ts';
import type { DocumentColumns } from '../../src/search/document-table.ts';
import { NamespaceSearch } from '../../src/search/namespace-search.ts';
import type { NamespaceSearchOptions } from '../../src/search/namespace-search-options.ts';
import type { NamespaceSearchQuery } from '../../src/search/search-query.ts';
import { MapTermSource } from './map-term-source.ts';
import { NaiveTextIndex } from './naive-text-index.ts';

/** world, subject, predicate, text */
export type Row = readonly [world: number, subject: string, predicate: string, text: string];

export interface FixtureOptions extends Partial<Omit<NamespaceSearchOptions, 'textIndex'>> {
  readonly text?: boolean;
}

/** A NamespaceSearch over made-up documents that are written and read as rows of strings. */
export class SearchFixture {
  readonly terms = new MapTermSource();
  readonly textIndex = new NaiveTextIndex();
  readonly search: NamespaceSearch;

  constructor({ text = true, embedder = null, ...options }: FixtureOptions = {}) {
    this.search = new NamespaceSearch({ textIndex: text ? async () => this.textIndex : null, embedder, ...options });
  }

  columns(rows: readonly Row[]): DocumentColumns {
    return {
      length: rows.length,
      world: Uint32Array.from(rows, ([world]) => world),
      subject: Uint32Array.from(rows, ([, subject]) => this.terms.iri(subject)),
      predicate: Uint32Array.from(rows, ([, , predicate]) => this.terms.iri(predicate)),
      object: Uint32Array.from(rows, ([, , , text]) => this.terms.literal(text)),
    };
  }

  async apply(added: readonly Row[], removed: readonly Row[] = [], slicer = new Slicer()): Promise<void> {
    const changes = { added: this.columns(added), removed: this.columns(removed) };
    await this.search.apply(changes, this.terms, slicer);
  }

  /** The hits as rows, with their ranks. */
  async find(query: string, options: Partial<NamespaceSearchQuery> = {}) {
    const { hits } = await this.search.search({ query, limit: 10, ...options });
    return hits.map(({ world, subject, predicate, object, ftsRank, vecRank, score }) => ({
      row: [world, this.name(subject), this.name(predicate), this.terms.term(object).value] as Row,
      ftsRank,
      vecRank,
      score,
    }));
  }

  /** The subjects of the hits, in order. */
  async subjects(query: string, options: Partial<NamespaceSearchQuery> = {}): Promise<string[]> {
    return (await this.find(query, options)).map(({ row }) => row[1]);
  }

  private name(id: number): string {
    return this.terms.term(id).value.replace('http://example.org/', '');
  }
}
