import assert from 'node:assert/strict';
import { dataFactory, type ImportData, type ImportProgress } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { EX, fails, shown, type WorldsCase } from './worlds-probe.ts';

const { blankNode, defaultGraph, literal, namedNode, quad } = dataFactory;

const TURTLE = `PREFIX ex: <${EX}> ex:s ex:p "é", "𝄞" .`;
const EXPECTED = ['<s> <p> "é"', '<s> <p> "𝄞"'];
const QUADS: readonly RDF.Quad[] = ['é', '𝄞'].map((value) =>
  quad(namedNode(`${EX}s`), namedNode(`${EX}p`), literal(value)),
);

const bytes = () => new TextEncoder().encode(TURTLE);

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}

/** The same document as every accepted kind of input. */
const TURTLE_INPUTS: readonly (readonly [kind: string, data: () => ImportData])[] = [
  ['a string', () => TURTLE],
  ['a Uint8Array', bytes],
  ['an ArrayBuffer', () => bytes().buffer],
  ['a Blob', () => new Blob([TURTLE])],
  ['a Response', () => new Response(TURTLE)],
  ['a stream of bytes', () => new Blob([TURTLE]).stream()],
  ['an iterable of single bytes', () => each([...bytes()].map((byte) => Uint8Array.of(byte)))],
  // The pieces split a surrogate pair.
  ['an iterable of text', () => each(TURTLE.split('')) as AsyncIterable<string>],
  ['gzip', () => new Response(new Blob([TURTLE]).stream().pipeThrough(new CompressionStream('gzip')))],
];

const QUAD_INPUTS: readonly (readonly [kind: string, data: () => ImportData])[] = [
  ['an array of quads', () => [...QUADS]],
  ['an iterable of quads', () => new Set(QUADS)],
  ['an asynchronous iterable of quads', () => each(QUADS)],
];

