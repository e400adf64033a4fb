import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type World, type WorldSource, WorldsEngine } from '../../src/index.ts';
import { linesOf } from './world-state.ts';

const { namedNode, literal, quad } = dataFactory;
const ONE = quad(namedNode('urn:s'), namedNode('urn:p'), literal('o'));

let now = 1000;
let engine: WorldsEngine;
beforeEach(async () => {
  now = 1000;
  engine = await WorldsEngine.open({ textIndex: null, clock: () => now, defaultNamespace: 'home' });
});
afterEach(() => engine.close());

async function namesOf(worlds: AsyncIterable<World> | Promise<World[]>): Promise<string[]> {
  const names = [];
  for await (const { namespace, slug } of Symbol.asyncIterator in worlds ? worlds : await worlds)
    names.push(`${namespace}/${slug}`);
  return names;
}

describe('names', () => {
  const GOOD = [
    'a',
    'Z',
    '0',
    'a.b',
    'a_b',
    'a~b',
    'a-b',
    '0.',
    'sparql',
    'search',
    'constructor',
    'toString',
    'hasOwnProperty',
    'null',
    'x'.repeat(128),
  ];
  const BAD = [
    '',
    '_',
    '__proto__',
    '.',
    '..',
    '-a',
    '~',
    'a/b',
    'a b',
    ' a',
    'a\n',
    'ä',
    'a\u0301',
    '日本',
    '😀',
    'a%20b',
    'a:b',
    'a\u0000',
    'a\u200b',
    'x'.repeat(129),
  ];

  it.each(GOOD)('%j is one, of worlds and namespaces', async (name) => {
    const world = await engine.createWorld({ slug: name, namespace: name });
    expect(world).toMatchObject({ slug: name, namespace: name });
    for (const source of [`${name}/${name}`, { name: `${name}/${name}` }, { slug: name, namespace: name }]) {
      expect(await engine.getWorld({ source })).toEqual(world);
    }
    expect(await engine.listNamespaces()).toEqual([name]);
    expect(await engine.listWorlds({ namespace: name })).toEqual([world]);
    await engine.deleteNamespace({ namespace: name });
    expect(await engine.listNamespaces()).toEqual([]);
  });

  it.each(BAD)('%j is invalid: INVALID_ARGUMENT that names the field', async (name) => {
    const refused = (field: string) => ({ code: 'INVALID_ARGUMENT', message: expect.stringContaining(field) });
    await expect(engine.createWorld({ slug: name })).rejects.toMatchObject(refused('slug'));
    await expect(engine.createWorld({ slug: 'a', namespace: name })).rejects.toMatchObject(refused('namespace'));
    await expect(engine.getWorld({ source: { slug: name } })).rejects.toMatchObject(refused('source.slug'));
    if (name !== '_') {
      await expect(engine.getWorld({ source: { slug: 'a', namespace: name } })).rejects.toMatchObject(
        refused('source.namespace'),
      );
      await expect(engine.listWorlds({ namespace: name })).rejects.toMatchObject(refused('namespace'));
    }
    if (name !== 'a/b') await expect(engine.getWorld({ source: name })).rejects.toMatchObject(refused('source'));
    await expect(engine.getWorld({ source: { name: `a/${name}` } })).rejects.toMatchObject(refused('source.name'));
    expect(await engine.listNamespaces()).toEqual([]);
  });

  it('that are unknown are not found, even if they name members of JavaScript objects', async () => {
    await engine.createWorld({ slug: 'w' });
    for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
      expect(await engine.getWorld({ source: name })).toBeNull();
      expect(await engine.getWorld({ source: `${name}/w` })).toBeNull();
      expect(await engine.listWorlds({ namespace: name })).toEqual([]);
      await expect(engine.deleteWorld({ source: name })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(engine.deleteNamespace({ namespace: name })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('differ by letter case', async () => {
    await engine.createWorld({ slug: 'w', label: 'small' });
    await engine.createWorld({ slug: 'W', label: 'large' });
    expect((await engine.getWorld({ source: 'w' }))?.label).toBe('small');
    expect((await engine.getWorld({ source: 'W' }))?.label).toBe('large');
  });

  it('of the default namespace must be one, and not the reserved one', async () => {
    for (const defaultNamespace of ['_', '', 'a/b', '__proto__']) {
      await expect(WorldsEngine.open({ defaultNamespace })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('defaultNamespace'),
      });
    }
  });
});

describe('sources', () => {
  const SAME: readonly (readonly [string, WorldSource])[] = [
    ['a slug', 'w'],
    ['namespace/slug', 'home/w'],
    ['_/slug', '_/w'],
    ['a name', { name: 'home/w' }],
    ['a name with _', { name: '_/w' }],
    ['a name that is a slug', { name: 'w' }],
    ['a slug in an object', { slug: 'w' }],
    ['slug and namespace', { slug: 'w', namespace: 'home' }],
    ['slug and _', { slug: 'w', namespace: '_' }],
    ['with flags', { slug: 'w', write: false, schema: true }],
  ];

  it.each(SAME)('%s name one world in every method', async (_, source) => {
    const world = await engine.createWorld({ slug: 'w' });
    expect(await engine.getWorld({ source })).toEqual(world);
    expect(await engine.write({ source, insert: [ONE] })).toMatchObject({ inserted: 1 });
    expect(await engine.import({ source, data: '<urn:a> <urn:b> <urn:c> .' })).toMatchObject({ inserted: 1 });
    expect(await linesOf(engine, source)).toHaveLength(2);
    const quads = [];
    for await (const one of engine.quads({ source })) quads.push(one);
    expect(quads).toHaveLength(2);
    expect(await engine.updateWorld({ source, label: 'x' })).toMatchObject({ label: 'x' });
    expect(await engine.world(source).get()).toMatchObject({ slug: 'w' });
    await engine.deleteWorld({ source });
    expect(await engine.getWorld({ source })).toBeNull();
  });

  it('expand _ wherever a namespace is named, except in createWorld', async () => {
    await engine.createWorld({ slug: 'w' });
    expect(await namesOf(engine.listWorlds({ namespace: '_' }))).toEqual(['home/w']);
    expect(await namesOf(engine.worlds({ namespace: '_' }))).toEqual(['home/w']);
    expect(await engine.stats({ namespace: '_' })).toMatchObject({ worlds: 1 });
    expect(
      await engine.serviceDescription({ namespace: '_', endpointUrl: 'http://example.org/sparql' }),
    ).toBeInstanceOf(Uint8Array);
    await expect(engine.createWorld({ slug: 'v', namespace: '_' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('namespace'),
    });
    await engine.deleteNamespace({ namespace: '_' });
    expect(await engine.listNamespaces()).toEqual([]);
  });

  it.each(['/w', 'home/', '/', 'home/w/x', 'a//b', '_', { name: '' }, { name: '/w' }] as WorldSource[])(
    'such as %j are INVALID_ARGUMENT',
    async (source) => {
      await expect(engine.getWorld({ source })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('source'),
      });
    },
  );

  it('of worlds that are not there are NOT_FOUND with their full name, null from getWorld', async () => {
    await engine.createWorld({ slug: 'w', namespace: 'other' });
    expect(await engine.getWorld({ source: 'w' })).toBeNull();
    const missing = { code: 'NOT_FOUND', message: expect.stringContaining('home/w') };
    await expect(engine.updateWorld({ source: 'w', label: 'x' })).rejects.toMatchObject(missing);
    await expect(engine.deleteWorld({ source: 'w' })).rejects.toMatchObject(missing);
    await expect(engine.import({ source: 'w', data: '' })).rejects.toMatchObject(missing);
    await expect(engine.write({ source: 'w' })).rejects.toMatchObject(missing);
    await expect(engine.export({ source: 'w' })).rejects.toMatchObject(missing);
    await expect(engine.search({ sources: ['w'], query: 'x' })).rejects.toMatchObject(missing);
    await expect(engine.ask({ sources: ['w'], query: 'ASK {}' })).rejects.toMatchObject(missing);
    await expect(engine.quads({ source: 'w' }).next()).rejects.toMatchObject(missing);
  });
});

describe('the record of a world', () => {
  it('has only the fields that were set', async () => {
    expect(Object.keys(await engine.createWorld({ slug: 'a' })).sort()).toEqual([
      'createdAt',
      'namespace',
      'revision',
      'slug',
      'updatedAt',
    ]);
    expect(await engine.createWorld({ slug: 'b', label: '', description: null })).toMatchObject({
      label: '',
      description: null,
    });
    const undefinedFields = await engine.createWorld({ slug: 'c', label: undefined, description: undefined });
    expect('label' in undefinedFields || 'description' in undefinedFields).toBe(false);
  });

  it('keeps a description of null, refuses a label of null', async () => {
    await engine.createWorld({ slug: 'w', label: 'L', description: 'D' });
    expect(await engine.updateWorld({ source: 'w', description: null })).toMatchObject({
      label: 'L',
      description: null,
    });
    expect(await engine.getWorld({ source: 'w' })).toMatchObject({ label: 'L', description: null });
    const before = await engine.getWorld({ source: 'w' });
    for (const wrong of [{ label: null }, { label: 5 }, { description: 5 }, { label: null, description: 'new' }]) {
      await expect(engine.updateWorld({ source: 'w', ...wrong } as never)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
      });
    }
    await expect(engine.createWorld({ slug: 'v', label: null } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('label'),
    });
    expect(await engine.getWorld({ source: 'w' })).toEqual(before);
  });

  it('is not touched by an update without fields', async () => {
    const world = await engine.createWorld({ slug: 'w', label: 'L' });
    now = 2000;
    expect(await engine.updateWorld({ source: 'w' })).toEqual(world);
    expect(await engine.updateWorld({ source: 'w', label: undefined, description: undefined })).toEqual(world);
    expect(await engine.getWorld({ source: 'w' })).toEqual(world);
  });

  it('does not change in the hands of who has it', async () => {
    const world = await engine.createWorld({ slug: 'w', label: 'L' });
    const copy = { ...world };
    await engine.updateWorld({ source: 'w', label: 'M' });
    await engine.write({ source: 'w', insert: [ONE] });
    expect(world).toEqual(copy);
  });

  it('moves its time and revision with every change of record or data, and only then', async () => {
    let last = await engine.createWorld({ slug: 'w' });
    expect(last).toMatchObject({ createdAt: 1000, updatedAt: 1000 });
    const changes: (() => Promise<unknown>)[] = [
      () => engine.updateWorld({ source: 'w', label: 'x' }),
      () => engine.updateWorld({ source: 'w', description: null }),
      () => engine.import({ source: 'w', data: '<urn:a> <urn:b> <urn:c> .' }),
      () => engine.write({ source: 'w', insert: [ONE] }),
      () => engine.write({ source: 'w', delete: [ONE] }),
    ];
    for (const change of changes) {
      now += 1000;
      await change();
      const world = (await engine.getWorld({ source: 'w' }))!;
      expect(world).toMatchObject({ createdAt: 1000, updatedAt: now });
      expect(world.revision).toBeGreaterThan(last.revision);
      last = world;
    }
    now += 1000;
    await engine.import({ source: 'w', data: '<urn:a> <urn:b> <urn:c> .' });
    await engine.import({ source: 'w', data: '' });
    await engine.write({ source: 'w', delete: [ONE] });
    await engine.export({ source: 'w' });
    await engine.createWorld({ slug: 'w', ifExists: 'return', label: 'other' });
    await engine.createWorld({ slug: 'neighbour' });
    await engine.write({ source: 'neighbour', insert: [ONE] });
    expect(await engine.getWorld({ source: 'w' })).toEqual(last);
  });

  it('never goes back in time when the clock does', async () => {
    now = 5000;
    await engine.createWorld({ slug: 'w' });
    now = 3000;
    expect(await engine.updateWorld({ source: 'w', label: 'x' })).toMatchObject({
      createdAt: 5000,
      updatedAt: 5000,
      label: 'x',
    });
    await engine.write({ source: 'w', insert: [ONE] });
    expect(await engine.getWorld({ source: 'w' })).toMatchObject({ createdAt: 5000, updatedAt: 5000 });
    now = 6000;
    expect(await engine.updateWorld({ source: 'w', label: 'y' })).toMatchObject({ updatedAt: 6000 });
  });
});

describe('createWorld of one that exists', () => {
  it('is ALREADY_EXISTS with its name, and changes nothing', async () => {
    const world = await engine.createWorld({ slug: 'w', label: 'first' });
    now = 2000;
    for (const ifExists of [undefined, 'error'] as const) {
      await expect(engine.createWorld({ slug: 'w', label: 'second', ifExists })).rejects.toMatchObject({
        code: 'ALREADY_EXISTS',
        message: expect.stringContaining('home/w'),
      });
    }
    expect(await engine.getWorld({ source: 'w' })).toEqual(world);
  });

  it("gives it back unchanged with ifExists: 'return', and makes it when it is not there", async () => {
    const made = await engine.createWorld({ slug: 'w', label: 'first', ifExists: 'return' });
    now = 2000;
    expect(await engine.createWorld({ slug: 'w', label: 'second', description: 'x', ifExists: 'return' })).toEqual(
      made,
    );
    await expect(engine.createWorld({ slug: 'w', ifExists: 'replace' as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('ifExists'),
    });
  });

  it('in another namespace is another world', async () => {
    await engine.createWorld({ slug: 'w' });
    await engine.createWorld({ slug: 'w', namespace: 'other' });
    await engine.write({ source: 'w', insert: [ONE] });
    expect(await linesOf(engine, 'other/w')).toEqual([]);
  });
});

describe('lists', () => {
  const SLUGS = Array.from({ length: 45 }, (_, i) => `w${i}`);
  const SORTED = [...SLUGS, 'B', 'a.b', 'a-b', 'a~b'].sort();
  beforeEach(async () => {
    for (const slug of [...SORTED].reverse()) await engine.createWorld({ slug });
    await engine.createWorld({ slug: 'elsewhere', namespace: 'other' });
  });
  const page = async (request?: object) => (await engine.listWorlds(request)).map(({ slug }) => slug);

  it('come by slug in code-unit order, in pages of 20', async () => {
    expect(await page()).toEqual(SORTED.slice(0, 20));
    expect(await page({})).toEqual(SORTED.slice(0, 20));
    expect(await page({ page: 2 })).toEqual(SORTED.slice(20, 40));
    expect(await page({ page: 3 })).toEqual(SORTED.slice(40));
    expect(await page({ page: 4 })).toEqual([]);
    expect(await page({ page: Number.MAX_SAFE_INTEGER, pageSize: 100 })).toEqual([]);
    expect(await page({ pageSize: 7, page: 3 })).toEqual(SORTED.slice(14, 21));
  });

  it.each([
    [{ page: 0 }, 0, 20],
    [{ page: -5 }, 0, 20],
    [{ page: Number.MIN_SAFE_INTEGER }, 0, 20],
    [{ pageSize: 0 }, 0, 1],
    [{ pageSize: -1, page: 2 }, 1, 2],
    [{ pageSize: 1000 }, 0, 49],
  ])('clamp %o', async (request, from, to) => {
    expect(await page(request)).toEqual(SORTED.slice(from, to));
  });

  it.each([
    [{ page: 1.5 }],
    [{ page: '1' }],
    [{ page: Number.NaN }],
    [{ pageSize: Number.POSITIVE_INFINITY }],
    [{ pageSize: null }],
  ])('refuse %o', async (request) => {
    await expect(engine.listWorlds(request as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(`^listWorlds: ${Object.keys(request)[0]}: `),
    });
  });

  it('of everything come as a sequence too', async () => {
    expect(await namesOf(engine.worlds())).toEqual(SORTED.map((slug) => `home/${slug}`));
    expect(await namesOf(engine.worlds({ namespace: 'other' }))).toEqual(['other/elsewhere']);
    expect(await namesOf(engine.worlds({ namespace: 'unknown' }))).toEqual([]);
    expect(await page({ namespace: 'unknown' })).toEqual([]);
    expect(await engine.listNamespaces()).toEqual(['home', 'other']);
  });

  it('follow creations and deletions', async () => {
    await engine.deleteWorld({ source: 'w0' });
    await engine.createWorld({ slug: 'A' });
    expect(await page({ pageSize: 100 })).toEqual([...SORTED, 'A'].filter((slug) => slug !== 'w0').sort());
    await engine.deleteWorld({ source: 'other/elsewhere' });
    expect(await engine.listNamespaces()).toEqual(['home']);
  });
});

describe('what was deleted', () => {
  it('is deleted with all its data, and its slug is free for a new world', async () => {
    const old = await engine.createWorld({ slug: 'w', label: 'old', description: 'old' });
    await engine.createWorld({ slug: 'neighbour' });
    await engine.import({ source: 'w', data: '<urn:s> <urn:p> <urn:o> <urn:g> .' });
    now = 2000;
    await engine.deleteWorld({ source: 'w' });
    expect(await engine.getWorld({ source: 'w' })).toBeNull();
    expect(await page()).toEqual(['neighbour']);
    await expect(engine.deleteWorld({ source: 'w' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const made = await engine.createWorld({ slug: 'w' });
    expect(made).toMatchObject({ createdAt: 2000, updatedAt: 2000 });
    expect('label' in made || 'description' in made).toBe(false);
    expect(made.revision).toBeGreaterThan(old.revision);
    expect(await linesOf(engine, 'w')).toEqual([]);
    expect(await engine.write({ source: 'w', insert: [ONE] })).toMatchObject({ inserted: 1 });
    expect(await linesOf(engine, 'w')).toHaveLength(1);
    expect((await engine.stats()).quads).toBe(1);
  });
  const page = async () => (await engine.listWorlds()).map(({ slug }) => slug);

  it('as the only world of its namespace, too', async () => {
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: '<urn:s> <urn:p> <urn:o> <urn:g> .' });
    await engine.deleteWorld({ source: 'w' });
    expect(await engine.listNamespaces()).toEqual([]);
    expect(await engine.stats()).toEqual({ namespaces: 0, worlds: 0, quads: 0, terms: 0, bytes: 0, memoryBytes: 0 });
    await engine.createWorld({ slug: 'w' });
    expect(await linesOf(engine, 'w')).toEqual([]);
    expect(await engine.write({ source: 'w', insert: [ONE] })).toMatchObject({ inserted: 1 });
  });

  it('has a revision that no later world of the name has, so that ifRevision cannot hit another world', async () => {
    const old = await engine.createWorld({ slug: 'w' });
    await engine.deleteWorld({ source: 'w' });
    await engine.createWorld({ slug: 'w' });
    await expect(engine.write({ source: 'w', insert: [ONE], ifRevision: old.revision })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('with its namespace leaves the other namespaces alone', async () => {
    for (const [namespace, slug] of [
      ['a', 'w'],
      ['a', 'v'],
      ['b', 'w'],
    ]) {
      await engine.createWorld({ namespace, slug });
      await engine.write({ source: { namespace, slug }, insert: [ONE] });
    }
    await engine.deleteNamespace({ namespace: 'a' });
    expect(await engine.listNamespaces()).toEqual(['b']);
    expect(await engine.getWorld({ source: 'a/w' })).toBeNull();
    expect(await linesOf(engine, 'b/w')).toHaveLength(1);
    await expect(engine.deleteNamespace({ namespace: 'a' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('a'),
    });
    await engine.createWorld({ namespace: 'a', slug: 'w' });
    expect(await linesOf(engine, 'a/w')).toEqual([]);
  });

  it('while others create worlds there: none is lost', async () => {
    for (let round = 0; round < 20; round++) {
      await engine.createWorld({ namespace: 'a', slug: 'w' });
      await Promise.all([
        engine.deleteWorld({ source: 'a/w' }),
        engine.createWorld({ namespace: 'a', slug: 'v' }),
        engine.createWorld({ namespace: 'a', slug: `u${round}` }),
      ]);
      expect(await namesOf(engine.listWorlds({ namespace: 'a' }))).toEqual([`a/u${round}`, 'a/v']);
      await engine.deleteNamespace({ namespace: 'a' });
    }
  });
});

describe('a closed engine', () => {
  it('refuses every call with INVALID_ARGUMENT, and may be closed again', async () => {
    await engine.createWorld({ slug: 'w' });
    const handle = engine.world('w');
    await engine.close();
    await engine.close();
    const refused = { code: 'INVALID_ARGUMENT', message: expect.stringContaining('closed') };
    const calls: (() => unknown)[] = [
      () => engine.createWorld({ slug: 'v' }),
      () => engine.getWorld({ source: 'w' }),
      () => engine.listWorlds(),
      () => engine.worlds().next(),
      () => engine.updateWorld({ source: 'w' }),
      () => engine.deleteWorld({ source: 'w' }),
      () => engine.listNamespaces(),
      () => engine.deleteNamespace({ namespace: 'home' }),
      () => engine.import({ source: 'w', data: '' }),
      () => engine.write({ source: 'w' }),
      () => engine.export({ source: 'w' }),
      () => engine.quads({ source: 'w' }).next(),
      () => engine.ask({ query: 'ASK {}' }),
      () => engine.search({ query: 'x' }),
      () => engine.serviceDescription({ endpointUrl: 'http://example.org/' }),
      () => engine.stats(),
      () => engine.settle(),
      () => handle.get(),
    ];
    for (const call of calls) await expect(call()).rejects.toMatchObject(refused);
  });

  it('is closed by its scope', async () => {
    let kept: WorldsEngine;
    {
      await using scoped = await WorldsEngine.open({ textIndex: null });
      kept = scoped;
      await scoped.createWorld({ slug: 'w' });
    }
    await expect(kept.listWorlds()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
