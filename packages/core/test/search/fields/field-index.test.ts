import { describe, expect, it, vi } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { DocumentTable } from '../../../src/search/document-table.ts';
import { FieldIndex } from '../../../src/search/fields/field-index.ts';
import { NamespaceSearch } from '../../../src/search/namespace-search.ts';
import { languageNumber, loadLanguage } from '../../../src/search/text/analysis/languages.ts';
import { Bm25TextIndex } from '../../../src/search/text/bm25-text-index.ts';
import { PostingCursor } from '../../../src/search/text/query/posting-cursor.ts';
import { MapTermSource } from '../map-term-source.ts';

const DOCUMENTS = 9000;

describe('the index of names', () => {
  it('has one posting per word of a name, for any number of triples, and none after their removal', async () => {
    const terms = new MapTermSource();
    const table = new DocumentTable();
    const fields = await FieldIndex.open(table);
    const subject = terms.iri('redLantern');
    const predicates = [terms.iri('lightColor'), terms.iri('size')];
    const docs: number[] = [];
    for (let i = 0; i < 1000; i++) {
      const doc = table.add(1, subject, predicates[i % 2]!, terms.literal(`text ${i}`));
      fields.add(doc, `text ${i}`, '', (id) => terms.term(id));
      docs.push(doc);
    }
    expect(fields.statistics).toMatchObject({ names: 3, postings: 5 });
    for (const [i, doc] of docs.entries()) {
      fields.remove(doc, `text ${i}`, '', (id) => terms.term(id));
      table.remove(doc);
    }
    expect(fields.statistics).toMatchObject({ names: 0, postings: 0 });
  });

  it('changes neither the text index nor searches of texts only', async () => {
    await loadLanguage(languageNumber('en'));
    const measured = async (withFields: boolean) => {
      const terms = new MapTermSource();
      const index = new Bm25TextIndex('en', 1000);
      const search = new NamespaceSearch({ textIndex: async () => index, embedder: null, fields: withFields });
      const rows = Array.from({ length: DOCUMENTS }, (_, i) => i);
      const added = {
        length: DOCUMENTS,
        world: new Uint32Array(DOCUMENTS).fill(1),
        subject: Uint32Array.from(rows, (i) => terms.iri(`lantern${i % 100}`)),
        predicate: Uint32Array.from(rows, (i) => terms.iri(`lantern-predicate${i % 7}`)),
        object: Uint32Array.from(rows, (i) => terms.literal(`lantern ${i} kettle ${i % 50}`)),
      };
      const none = new Uint32Array(0);
      const removed = { length: 0, world: none, subject: none, predicate: none, object: none };
      await search.apply({ added, removed }, terms, new Slicer());
      const decoded = vi.spyOn(PostingCursor.prototype, 'decode');
      const { hits } = await search.search({ query: 'lantern kettle 7', limit: 10, fields: false });
      const calls = decoded.mock.calls.length;
      decoded.mockRestore();
      const { postings, postingBytes, wordBytes } = index.statistics;
      return { hits: hits.length, calls, postings, postingBytes, wordBytes };
    };
    const plain = await measured(false);
    expect(await measured(true)).toEqual(plain);
    expect(plain.calls).toBeGreaterThan(0);
  });
});