/** Cases for imports. */
export const importCases: readonly WorldsCase[] = [
  ...TURTLE_INPUTS.map(
    ([kind, data]): WorldsCase => ({
      name: `imports ${kind}`,
      async run(probe) {
        await probe.world('a');
        const result = await probe.worlds.import({ source: 'a', data: data(), contentType: 'text/turtle' });
        const { quads, inserted, deleted, createdGraphs } = result;
        assert.deepEqual([quads, inserted, deleted, createdGraphs], [2, 2, 0, 0]);
        assert.deepEqual(await probe.contents('a'), EXPECTED);
      },
    }),
  ),
  ...QUAD_INPUTS.map(
    ([kind, data]): WorldsCase => ({
      name: `imports ${kind}`,
      async run(probe) {
        await probe.world('a');
        const { quads, inserted } = await probe.worlds.import({ source: 'a', data: data() });
        assert.deepEqual([quads, inserted], [2, 2]);
        assert.deepEqual(await probe.contents('a'), EXPECTED);
      },
    }),
  ),
  {
    name: 'imports a JSON-LD object, and plain JSON with a context',
    async run(probe) {
      await probe.world('a');
      const ld = { '@id': `${EX}a`, [`${EX}p`]: 'A' };
      const { notes } = await probe.worlds.import({ source: 'a', data: ld });
      assert.match(notes.join(), /read as application\/ld\+json/);
      const context = { '@vocab': EX, id: '@id' };
      await probe.worlds.import({ source: 'a', data: { id: `${EX}b`, p: 'B'.repeat(100_000) }, context });
      assert.deepEqual(await probe.contents('a'), ['<a> <p> "A"', `<b> <p> "${'B'.repeat(100_000)}"`]);
    },
  },
  {
    name: 'detects the format by the type of a Response or Blob, and assumes N-Quads',
    async run(probe) {
      await probe.world('a');
      const headers = { 'content-type': 'text/turtle; charset=utf-8' };
      const typed = await probe.worlds.import({ source: 'a', data: new Response(TURTLE, { headers }) });
      assert.match(typed.notes.join(), /text\/turtle/);
      await probe.worlds.import({ source: 'a', data: new Blob([TURTLE], { type: 'text/turtle' }) });
      const { notes } = await probe.worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "plain" .\n` });
      assert.match(notes.join(), /read as application\/n-quads/);
      assert.deepEqual(await probe.contents('a'), ['<s> <p> "plain"', ...EXPECTED]);
    },
  },
  {
    name: 'imports quads with all kinds of terms unchanged',
    async run(probe) {
      await probe.world('a');
      const [s, p, g] = [namedNode(`${EX}s`), namedNode(`${EX}p`), namedNode(`${EX}g`)];
      const objects: RDF.Quad_Object[] = [
        literal('tab\t quote" backslash\\ line\nbreak \u0000\u007f\u2028'),
        literal('chat', 'fr-CA'),
        literal('שלום', { language: 'he', direction: 'rtl' }),
        literal('1.50', namedNode('http://www.w3.org/2001/XMLSchema#decimal')),
        literal('not a number', namedNode('http://www.w3.org/2001/XMLSchema#integer')),
        literal(''),
        blankNode('label with spaces and ünicode.'),
        quad(s, p, literal('inner')),
        quad(s, p, quad(s, p, blankNode('inside'))),
      ];
      const quads = objects.map((object, i) => quad(s, p, object, i % 2 === 0 ? g : defaultGraph()));
      await probe.worlds.import({ source: 'a', data: quads });
      assert.deepEqual(await probe.contents('a'), quads.map(shown).sort());
    },
  },
  {
    name: 'keeps blank nodes of one import apart by their labels, and from those of others',
    async run(probe) {
      await probe.world('a');
      const p = namedNode(`${EX}p`);
      const data = ['x', 'x y', 'x-782079'].map((label) => quad(blankNode(label), p, literal(label)));
      for (let time = 0; time < 2; time++) await probe.worlds.import({ source: 'a', data });
      const subjects = new Set<string>();
      for await (const { subject } of probe.worlds.quads({ source: 'a' })) subjects.add(subject.value);
      assert.equal(subjects.size, 6);
    },
  },
  {
    name: 'imports several documents as one commit, even none',
    async run(probe) {
      await probe.world('a');
      const line = (value: number) => `_:b <urn:p> "${value}" .\n`;
      const result = await probe.worlds.importAll({
        source: 'a',
        documents: [{ data: line(1) }, { data: `_:b <urn:p> 2 .`, contentType: 'text/turtle' }, { data: line(3) }],
      });
      assert.deepEqual([result.quads, result.inserted], [3, 3]);
      const subjects = new Set<string>();
      for await (const { subject } of probe.worlds.quads({ source: 'a' })) subjects.add(subject.value);
      assert.equal(subjects.size, 3);
      const broken = [{ data: line(4) }, { data: 'no' }];
      await fails('INVALID_RDF', () => probe.worlds.importAll({ source: 'a', documents: broken }));
      assert.equal((await probe.contents('a')).length, 3);
      const none = await probe.worlds.importAll({ source: 'a', documents: [], mode: 'replace' });
      assert.deepEqual([none.inserted, none.deleted], [0, 3]);
    },
  },
  {
    name: 'imports into a graph, and replaces a graph or a world',
    async run(probe) {
      await probe.world('a', 'ex:old ex:p 1 . ');
      const data = (value: string) => `<${EX}s> <${EX}p> "${value}" .\n`;
      const graph = `${EX}g`;
      const first = await probe.worlds.import({ source: 'a', data: data('1'), graph });
      assert.equal(first.createdGraphs, 1);
      await probe.worlds.import({ source: 'a', data: data('2'), graph: namedNode(graph) });
      const third = await probe.worlds.import({ source: 'a', data: data('2') + data('3'), graph, mode: 'replace' });
      assert.deepEqual([third.inserted, third.deleted, third.createdGraphs], [1, 1, 0]);
      const integer = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>';
      assert.deepEqual(await probe.contents('a'), [`<old> <p> ${integer}`, '<s> <p> "2" <g>', '<s> <p> "3" <g>']);
      await probe.worlds.import({ source: 'a', data: data('4'), graph: defaultGraph(), mode: 'replace' });
      assert.deepEqual(await probe.contents('a'), ['<s> <p> "2" <g>', '<s> <p> "3" <g>', '<s> <p> "4"']);
      await probe.worlds.import({ source: 'a', data: data('5'), mode: 'replace' });
      assert.deepEqual(await probe.contents('a'), ['<s> <p> "5"']);
    },
  },
  {
    name: 'resolves relative IRIs against baseIri',
    async run(probe) {
      await probe.world('a');
      const data = '<s> <p> <o> .';
      await fails('INVALID_RDF', () => probe.worlds.import({ source: 'a', data, contentType: 'text/turtle' }));
      await probe.worlds.import({ source: 'a', data, contentType: 'text/turtle', baseIri: EX });
      assert.deepEqual(await probe.contents('a'), ['<s> <p> <o>']);
    },
  },
  {
    name: 'imports base directions of JSON-LD as asked',
    async run(probe) {
      await probe.world('a');
      const data = { '@id': `${EX}s`, [`${EX}p`]: { '@value': 'x', '@language': 'he', '@direction': 'rtl' } };
      await probe.worlds.import({ source: 'a', data, rdfDirection: 'dir-lang-string' });
      assert.deepEqual(await probe.contents('a'), ['<s> <p> "x"@he--rtl']);
    },
  },
  {
    name: 'applies an RDF Patch',
    async run(probe) {
      await probe.world('a', 'ex:s ex:p "old" .');
      const data = `TX .\nD <${EX}s> <${EX}p> "old" .\nA <${EX}s> <${EX}p> "new" .\nTC .\n`;
      const result = await probe.worlds.import({ source: 'a', data, contentType: 'application/rdf-patch' });
      assert.deepEqual([result.inserted, result.deleted], [1, 1]);
      assert.deepEqual(await probe.contents('a'), ['<s> <p> "new"']);
    },
  },
  {
    name: 'imports a large stream, and reports its progress',
    async run(probe) {
      await probe.world('a');
      const lines = Array.from({ length: 20_000 }, (_, i) => `<${EX}${i}> <${EX}p> "${i}" .\n`);
      const reports: ImportProgress[] = [];
      const onProgress = (progress: ImportProgress) => void reports.push(progress);
      const { inserted } = await probe.worlds.import({ source: 'a', data: each(lines), onProgress });
      assert.equal(inserted, 20_000);
      assert.deepEqual(reports.at(-1), { quads: 20_000, bytes: lines.join('').length });
    },
  },
  {
    name: 'passes on the error of a stream or of onProgress, and imports nothing',
    async run(probe) {
      await probe.world('a');
      const mine = new Error('of the stream');
      const data = async function* () {
        for (let i = 0; i < 10_000; i++) yield `<${EX}${i}> <${EX}p> "${i}" .\n`;
        throw mine;
      };
      await assert.rejects(probe.worlds.import({ source: 'a', data: data() }), (error) => error === mine);
      const onProgress = () => {
        throw mine;
      };
      await assert.rejects(
        probe.worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "1" .\n`, onProgress }),
        (error) => error === mine,
      );
      assert.deepEqual(await probe.contents('a'), []);
    },
  },
  {
    name: 'says where a document is broken',
    async run(probe) {
      await probe.world('a');
      const data = `<${EX}s> <${EX}p> "1" .\n<oops\n`;
      const error = await fails(
        'INVALID_RDF',
        () => probe.worlds.import({ source: 'a', data }),
        /line 2, column \d+\)/,
      );
      assert.equal(error.location?.line, 2);
      assert.equal(error.message.match(/line 2/g)?.length, 1);
    },
  },
];
