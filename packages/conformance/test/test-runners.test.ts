import { WorldsError } from '@rdf-worlds/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { fromRdfNegative, fromRdfRoundTrip, toRdfEvaluation } from '../src/json-ld-tests.ts';
import type { ManifestEntry } from '../src/manifest-entry.ts';
import { queryEvaluation } from '../src/query-tests.ts';
import { rdfCanonicalForm, rdfEvaluation, rdfNegativeSyntax, rdfPositiveSyntax } from '../src/rdf-tests.ts';
import { sparqlNegativeSyntax, sparqlPositiveSyntax } from '../src/sparql-syntax-tests.ts';
import type { SuiteFiles } from '../src/suite-files.ts';
import { TestBench } from '../src/test-bench.ts';
import { updateEvaluation } from '../src/update-tests.ts';
import { MemoryEngine } from './fixture/memory-engine.ts';

const BASE = 'https://w3c.github.io/rdf-tests/x/';
const contents = new Map(
  Object.entries({
    'a.ttl': '<s> <p> _:b .',
    'a.nt': `<${BASE}s> <${BASE}p> _:x .`,
    'b.nt': `<${BASE}s> <${BASE}p> <${BASE}o> .`,
    'bad.ttl': '<s> <p>',
    'doc.jsonld': '<http://b.org/s> <http://b.org/p> <http://b.org/o> .',
    'doc.nq': '<http://b.org/s> <http://b.org/p> <http://b.org/o> .',
    'q.rq': 'SELECT ?x FROM <b.nt> FROM NAMED <missing.ttl> { ?x ?y ?z }',
    'q.srj': '{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"bnode","value":"k"}}]}}',
    'q.csv': 'x\r\n_:k\r\n',
    'u.ru': 'CLEAR ALL',
    'load.ru': 'LOAD <x>',
  }).map(([name, text]) => [BASE + name, text]),
);
const files = {
  path: (iri: string) => (contents.has(iri) ? iri : undefined),
  text: async (iri: string) => contents.get(iri)!,
  bytes: async (iri: string) => new TextEncoder().encode(contents.get(iri)!),
} as unknown as SuiteFiles;

const input = (file: string) => ({ file: BASE + file, data: [], graphs: [] });
const test = (parts: Partial<ManifestEntry>): ManifestEntry => ({
  iri: 'urn:test',
  name: 'a test',
  type: 'urn:type',
  action: { data: [], graphs: [] },
  options: new Map(),
  ...parts,
});
const fileTest = (action: string, result?: string) =>
  test({ action: input(action), result: result === undefined ? undefined : input(result) });

let engine: MemoryEngine;
let bench: TestBench;
beforeEach(() => {
  engine = new MemoryEngine();
  bench = new TestBench(engine, files);
});

describe('RDF tests', () => {
  it('evaluate by isomorphism, with the published IRI as base', async () => {
    await rdfEvaluation(fileTest('a.ttl', 'a.nt'), bench);
    await expect(rdfEvaluation(fileTest('a.ttl', 'b.nt'), bench)).rejects.toThrow(/expected 1 rows, got 1; missing/);
  });

  it('compare canonical forms line by line, in any order', async () => {
    const expected = (await files.text(`${BASE}a.nt`)).trim().split('\n');
    engine.exported = expected.toReversed().join('\n');
    await rdfCanonicalForm(fileTest('a.ttl', 'a.nt'), bench);
    engine.exported = engine.exported.replace(/ \.$/, '  .');
    await expect(rdfCanonicalForm(fileTest('a.ttl', 'a.nt'), bench)).rejects.toThrow(/expected .*found/s);
  });

  it('ask for an error where the document is bad, and only there', async () => {
    await rdfPositiveSyntax(fileTest('a.ttl'), bench);
    await expect(rdfPositiveSyntax(fileTest('bad.ttl'), bench)).rejects.toThrow(/malformed/);
    await rdfNegativeSyntax(fileTest('bad.ttl'), bench);
    await expect(rdfNegativeSyntax(fileTest('a.ttl'), bench)).rejects.toThrow('accepted, and has to be refused');
  });

  it('ask that a refused document leaves nothing behind', async () => {
    const { import: read } = engine;
    engine.import = async (options) => {
      await engine.write({ source: options.source, insert: [...(await leftover())] });
      await read.call(engine, options);
    };
    const leftover = async () => {
      const other = new MemoryEngine();
      await other.createWorld({ slug: 'w' });
      await other.import({
        source: 'w',
        data: await files.bytes(`${BASE}a.nt`),
        contentType: 'text/turtle',
        baseIri: BASE,
      });
      return other.worlds.get('w')!;
    };
    await expect(rdfNegativeSyntax(fileTest('bad.ttl'), bench)).rejects.toThrow('expected 0 rows, got 1');
  });
});

