import { describe, expect, it } from 'vitest';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { writeJsonLd } from '../../src/formats/jsonld-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { ArraySource } from './array-source.ts';
import { lines, readDocument, writtenBytes, writtenText } from './documents.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const ex = (name: string) => namedNode(`http://ex/${name}`);
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const type = namedNode(`${RDF}type`);

describe('writeJsonLd', () => {
  it('groups by subject and predicate', async () => {
    const source = new ArraySource(
      [
        quad(ex('s'), type, ex('C')),
        quad(ex('s'), ex('p'), literal('a')),
        quad(ex('s'), ex('p'), literal('b', 'en-GB')),
        quad(ex('s'), ex('p'), literal('01', namedNode('http://www.w3.org/2001/XMLSchema#integer'))),
        quad(ex('s'), ex('p'), literal('c', { language: 'ar', direction: 'rtl' })),
        quad(blankNode('x'), ex('p'), blankNode('y'), ex('g')),
      ],
      [ex('empty')],
    );
    expect(JSON.parse(await writtenText(writeJsonLd, source))).toEqual([
      {
        '@id': 'http://ex/s',
        '@type': ['http://ex/C'],
        'http://ex/p': [
          { '@value': 'a' },
          { '@value': 'b', '@language': 'en-GB' },
          { '@value': '01', '@type': 'http://www.w3.org/2001/XMLSchema#integer' },
          { '@value': 'c', '@language': 'ar', '@direction': 'rtl' },
        ],
      },
      { '@id': 'http://ex/g', '@graph': [{ '@id': '_:x', 'http://ex/p': [{ '@id': '_:y' }] }] },
      { '@id': 'http://ex/empty', '@graph': [] },
    ]);
  });

  it('gives back a dataset with everything that JSON-LD treats in its own way', async () => {
    const json = namedNode(`${RDF}JSON`);
    const quads = [
      quad(ex('s'), type, ex('C')),
      quad(ex('s'), type, literal('a type that is a literal')),
      quad(ex('s'), type, blankNode('c')),
      quad(ex('s'), type, literal('another')),
      quad(ex('s'), ex('p'), literal('{ "b": 1.0 }', json)),
      quad(ex('s'), ex('p'), literal('no JSON', json)),
      quad(ex('s'), ex('p'), literal('INF', namedNode('http://www.w3.org/2001/XMLSchema#double'))),
      quad(ex('s'), ex('p'), literal('1.50', namedNode('http://www.w3.org/2001/XMLSchema#double'))),
      quad(ex('s'), ex('p'), literal('x', 'EN-gb')),
      quad(blankNode('l'), namedNode(`${RDF}first`), literal('1')),
      quad(blankNode('l'), namedNode(`${RDF}rest`), namedNode(`${RDF}nil`)),
      quad(blankNode('l'), namedNode(`${RDF}rest`), blankNode('l')),
      quad(ex('s'), ex('p'), namedNode(`${RDF}nil`)),
      quad(ex('s'), ex('p'), ex('o'), ex('s')),
      quad(ex('s'), ex('p'), ex('o'), blankNode('g')),
      quad(blankNode('g'), ex('p'), ex('s'), blankNode('g')),
    ];
    const read = await readDocument(readJsonLd, await writtenText(writeJsonLd, new ArraySource(quads)));
    const label = (line: string) => line.replaceAll('"BlankNode","d', '"BlankNode","');
    expect(lines(read).map(label).sort()).toEqual(lines(quads));
  });

  it('refuses triple terms, which JSON-LD does not have', async () => {
    const source = new ArraySource([quad(ex('s'), ex('p'), quad(ex('a'), ex('b'), ex('c')))]);
    await expect(writtenText(writeJsonLd, source)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('gives chunks of about 64 KiB', async () => {
    const quads = Array.from({ length: 10_000 }, (_, i) => quad(ex(`s${i}`), ex('p'), literal(`value ${i}`)));
    const chunks = await writtenBytes(writeJsonLd, new ArraySource(quads));
    expect(chunks.length).toBeGreaterThan(3);
    for (const chunk of chunks) expect(chunk.length).toBeLessThan(70_000);
    expect(JSON.parse(Buffer.concat(chunks).toString())).toHaveLength(10_000);
  });
});
