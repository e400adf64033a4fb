import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { readTurtle } from '../../src/formats/n3-reader.ts';
import { readRdfXml } from '../../src/formats/rdfxml-reader.ts';
import { writeRdfXml } from '../../src/formats/rdfxml-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { RDF as RDF_NAMESPACE, XSD } from '../../src/model/vocabulary.ts';
import { ArraySource } from './array-source.ts';
import { readDocument, writtenBytes, writtenText } from './documents.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const s = namedNode('http://ex/s');
const p = namedNode('http://ex/p');
const o = namedNode('http://ex/o');

const write = (quads: readonly RDF.Quad[], prefixes?: Readonly<Record<string, string>>) =>
  writtenText(writeRdfXml, new ArraySource(quads), { prefixes });
const triples = (turtle: string) => readDocument(readTurtle, turtle);

async function expectSame(quads: readonly RDF.Quad[], prefixes?: Readonly<Record<string, string>>): Promise<string> {
  const text = await write(quads, prefixes);
  expect(isomorphic(await readDocument(readRdfXml, text), [...quads])).toBe(true);
  return text;
}

describe('the document', () => {
  it('groups by subject and declares the namespaces of the predicates', async () => {
    const quads = await triples(`@prefix ex: <http://ex/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
      ex:ann a foaf:Person ; foaf:name "Ann & \\"Co\\" <1>" , "Ännchen"@de ; foaf:knows _:b ; ex:age 7 .
      _:b foaf:name "" ; ex:page <http://ex/?a=1&b=2> .`);
    expect(await expectSame(quads, { foaf: 'http://xmlns.com/foaf/0.1/', unused: 'http://unused/' })).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="${RDF_NAMESPACE}" xmlns:foaf="http://xmlns.com/foaf/0.1/" xmlns:ns1="http://ex/">
<rdf:Description rdf:about="http://ex/ann">
  <rdf:type rdf:resource="http://xmlns.com/foaf/0.1/Person"/>
  <foaf:name>Ann &amp; "Co" &lt;1&gt;</foaf:name>
  <foaf:name xml:lang="de">Ännchen</foaf:name>
  <foaf:knows rdf:nodeID="db"/>
  <ns1:age rdf:datatype="${XSD}integer">7</ns1:age>
</rdf:Description>
<rdf:Description rdf:nodeID="db">
  <foaf:name></foaf:name>
  <ns1:page rdf:resource="http://ex/?a=1&amp;b=2"/>
</rdf:Description>
</rdf:RDF>
`,
    );
  });

  it('holds the default graph alone', async () => {
    const text = await write([quad(s, p, o), quad(s, p, literal('other'), namedNode('http://ex/g'))]);
    expect(await readDocument(readRdfXml, text)).toHaveLength(1);
    // The other graph does not matter, even where it could not be written.
    await expect(write([quad(s, namedNode('http://ex/1'), o, namedNode('http://ex/g'))])).resolves.not.toContain(
      'Description',
    );
  });

  it('comes in chunks of about 64 KiB', async () => {
    const quads = Array.from({ length: 5000 }, (_, i) =>
      quad(namedNode(`http://ex/${i % 70}`), p, literal(`${i}`.padEnd(60))),
    );
    const chunks = await writtenBytes(writeRdfXml, new ArraySource(quads));
    expect(chunks.length).toBeGreaterThan(5);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeLessThan(70_000);
    expect(await readDocument(readRdfXml, Buffer.concat(chunks))).toHaveLength(5000);
  });
});

