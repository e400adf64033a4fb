import assert from 'node:assert/strict';
import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { HOSTILE_STRINGS } from '../random-quads.ts';
import { termKey } from '../term-key.ts';
import type { WorldsCase } from './worlds-probe.ts';

const { literal, namedNode, quad } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const [s, p] = [namedNode('urn:s'), namedNode('urn:p')];

/** Literals, and what `toObject` makes of them. */
const PLAIN: readonly (readonly [string, unknown])[] = [
  [`"text"`, 'text'],
  [`"chat"@fr`, 'chat'],
  [`42`, 42],
  [`12345678901234567890`, 12345678901234567890n],
  [`1.50`, 1.5],
  [`2.5e3`, 2500],
  [`true`, true],
  [`"INF"^^<${XSD}double>`, Number.POSITIVE_INFINITY],
  [`"2024-05-06T07:08:09Z"^^<${XSD}dateTime>`, new Date('2024-05-06T07:08:09Z')],
  [`"2024-05-06"^^<${XSD}date>`, '2024-05-06'],
  [`"x"^^<${XSD}integer>`, 'x'],
  [`<urn:o>`, 'urn:o'],
  [`<<( <urn:s> <urn:p> 1 )>>`, { subject: 'urn:s', predicate: 'urn:p', object: 1 }],
];

const TERMS: readonly RDF.Quad_Object[] = [
  ...HOSTILE_STRINGS.filter((text) => text.isWellFormed()).map((text) => literal(text)),
  literal('"@fr\\', 'fr'),
  literal('right to left', { language: 'he-IL', direction: 'rtl' }),
  literal('left to right', { language: 'en', direction: 'ltr' }),
  literal('custom', namedNode('urn:datatype')),
  namedNode('urn:with:ünicode'),
  quad(s, p, quad(s, p, literal('deep', { language: 'ar', direction: 'rtl' }))),
];

/** Cases for terms on their way in and out. */
export const termCases: readonly WorldsCase[] = [
  {
    name: 'returns every term unchanged, as solutions, triples, quads and values of bindings',
    async run({ worlds }) {
      await worlds.createWorld({ slug: 'a' });
      await worlds.import({ source: 'a', data: TERMS.map((term) => quad(s, p, term)) });
      const expected = TERMS.map((term) => termKey(term)).sort();
      const sources = ['a'];
      const rows = await (await worlds.select({ sources, query: 'SELECT ?o { ?s ?p ?o }' })).array();
      assert.deepEqual(rows.map((row) => termKey(row.get('o')!)).sort(), expected);
      const triples = await (await worlds.construct({ sources, query: 'CONSTRUCT WHERE { ?s ?p ?o }' })).array();
      assert.deepEqual(triples.map(({ object }) => termKey(object)).sort(), expected);
      const quads: string[] = [];
      for await (const { object } of worlds.quads({ source: 'a' })) quads.push(termKey(object));
      assert.deepEqual(quads.sort(), expected);
      for (const o of TERMS) {
        const found = await worlds.select({ sources, query: 'SELECT ?o { ?s ?p ?o }', bindings: { o } });
        const [row, ...more] = await found.array();
        assert.equal(more.length, 0, termKey(o));
        assert.ok(row.get('o')!.equals(o), termKey(o));
      }
    },
  },
  {
    name: 'converts values of rows to the same JavaScript values',
    async run({ worlds }) {
      await worlds.createWorld({ slug: 'a' });
      for (const [term, expected] of PLAIN) {
        const result = await worlds.select({ sources: ['a'], query: `SELECT ?v { VALUES ?v { ${term} } }` });
        assert.deepEqual(await result.objects(), [{ v: expected }], term);
      }
    },
  },
];
