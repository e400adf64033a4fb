import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readJsonLdManifest } from '../src/json-ld-manifest.ts';
import { readTurtleManifest } from '../src/manifest.ts';
import type { ManifestEntry } from '../src/manifest-entry.ts';

const BASE = 'https://w3c.github.io/rdf-tests/sparql/sparql11/small/manifest.ttl';
const HERE = 'https://w3c.github.io/rdf-tests/sparql/sparql11/small/';

async function fixture(include: (iri: string) => Promise<ManifestEntry[]> = async () => []): Promise<ManifestEntry[]> {
  const text = await readFile(new URL('./fixture/manifest.ttl', import.meta.url), 'utf8');
  return readTurtleManifest(text, BASE, include);
}

describe('readTurtleManifest', () => {
  it('reads a query with its default and named graphs, relative to where the manifest is published', async () => {
    const [query] = await fixture();
    expect(query).toEqual({
      iri: `${BASE}#query`,
      name: 'a query',
      type: 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#QueryEvaluationTest',
      action: {
        request: `${HERE}q.rq`,
        data: [`${HERE}d.ttl`],
        graphs: [{ name: `${HERE}g.ttl`, file: `${HERE}g.ttl` }],
      },
      result: { file: `${HERE}q.srx`, data: [], graphs: [] },
      options: new Map(),
    });
  });

  it('names a graph of an update by its label, and reads an empty node as an empty dataset', async () => {
    const [, update] = await fixture();
    expect(update.action.graphs).toEqual([{ name: 'http://example.org/g1', file: `${HERE}g.ttl` }]);
    expect(update.result).toMatchObject({ data: [], graphs: [] });
  });

  it('reads a test whose action is a file', async () => {
    const [, , syntax] = await fixture();
    expect(syntax.action.file).toBe(`${HERE}doc.ttl`);
    expect(syntax.result).toBeUndefined();
  });

  it('puts the entries of included manifests first', async () => {
    const asked: string[] = [];
    const entries = await fixture(async (iri) => {
      asked.push(iri);
      return [{ iri: 'urn:included', name: '', type: '', action: { data: [], graphs: [] }, options: new Map() }];
    });
    expect(asked).toEqual([`${HERE}more/manifest.ttl`]);
    expect(entries.map(({ iri }) => iri)).toEqual([
      'urn:included',
      `${BASE}#query`,
      `${BASE}#update`,
      `${BASE}#syntax`,
    ]);
  });

  it('refuses an entry that is listed and not described', async () => {
    const text = `PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
      <> a mf:Manifest ; mf:entries ( <#ghost> ) .`;
    await expect(readTurtleManifest(text, BASE, async () => [])).rejects.toThrow(/#ghost.*without a type/);
  });
});

describe('readJsonLdManifest', () => {
  it('resolves files against the base of the suite, and names tests without the extension of the manifest', () => {
    const text = JSON.stringify({
      baseIri: 'https://w3c.github.io/json-ld-api/tests/',
      sequence: [
        {
          '@id': '#t1',
          '@type': ['jld:NegativeEvaluationTest', 'jld:ToRDFTest'],
          name: 'one',
          input: 'toRdf/0001-in.jsonld',
          expectErrorCode: 'invalid value object',
          option: { base: 'http://example.org/' },
        },
      ],
    });
    expect(readJsonLdManifest(text, 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest.jsonld')).toEqual([
      {
        iri: 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest#t1',
        name: 'one',
        type: 'https://w3c.github.io/json-ld-api/tests/vocab#NegativeEvaluationTest',
        action: { file: 'https://w3c.github.io/json-ld-api/tests/toRdf/0001-in.jsonld', data: [], graphs: [] },
        result: undefined,
        options: new Map([
          ['base', 'http://example.org/'],
          ['expectErrorCode', 'invalid value object'],
        ]),
      },
    ]);
  });
});