describe('names of predicates', () => {
  it.each([
    ['http://ex/ns#a', 'http://ex/ns#', 'a'],
    ['http://ex/2a', 'http://ex/2', 'a'],
    ['http://ex/a-1.b', 'http://ex/', 'a-1.b'],
    ['http://ex/-a', 'http://ex/-', 'a'],
    ['urn:a:b', 'urn:a:', 'b'],
    ['x:y', 'x:', 'y'],
    ['http://ex/%C3%A9', 'http://ex/%C3%', 'A9'],
    ['http://ex/ünï', 'http://ex/', 'ünï'],
    ['http://ex/\u{10000}x', 'http://ex/', '\u{10000}x'],
    ['http://ex/a\u{1f600}\u{20000}', 'http://ex/', 'a\u{1f600}\u{20000}'],
    ['http://ex/×b', 'http://ex/×', 'b'],
    ['http://ex/xmlThing', 'http://ex/', 'xmlThing'],
    [`${RDF_NAMESPACE}_1`, RDF_NAMESPACE, '_1'],
    ['http://www.w3.org/XML/1998/namespacelang', 'http://www.w3.org/XML/1998/', 'namespacelang'],
    ['http://ex/?a=1&b', 'http://ex/?a=1&amp;', 'b'],
  ])('splits %s', async (iri, namespace, local) => {
    const text = await expectSame([quad(s, namedNode(iri), o)]);
    const [, prefix] = new RegExp(`<(\\w+):${local} rdf:resource`, 'u').exec(text)!;
    expect(text).toContain(` xmlns:${prefix}="${namespace}"`);
  });

  it.each([
    'http://ex/',
    'http://ex/1',
    'http://ex/a/',
    'http://ex/a#',
    'urn:uuid:0',
    'http://ex/a?',
    ...[
      'RDF',
      'ID',
      'about',
      'parseType',
      'resource',
      'nodeID',
      'datatype',
      'Description',
      'li',
      'version',
      'annotation',
      'annotationNodeID',
      'aboutEach',
      'aboutEachPrefix',
      'bagID',
    ].map((name) => RDF_NAMESPACE + name),
    'http://www.w3.org/2000/xmlns/a',
    // Readers trim namespaces, and take more than the four spaces of XML for white space.
    'http://ex/\u00a0a',
    'http://ex/\u3000a',
  ])('refuses <%s> before the first byte, and names it', async (iri) => {
    const quads = [
      ...Array.from({ length: 3000 }, (_, i) => quad(s, p, literal(`${i}`.padEnd(60)))),
      quad(s, namedNode(iri), o),
    ];
    const chunks = writeRdfXmlChunks(quads);
    await expect(chunks.next()).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining(`<${iri}>`),
    });
  });

  it.each([
    ['the empty prefix', { '': 'http://ex/' }, '<p rdf:resource'],
    ['another prefix for rdf', { r: RDF_NAMESPACE }, '<rdf:type '],
    ['rdf for another namespace', { rdf: 'http://ex/' }, '<ns1:p '],
    ['a prefix that XML keeps', { xmlish: 'http://ex/' }, '<ns1:p '],
    ['a prefix that is not a name', { '1 a': 'http://ex/', 'a:b': 'http://ex/' }, '<ns1:p '],
    ['the name of a made prefix', { ns1: 'http://other/' }, '<ns2:p '],
    ['the namespace of XML', { x: 'http://www.w3.org/XML/1998/namespace' }, '<ns1:p '],
    ['a namespace that is not an IRI', { x: 'ex/" onload="' }, '<ns1:p '],
    ['two prefixes for one namespace', { a: 'http://ex/', b: 'http://ex/' }, '<a:p '],
    ['a namespace within another', { a: 'http://', b: 'http://ex/' }, '<b:p '],
    ['__proto__', Object.fromEntries([['__proto__', 'http://ex/']]), '<__proto__:p '],
  ])('takes %s', async (_, prefixes, expected) => {
    const text = await expectSame(
      [quad(s, p, o), quad(s, namedNode(`${RDF_NAMESPACE}type`), o), quad(s, namedNode('http://other/q'), o)],
      prefixes as Record<string, string>,
    );
    expect(text).toContain(expected);
  });
});