describe('JSON-LD tests', () => {
  it('take the option base as the base IRI', async () => {
    const entry = fileTest('doc.jsonld', 'doc.nq');
    const bases: string[] = [];
    const { import: read } = engine;
    engine.import = (options) => {
      bases.push(options.baseIri);
      return read.call(engine, options);
    };
    await toRdfEvaluation({ ...entry, options: new Map([['base', 'http://b.org/']]) }, bench);
    await toRdfEvaluation(entry, bench);
    expect(bases).toEqual(['http://b.org/', `${BASE}doc.jsonld`]);
  });

  it('compare what was exported and read again with the input', async () => {
    engine.exported = contents.get(`${BASE}a.nt`)!;
    await fromRdfRoundTrip(fileTest('a.nt'), bench);
    await expect(fromRdfRoundTrip(fileTest('b.nt'), bench)).rejects.toThrow(/missing/);
    await expect(fromRdfNegative(fileTest('a.nt'), bench)).rejects.toThrow('exported, and has to be refused');
  });
});

describe('SPARQL tests', () => {
  const query = (result: string) =>
    test({ action: { request: `${BASE}q.rq`, data: [`${BASE}a.ttl`], graphs: [] }, result: input(result) });
  const row = { head: { vars: ['x'] }, results: { bindings: [{ x: { type: 'bnode' as const, value: 'other' } }] } };

  it('run a query over its default graph and the files that FROM names, relative to itself', async () => {
    engine.sparqlAnswer = () => row;
    await queryEvaluation(query('q.srj'), bench);
    await queryEvaluation(query('q.csv'), bench);
    const [{ baseIri, quads }] = engine.requests;
    expect(baseIri).toBe(`${BASE}q.rq`);
    expect(quads.map(({ graph }) => graph.value)).toEqual(['', `${BASE}b.nt`]);
  });

  it('fail a query whose answer is another, or none', async () => {
    engine.sparqlAnswer = () => ({ ...row, results: { bindings: [] } });
    await expect(queryEvaluation(query('q.srj'), bench)).rejects.toThrow('expected 1 rows, got 0');
    await expect(queryEvaluation(query('q.csv'), bench)).rejects.toThrow('expected 1 rows, got 0');
    engine.sparqlAnswer = () => null;
    await expect(queryEvaluation(query('q.srj'), bench)).rejects.toThrow('taken for an update');
  });

  it('compare the dataset after an update, graph names included', async () => {
    const named = { data: [], graphs: [{ name: 'urn:g', file: `${BASE}a.nt` }] };
    const entry = test({ action: { request: `${BASE}u.ru`, ...named }, result: named });
    await updateEvaluation(entry, bench);
    engine.sparqlAnswer = (quads) => {
      quads.length = 0;
      return null;
    };
    await expect(updateEvaluation(entry, bench)).rejects.toThrow('expected 1 rows, got 0');
    await updateEvaluation({ ...entry, result: { data: [], graphs: [] } }, bench);
    await expect(updateEvaluation({ ...entry, result: { data: [`${BASE}a.nt`], graphs: [] } }, bench)).rejects.toThrow(
      'expected 1 rows, got 0',
    );
  });

  it('tell a request that is malformed from one that needs a network', async () => {
    const refuse = (code: 'INVALID_SPARQL' | 'UNSUPPORTED') => () => {
      throw new WorldsError(code, 'no');
    };
    engine.sparqlAnswer = refuse('INVALID_SPARQL');
    await sparqlNegativeSyntax(fileTest('u.ru'), bench);
    await expect(sparqlPositiveSyntax(fileTest('u.ru'), bench)).rejects.toThrow('no');
    engine.sparqlAnswer = refuse('UNSUPPORTED');
    await expect(sparqlNegativeSyntax(fileTest('u.ru'), bench)).rejects.toThrow(/not as INVALID_SPARQL/);
    await expect(sparqlPositiveSyntax(fileTest('u.ru'), bench)).rejects.toThrow('no');
    await sparqlPositiveSyntax(fileTest('load.ru'), bench);
  });
});
