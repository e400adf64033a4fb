import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readHttpTest } from '../src/http-manifest.ts';
import { memoryFiles } from './fixture/memory-files.ts';

const BASE = 'https://w3c.github.io/rdf-tests/sparql/sparql11/small/';
const MANIFEST = `${BASE}manifest.ttl`;
const OTHER = `${BASE}other.ttl`;

async function read(name: string, manifests: readonly string[] = [MANIFEST]) {
  const text = await readFile(new URL('./fixture/http-manifest.ttl', import.meta.url), 'utf8');
  const files = memoryFiles(
    new Map([
      [MANIFEST, text],
      [OTHER, '<#x> <#y> <#z> .'],
    ]),
  );
  return readHttpTest(`${MANIFEST}#${name}`, manifests, files);
}

describe('readHttpTest', () => {
  it('reads the requests of a test in their order, with what each answer has to be', async () => {
    const { requests } = await read('exchange');
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/sparql/?x=1',
        headers: new Map([
          ['content-type', 'text/turtle'],
          ['accept', '*/*'],
        ]),
        body: { text: '<a> <b> <c> .', encoding: 'UTF-16' },
        expected: {
          statuses: ['201', '2xx'],
          boolean: undefined,
          format: undefined,
          location: '$LOCATION$',
          headers: new Map(),
          body: undefined,
        },
      },
      {
        method: 'GET',
        path: '/sparql/$LOCATION$',
        headers: new Map(),
        body: undefined,
        expected: {
          statuses: ['200'],
          boolean: false,
          format: 'RDF',
          location: undefined,
          headers: new Map([['content-type', 'text/turtle; charset=utf-8']]),
          body: { text: '<a> <b> <c> .', encoding: 'UTF-8' },
        },
      },
    ]);
  });

  it('reads the graphs that have to be there', async () => {
    expect((await read('exchange')).graphs).toEqual([{ name: 'http://example.org/g', file: `${BASE}g.nt` }]);
    expect((await read('exchange', [OTHER, MANIFEST])).requests).toHaveLength(2);
  });

  it.each([
    ['ghost', [MANIFEST], /has requests for/],
    ['plain', [MANIFEST], /has requests for/],
    ['exchange', [OTHER], /has requests for/],
    ['bare', [MANIFEST], /no expected response/],
    ['odd', [MANIFEST], /ImATeapot.*STATUS_NAMES/],
  ])('refuses %s in %j', async (name, manifests, message) => {
    await expect(read(name, manifests)).rejects.toThrow(message);
  });
});
