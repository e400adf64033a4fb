import { expect, it } from 'vitest';
import { parseBody, SearchPostBody, SparqlPostBody } from '../src/schemas.ts';

it.each([
  [
    'graphs',
    SparqlPostBody,
    { query: 'ASK {}', defaultGraphUris: ['urn:g', ...Array(50_000).fill('x')] },
    'defaultGraphUris[1]',
  ],
  ['sources', SparqlPostBody, { query: 'ASK {}', sources: ['w', ...Array(5_000).fill({ slug: 7 })] }, 'sources[1]'],
  ['subjects', SearchPostBody, { query: 'x', subjects: ['urn:s', ...Array(50_000).fill(7)] }, 'subjects[1]'],
  ['facets', SearchPostBody, { query: 'x', facets: ['types', ...Array(50_000).fill('x')] }, 'facets[1]'],
] as const)('%s: a long array is checked up to its first wrong element', (_, schema, body, field) => {
  let error: { readonly message: string; readonly cause?: { readonly issues?: unknown[] } } | undefined;
  try {
    parseBody(schema, body);
  } catch (caught) {
    error = caught as typeof error;
  }
  expect(error?.message.startsWith(`${field}: `), error?.message).toBe(true);
  expect(error?.cause?.issues).toHaveLength(1);
});
