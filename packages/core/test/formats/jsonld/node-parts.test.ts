import { describe, expect, it } from 'vitest';
import { runAtOnce, Slicer } from '../../../src/contracts/slicer.ts';
import { parseJson } from '../../../src/formats/json-syntax.ts';
import { Expander } from '../../../src/formats/jsonld/expander.ts';
import { JsonLdWork } from '../../../src/formats/jsonld/work.ts';
import { readJsonLd } from '../../../src/formats/jsonld-reader.ts';
import { lines, readDocument } from '../documents.ts';

/** Several times the most members of a part. */
const SIZE = 5000;
const members = (make: (i: number) => string) => Array.from({ length: SIZE }, (_, i) => make(i)).join(',');

/** The most members of an object, which are enumerated in one step. */
function mostMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const own = Array.isArray(value) ? 0 : values.length;
  return Math.max(own, ...values.slice(0, 2000).map(mostMembers));
}

const REVERSE = `"@context":{"r":{"@reverse":"u:r"},"n":"@nest","p":"u:p1","q":"u:p${SIZE - 1}"}`;

describe('a node with very many properties', () => {
  it.each<[string, string, number]>([
    ['properties', `{"@id":"u:a",${members((i) => `"u:p${i}":"x"`)}}`, SIZE],
    ['properties of a blank node', `{${members((i) => `"u:p${i}":"x"`)}}`, SIZE],
    ['nodes', `{"@id":"u:a",${members((i) => `"u:p${i}":{"@id":"u:${i}"}`)}}`, SIZE],
    ['nested properties', `{${REVERSE},"@id":"u:a","n":{${members((i) => `"u:p${i}":"x"`)}}}`, SIZE],
    ['reverse properties', `{"@id":"u:a","@reverse":{${members((i) => `"u:p${i}":{"@id":"u:b"}`)}}}`, SIZE],
    [
      'both, and terms for both',
      `{${REVERSE},"@id":"u:a",${members((i) => `"u:p${i}":"x"`)},"p":"y","q":["y","z"],"r":{"@id":"u:b"},"@reverse":{"r":{"@id":"u:c"},${members((i) => `"u:p${i}":{"@id":"u:b"}`)}}}`,
      2 * SIZE + 5,
    ],
    ['properties in a graph', `{"@id":"u:g","@graph":{${members((i) => `"u:p${i}":"x"`)}}}`, SIZE],
    [
      'properties of a value in a map',
      `{"@context":{"p":{"@id":"u:p","@container":"@id"}},"p":{"u:b":{${members((i) => `"u:p${i}":"x"`)}}}}`,
      SIZE + 1,
    ],
  ])('is expanded in parts: %s', async (_, document, count) => {
    const expander = new Expander(undefined, new JsonLdWork());
    expander.work.meter.read = document.length;
    const expanded = runAtOnce(expander.document(runAtOnce(parseJson(document)), new Map()));
    expect(mostMembers(expanded)).toBeLessThan(1100);
    const quads = await readDocument(readJsonLd, document, { slicer: new Slicer() });
    expect(lines(quads)).toHaveLength(count);
    expect(new Set(quads.map(({ subject }) => subject.value)).size).toBeLessThanOrEqual(2);
  });

  it('still cannot be a value, a list or a set', async () => {
    const many = members((i) => `"u:p${i}":"x"`);
    for (const keyword of ['"@value":"x"', '"@list":[]', '"@set":[]'])
      for (const value of [`{${many},${keyword}}`, `{${keyword},${many}}`])
        await expect(readDocument(readJsonLd, `{"u:p":${value}}`)).rejects.toThrow(
          /invalid (value|set or list) object/,
        );
  });

  it('takes types of many aliases in one pass', async () => {
    const document = `{"@context":{${members((i) => `"t${i}":"@type"`)}},"@id":"u:a",${members((i) => `"t${i}":"u:T${i}"`)}}`;
    expect(await readDocument(readJsonLd, document)).toHaveLength(SIZE);
  });
});