describe('data of RDF 1.2', () => {
  const hebrew = literal('x', { language: 'he', direction: 'rtl' });

  it('declares the version and the base direction at the root', async () => {
    const text = await write([quad(s, p, hebrew), quad(s, p, literal('y', { language: 'he' }))], { ex: 'http://ex/' });
    expect(text).toContain(
      ' xmlns:ex="http://ex/" xmlns:its="http://www.w3.org/2005/11/its" rdf:version="1.2" its:version="2.0">',
    );
    expect(text).toContain('<ex:p xml:lang="he" its:dir="rtl">x</ex:p>\n  <ex:p xml:lang="he">y</ex:p>');
    expect(await readDocument(readRdfXml, text)).toHaveLength(2);
  });

  it('writes triple terms, also in triple terms', async () => {
    const inner = quad(s, p, quad(blankNode('b'), namedNode('http://ex/q#r'), hebrew));
    const rows = [quad(s, p, inner), quad(s, p, quad(s, p, literal('"1"'))), quad(blankNode('b'), p, o)];
    const text = await write(rows, { ex: 'http://ex/' });
    expect(text).toContain(
      '  <ex:p rdf:parseType="Triple"><rdf:Description rdf:about="http://ex/s"><ex:p>"1"</ex:p></rdf:Description></ex:p>',
    );
    const read = await readDocument(readRdfXml, text);
    expect(read).toHaveLength(3);
    const [subject] = read.filter((row) => row.subject.termType === 'BlankNode').map((row) => row.subject);
    const nested = read
      .map(({ object }) => object)
      .find((object) => object.termType === 'Quad' && object.object.termType === 'Quad');
    expect(nested).toMatchObject({ object: { subject: { value: subject.value }, object: { direction: 'rtl' } } });
  });

  it.each([
    ['its for another namespace', { its: 'http://ex/' }, 'ns2:dir="rtl"'],
    ['another prefix', { i: 'http://www.w3.org/2005/11/its' }, 'i:dir="rtl"'],
    ['the empty prefix', { '': 'http://www.w3.org/2005/11/its' }, 'its:dir="rtl"'],
  ])('takes %s', async (_, prefixes, expected) => {
    const rows = [quad(s, namedNode('http://www.w3.org/2005/11/itsx'), hebrew), quad(s, p, hebrew)];
    const text = await write(rows, prefixes as Record<string, string>);
    expect(text).toContain(expected);
    const read = await readDocument(readRdfXml, text);
    for (const row of rows) expect(read.some((other) => other.equals(row))).toBe(true);
  });

  it('refuses the predicate of a triple term like any other, before the first byte', async () => {
    await expect(write([quad(s, p, quad(s, namedNode('http://ex/1'), o))])).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('<http://ex/1>'),
    });
  });
});

describe('data that RDF/XML cannot represent', () => {
  it.each([
    ['a control in a literal', quad(s, p, literal('a\u0007')), 'U+0007'],
    ['a NUL', quad(s, p, literal('\u0000')), 'U+0000'],
    ['a noncharacter in an IRI', quad(s, p, namedNode('http://ex/\uffff')), 'U+FFFF'],
  ])('refuses %s', async (_, row, name) => {
    await expect(write([row])).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining(name) });
  });
});

describe('literals', () => {
  it.each([
    ['white space', literal(' \t\n\r\r\n ')],
    ['a CDATA end', literal(']]>')],
    ['markup', literal('<a b="c">&amp;</a>')],
    ['XML literals as text', literal('<a/>', namedNode(`${RDF_NAMESPACE}XMLLiteral`))],
    ['controls of Latin-1', literal('\u007f\u0085\u009f\u2028')],
    ['a datatype with an ampersand', literal('x', namedNode('http://ex/?a&b'))],
  ])('keeps %s', async (_, object) => {
    const [read] = await readDocument(readRdfXml, await write([quad(s, p, object)]));
    expect(object.equals(read.object)).toBe(true);
  });

  it('keeps any graph of blank nodes', async () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd').map((label) => blankNode(label));
    const predicate = fc.constantFrom('http://ex/p', 'http://ex/q#r').map((iri) => namedNode(iri));
    const graph = fc.array(fc.tuple(node, predicate, fc.oneof(node, fc.constant(o))), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(graph, async (rows) => {
        const distinct = new Map(rows.map((row) => [row.map(({ value }) => value).join(' '), quad(...row)]));
        await expectSame([...distinct.values()]);
      }),
      { numRuns: 100 },
    );
  });
});

function writeRdfXmlChunks(quads: readonly RDF.Quad[]): AsyncGenerator<Uint8Array> {
  const source = new ArraySource(quads);
  return writeRdfXml(source, source.terms, { slicer: new Slicer() });
}
