import assert from 'node:assert/strict';
import { all, fails, type WorldsCase } from './worlds-probe.ts';

/** Cases for the records of worlds. */
export const recordCases: readonly WorldsCase[] = [
  {
    name: 'creates a world and returns its record, as getWorld does',
    async run({ worlds }) {
      const before = Date.now();
      const world = await worlds.createWorld({ slug: 'a', namespace: 'n', label: 'A', description: 'of the contract' });
      const { createdAt, updatedAt, revision, ...rest } = world;
      assert.deepEqual(rest, { slug: 'a', namespace: 'n', label: 'A', description: 'of the contract' });
      assert.ok(createdAt >= before && updatedAt === createdAt);
      assert.ok(Number.isSafeInteger(revision));
      assert.deepEqual(await worlds.getWorld({ source: 'n/a' }), world);
      assert.deepEqual(await worlds.getWorld({ source: { name: 'n/a' } }), world);
      assert.deepEqual(await worlds.getWorld({ source: world }), world);
    },
  },
  {
    name: 'leaves absent fields absent, and keeps a description of null',
    async run({ worlds }) {
      const bare = await worlds.createWorld({ slug: 'bare' });
      assert.ok(!('label' in bare) && !('description' in bare));
      const { description } = await worlds.createWorld({ slug: 'null', description: null });
      assert.equal(description, null);
      assert.equal((await worlds.getWorld({ source: 'null' }))?.description, null);
    },
  },
  {
    name: 'uses the default namespace where none is named, and for _',
    async run({ worlds }) {
      const { namespace } = await worlds.createWorld({ slug: 'a' });
      assert.deepEqual(await worlds.getWorld({ source: `${namespace}/a` }), await worlds.getWorld({ source: 'a' }));
      assert.deepEqual(await worlds.getWorld({ source: '_/a' }), await worlds.getWorld({ source: 'a' }));
      assert.deepEqual(
        (await worlds.listWorlds({ namespace: '_' })).map(({ slug }) => slug),
        ['a'],
      );
    },
  },
  {
    name: 'returns null for a world that does not exist',
    async run({ worlds }) {
      assert.equal(await worlds.getWorld({ source: 'nowhere' }), null);
      assert.equal(await worlds.getWorld({ source: 'none/nowhere' }), null);
    },
  },
  {
    name: 'refuses to create a world twice, unless the existing one will do',
    async run({ worlds }) {
      const first = await worlds.createWorld({ slug: 'a', label: 'first' });
      await fails('ALREADY_EXISTS', () => worlds.createWorld({ slug: 'a' }), /a/);
      assert.deepEqual(await worlds.createWorld({ slug: 'a', label: 'second', ifExists: 'return' }), first);
      assert.equal((await worlds.createWorld({ slug: 'b', ifExists: 'return' })).slug, 'b');
    },
  },
  {
    name: 'lists worlds in pages by slug, and iterates over all',
    async run({ worlds }) {
      const slugs = Array.from({ length: 105 }, (_, i) => `w${String(i).padStart(3, '0')}`);
      for (const slug of [...slugs].reverse()) await worlds.createWorld({ slug, namespace: 'many' });
      const page = async (page?: number, pageSize?: number) =>
        (await worlds.listWorlds({ namespace: 'many', page, pageSize })).map(({ slug }) => slug);
      assert.deepEqual(await page(), slugs.slice(0, 20));
      assert.deepEqual(await page(2, 50), slugs.slice(50, 100));
      assert.deepEqual(await page(3, 50), slugs.slice(100));
      assert.deepEqual(await page(4, 50), []);
      assert.deepEqual(await page(0, 1000), slugs.slice(0, 100));
      assert.deepEqual(
        (await all(worlds.worlds({ namespace: 'many' }))).map(({ slug }) => slug),
        slugs,
      );
      assert.deepEqual(await worlds.listWorlds({ namespace: 'none' }), []);
      assert.deepEqual(await all(worlds.worlds({ namespace: 'none' })), []);
      const [first] = await worlds.listWorlds({ namespace: 'many' });
      assert.deepEqual(first, await worlds.getWorld({ source: 'many/w000' }));
    },
  },
  {
    name: 'changes the given fields of a record and no others',
    async run({ worlds }) {
      const world = await worlds.createWorld({ slug: 'a', label: 'A', description: 'old' });
      const changed = await worlds.updateWorld({ source: 'a', description: 'new' });
      assert.equal(changed.label, 'A');
      assert.equal(changed.description, 'new');
      assert.ok(changed.revision > world.revision);
      assert.deepEqual(await worlds.getWorld({ source: 'a' }), changed);
      assert.equal((await worlds.updateWorld({ source: 'a', description: null })).description, null);
      await fails('NOT_FOUND', () => worlds.updateWorld({ source: 'nowhere', label: 'x' }), /nowhere/);
    },
  },
  {
    name: 'deletes a world with its data; its name can be used again',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p 1 .');
      await probe.world('b', 'ex:s ex:p 2 .');
      await worlds.deleteWorld({ source: 'a' });
      assert.equal(await worlds.getWorld({ source: 'a' }), null);
      await fails('NOT_FOUND', () => worlds.deleteWorld({ source: 'a' }), /a/);
      await probe.world('a');
      assert.deepEqual(await probe.contents('a'), []);
      assert.equal((await probe.contents('b')).length, 1);
    },
  },
  {
    name: 'compares revisions in every write',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a');
      const { revision: old } = (await worlds.getWorld({ source: 'a' }))!;
      const data = `<urn:s> <urn:p> "1" .\n`;
      const { revision } = await worlds.import({ source: 'a', data, ifRevision: old });
      assert.ok(revision > old);
      const stale = { source: 'a', ifRevision: old };
      await fails('CONFLICT', () => worlds.import({ ...stale, data }));
      await fails('CONFLICT', () => worlds.importAll({ ...stale, documents: [{ data }, { data }] }));
      await fails('CONFLICT', () => worlds.write({ ...stale, insert: [] }));
      await fails('CONFLICT', () => worlds.updateWorld({ ...stale, label: 'x' }));
      await fails('CONFLICT', () => worlds.deleteWorld(stale));
      const query = 'INSERT DATA { <urn:s> <urn:p> 2 }';
      await fails('CONFLICT', () => worlds.update({ sources: ['a'], query, ifRevision: old }));
      const updated = await worlds.update({ sources: ['a'], query, ifRevision: revision });
      const { revision: last } = await worlds.updateWorld({ source: 'a', label: 'x', ifRevision: updated.revision });
      await worlds.deleteWorld({ source: 'a', ifRevision: last });
    },
  },
];
