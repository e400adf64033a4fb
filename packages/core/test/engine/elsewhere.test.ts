import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemoryContents, MemoryStorage, WorldsEngine } from '../../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  for (const name of ['platform/w', 'acme/w', 'acme/x']) {
    const [namespace, slug] = name.split('/');
    await engine.createWorld({ namespace, slug });
  }
});
afterEach(() => engine.close());

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => '',
    ({ code, message }) => `${code}: ${message}`,
  );

it('the error for a world missing in the default namespace says where the world is', async () => {
  const found =
    /^NOT_FOUND: There is no world default\/w; .* There is platform\/w and acme\/w: .*defaultNamespace: "platform"/;
  const query = 'ASK {}';
  expect(await messageOf(engine.export({ source: 'w' }))).toMatch(found);
  expect(await messageOf(engine.import({ source: { slug: 'w' }, data: '' }))).toMatch(found);
  expect(await messageOf(engine.ask({ sources: [{ name: 'w' }], query }))).toMatch(found);
  await engine.createWorld({ slug: 'here' });
  expect(await messageOf(engine.ask({ sources: ['here', 'x'], query }))).toMatch(/There is acme\/x: /);
  expect(await messageOf(engine.export({ source: 'none' }))).toMatch(/check the name\.$/);
});

it('if the default namespace is empty, the message names those that are not', async () => {
  for (const namespace of ['b', 'c']) await engine.createWorld({ namespace, slug: 'y' });
  expect(await messageOf(engine.export({ source: 'none' }))).toMatch(
    /The default namespace default holds no world; there are worlds in acme, b, c and 1 more: /,
  );
});

it('callers that name a namespace learn nothing about other namespaces', async () => {
  const query = 'ASK {}';
  const messages = [
    await messageOf(engine.export({ source: 'other/w' })),
    await messageOf(engine.export({ source: { slug: 'w', namespace: 'other' } })),
    await messageOf(engine.export({ source: { name: 'other/w' } })),
    await messageOf(engine.ask({ sources: ['w'], namespace: 'other', query })),
    await messageOf(engine.ask({ sources: ['w', 'x'], namespace: 'other', query })),
    await messageOf(engine.export({ source: '_/w' })),
  ];
  for (const message of messages)
    expect(message).toMatch(/^NOT_FOUND: There is no world \w+\/w; create it first, or check the name\.$/);
});

it('namespaces of a storage that are not loaded yet are named', async () => {
  const contents = new MemoryContents();
  const writer = await WorldsEngine.open({ storage: new MemoryStorage(contents) });
  await writer.createWorld({ namespace: 'platform', slug: 'w' });
  await writer.close();
  const reader = await WorldsEngine.open({ storage: new MemoryStorage(contents) });
  expect(await messageOf(reader.export({ source: 'w' }))).toMatch(/holds no world; there are worlds in platform: /);
  await reader.close();
});
