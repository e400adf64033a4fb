import { WorldsEngine } from '@rdf-worlds/core';
import { functionEmbedder } from '@rdf-worlds/core/embedders';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createWorldsHandler, type Principal } from '../src/index.ts';

const OWNER: Principal = { id: 'owner', grants: [], admin: true };
const DATA = [
  '<http://d/lantern> <http://www.w3.org/2000/01/rdf-schema#label> "signal light" .',
  '<http://d/lantern> <http://d/note> "it burns with oil" .',
  '<http://d/stove> <http://d/note> "it burns wood, and the wood is oak" .',
  '<http://d/oven> <http://d/note> "oak and beech" .',
];

let engine: WorldsEngine;
let plain: WorldsEngine;

beforeAll(async () => {
  engine = await WorldsEngine.open({ fields: true });
  plain = await WorldsEngine.open();
  for (const each of [engine, plain]) {
    await each.createWorld({ slug: 'house', namespace: 'home' });
    await each.import({ source: 'home/house', data: DATA.join('\n'), contentType: 'application/n-triples' });
  }
});
afterAll(() => Promise.all([engine.close(), plain.close()]));

/** Hits, or an error. */
type Answer = { object: string; score: number; explanation?: object }[] & { error: { message: string } };

async function search(body: object, served = engine) {
  const handler = createWorldsHandler(served, {
    authenticate: () => OWNER,
    anonymous: OWNER,
    platformNamespace: 'home',
  });
  const response = await handler(
    new Request('http://localhost/worlds/house/search', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  return { status: response.status, answer: (await response.json()) as Answer };
}
const objects = async (body: object) => (await search(body)).answer.map(({ object }) => object);

it('finds names around texts where the search asks for them', async () => {
  expect(await objects({ query: 'lantern', fields: false })).toEqual([]);
  expect(await objects({ query: 'lantern', fields: true })).toHaveLength(2);
  expect(await objects({ query: 'lantern', fields: { subject: 0, label: 1 } })).toEqual([]);
});

it('takes feedback from the best hits', async () => {
  expect(await objects({ query: 'wood', fields: false })).toHaveLength(1);
  expect(await objects({ query: 'wood', fields: false, feedback: { documents: 1, weight: 0.5 } })).toContain(
    'oak and beech',
  );
});

it('combines rankings as requested', async () => {
  const scoresWith = async (fusion: unknown) =>
    (await search({ query: 'oak', fusion })).answer.map(({ score }) => score);
  expect(await scoresWith({ k: 9 })).toEqual([1 / 10, 1 / 11]);
  expect((await scoresWith('convex'))[0]).toBe(1);
  expect(await scoresWith({ method: 'rrf', textWeight: 61 })).toEqual([1, 61 / 62]);
});

it('finds words that begin with the last one, where it is asked', async () => {
  expect(await objects({ query: 'bur' })).toEqual([]);
  expect((await objects({ query: 'bur', prefix: true }))[0]).toBe('it burns with oil');
  expect((await objects({ query: 'bur', prefix: false }))[0]).toBeUndefined();
});

it('says why a triple is a hit, where it is asked', async () => {
  const { answer } = await search({ query: 'oil', explain: true });
  expect(answer[0].explanation).toMatchObject({
    terms: [{ field: 'text', word: 'oil', term: 'oil', frequency: 1, counted: true }],
    similarity: null,
    snippet: { marked: 'it burns with **oil**' },
  });
  expect((await search({ query: 'oil' })).answer[0]).not.toHaveProperty('explanation');
});

it.each<[body: object, said: string]>([
  [{ fusion: 'best' }, 'fusion: expected adaptive, rrf, convex or an object'],
  [{ fusion: { k: 0 } }, 'fusion.k: expected a number above 0'],
  [{ fusion: { textWeight: -1 } }, 'fusion.textWeight: expected a number from 0 to 1000'],
  [{ fusion: { method: 'sum' } }, 'fusion.method'],
  [{ fields: 3 }, 'fields: expected true, false or an object of numbers'],
  [{ fields: { label: 'much' } }, 'fields.label: expected a number from 0 to 1000'],
  [{ feedback: { documents: 0 } }, 'feedback.documents: expected an integer from 1 to 100'],
  [{ feedback: { terms: 1.5 } }, 'feedback.terms: expected an integer from 1 to 200'],
  [{ feedback: { weight: 2 } }, 'feedback.weight: expected a number from 0 to 1'],
  [{ explain: 'yes' }, 'explain'],
  [{ prefix: 'yes' }, 'prefix'],
  [{ sources: [5] }, 'sources[0]: expected a world'],
])('names what is wrong in %j', async (body, said) => {
  const { status, answer } = await search({ query: 'oil', ...body });
  expect(status).toBe(400);
  expect(answer.error.message).toContain(said);
});

it('says what to do where names are not indexed', async () => {
  const { status, answer } = await search({ query: 'oil', fields: true }, plain);
  expect(status).toBe(400);
  expect(answer.error.message).toContain('fields');
});

it('does not tell those who search how the embedder fails', async () => {
  await using failing = await WorldsEngine.open({
    textIndex: null,
    embedder: functionEmbedder({
      id: 'letters',
      dimensions: 2,
      embed: async () => {
        throw new Error('POST http://10.0.0.7/embeddings failed');
      },
    }),
  });
  await failing.createWorld({ slug: 'house', namespace: 'home' });
  await failing.import({ source: 'home/house', data: DATA.join('\n'), contentType: 'application/n-triples' });
  const { status, answer } = await search({ query: 'oil' }, failing);
  expect(status).toBe(503);
  expect(answer.error.message).toMatch(/^Search by meaning is currently unavailable.* request id \S+\.$/);
  await expect(failing.search({ query: 'oil', sources: ['home/house'] })).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('10.0.0.7'),
  });
});
