import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine, type WorldsError } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)));

async function backupOf(engine: WorldsEngine): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of engine.backupStream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const NAMESPACES = ['a', 'b', 'c'];
const SLUGS = ['x', 'y'];

/**
 * What a caller can have read in an engine: for each state of a world its revision, and what it
 * held; each revision of a namespace.
 */
class Tokens {
  readonly contents = new Map<string, string>();
  readonly etags = new Map<string, string>();
  readonly revisions = new Map(NAMESPACES.map((name) => [name, new Set<number>()]));

  async read(engine: WorldsEngine): Promise<void> {
    for (const namespace of NAMESPACES) {
      const home = await engine.getNamespace({ namespace });
      if (!home) continue;
      this.revisions.get(namespace)!.add(home.revision);
      for await (const { slug, revision, createdAt } of engine.worlds({ namespace })) {
        const lines = (await linesOf(engine, `${namespace}/${slug}`)).join('\n');
        this.contents.set(`${namespace}/${slug} ${revision}`, lines);
        this.etags.set(`${namespace}/${slug} ${createdAt}.${revision}`, lines);
      }
    }
  }
}

/** A random commit, or a few, in a random namespace; what it writes is never written again. */
async function commit(engine: WorldsEngine, random: SeededRandom, tokens: Tokens, unique: () => number) {
  const namespace = NAMESPACES[random.below(NAMESPACES.length)];
  const source = `${namespace}/${SLUGS[random.below(SLUGS.length)]}`;
  const slug = source.slice(2);
  if (!(await engine.getWorld({ source }))) await engine.createWorld({ namespace, slug });
  else if (random.chance(0.15)) await engine.deleteWorld({ source });
  else if (random.chance(0.1)) await engine.deleteNamespace({ namespace });
  else await engine.write({ source, insert: [one(unique())] });
  await tokens.read(engine);
}

describe('after a restore', () => {
  for (const kind of ['memory', 'storage']) {
    it(`no token of one engine matches a commit of the other, with ${kind}`, async () => {
      for (let seed = 0; seed < 40; seed++) {
        const random = new SeededRandom(seed);
        let written = 0;
        const open = { textIndex: null, storage: undefined, clock: () => 1000 };
        const newOptions = () => ({ ...open, ...(kind === 'storage' && { storage: new MemoryStorage() }) });
        const engine = await WorldsEngine.open(newOptions());
        const before = new Tokens();
        for (let n = random.below(12); n > 0; n--) await commit(engine, random, before, () => ++written);
        const backup = await backupOf(engine);
        const atBackup = new Map<string, number>();
        for (const namespace of NAMESPACES) {
          const home = await engine.getNamespace({ namespace });
          if (home) atBackup.set(namespace, home.revision);
        }
        const original = new Tokens();
        for (let n = random.below(12); n > 0; n--) await commit(engine, random, original, () => ++written);
        const restored = await WorldsEngine.restore(backup, newOptions());
        for (const [namespace, revision] of atBackup) {
          const jumped = (await restored.getNamespace({ namespace }))!.revision;
          expect(jumped - revision).toBeGreaterThanOrEqual(2 ** 32);
          expect(jumped - revision).toBeLessThan(2 ** 44);
        }
        const copy = new Tokens();
        await copy.read(restored);
        for (let n = random.below(12); n > 0; n--) await commit(restored, random, copy, () => ++written);
        for (const which of ['contents', 'etags'] as const) {
          for (const [token, content] of [...before[which], ...original[which]]) {
            if (copy[which].has(token)) expect([seed, token, copy[which].get(token)]).toEqual([seed, token, content]);
          }
        }
        for (const namespace of NAMESPACES) {
          const others = copy.revisions.get(namespace)!;
          for (const tokens of [before, original]) {
            for (const revision of tokens.revisions.get(namespace)!) expect(others).not.toContain(revision);
          }
        }
        if (kind === 'memory') continue;
        for (const [engineOf, tokens] of [
          [restored, before],
          [restored, original],
          [engine, copy],
        ] as const) {
          for (const [namespace, revisions] of tokens.revisions) {
            if (!(await engineOf.getNamespace({ namespace }))) continue;
            for (const after of revisions) {
              await expect(engineOf.changes({ namespace, after }).next()).rejects.toMatchObject({ code: 'TRUNCATED' });
            }
          }
        }
      }
    });
  }

  it('the next commit follows the jump, in the log and after opening again', async () => {
    const engine = await WorldsEngine.open({ storage: new MemoryStorage(), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const storage = new MemoryStorage();
    const restored = await WorldsEngine.restore(await backupOf(engine), { storage, textIndex: null });
    const { revision } = (await restored.getNamespace())!;
    expect((await restored.getWorld({ source: 'w' }))!.revision).toBe(1);
    expect((await restored.write({ source: 'w', insert: [one(1)], ifRevision: 1 })).revision).toBe(revision + 1);
    await restored.close();
    const again = await WorldsEngine.open({ storage: new MemoryStorage(storage.contents), textIndex: null });
    expect(await again.getNamespace()).toEqual({ name: 'default', revision: revision + 1, worlds: 1 });
    expect((await again.changes({ after: revision }).next()).value).toMatchObject({ revision: revision + 1 });
    expect((await again.check()).problems).toEqual([]);
  });

  it('is refused when no revision is left above those of the backup', async () => {
    // Each jump is almost 2^44.
    const random = (length: number) => Uint8Array.from({ length }, (_, i) => [0, 0, 0x0f, 0xfe][i % 8] ?? 0xff);
    let refused: WorldsError | undefined;
    let engine = await WorldsEngine.open({ storage: undefined });
    await engine.createWorld({ slug: 'w' });
    let backup = await backupOf(engine);
    for (let n = 0; n < 1000 && !refused; n++) {
      try {
        engine = await WorldsEngine.restore(backup, { storage: undefined, random, textIndex: null });
        const { revision } = (await engine.getNamespace())!;
        expect(Number.isSafeInteger(revision)).toBe(true);
        backup = await backupOf(engine);
      } catch (cause) {
        refused = cause as WorldsError;
      }
    }
    expect(refused).toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('namespace default') });
  });
});

describe('after TRUNCATED', () => {
  it('the revision of the error leads on when a deleted world was the last event', async () => {
    const engine = await WorldsEngine.open({ storage: new MemoryStorage(), textIndex: null, retainChangesBytes: 0 });
    await engine.createWorld({ slug: 'a' });
    await engine.createWorld({ slug: 'b' });
    await engine.deleteWorld({ source: 'b' });
    await engine.checkpoint();
    const truncated: WorldsError = await engine
      .changes({ after: 1 })
      .next()
      .then(
        () => undefined,
        (cause) => cause,
      );
    expect(truncated).toMatchObject({ code: 'TRUNCATED', revision: 3 });
    expect(truncated.message).toContain('changes({ after: 3 })');
    expect(await engine.getNamespace({ namespace: 'default' })).toEqual({ name: 'default', revision: 3, worlds: 1 });
    const next = engine.changes({ after: truncated.revision }).next();
    await engine.write({ source: 'a', insert: [one(1)] });
    expect((await next).value).toMatchObject({ kind: 'changed', revision: 4 });
  });

  it('a follower of a deleted and recreated namespace continues', async () => {
    const engine = await WorldsEngine.open({ storage: new MemoryStorage(), textIndex: null });
    for (const slug of ['a', 'b']) await engine.createWorld({ slug });
    const feed = engine.changes({ after: 1 });
    expect((await feed.next()).value).toMatchObject({ revision: 2 });
    const waiting = expect(feed.next()).rejects.toMatchObject({ code: 'TRUNCATED', revision: 4 });
    await engine.deleteNamespace({ namespace: 'default' });
    await waiting;
    expect(await engine.getNamespace()).toBeNull();
    await expect(engine.changes({ after: 4 }).next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await engine.createWorld({ slug: 'a' });
    await expect(engine.changes({ after: 2 }).next()).rejects.toMatchObject({ code: 'TRUNCATED', revision: 5 });
    expect((await engine.changes({ after: 4 }).next()).value).toMatchObject({ kind: 'created', revision: 5 });
    await engine.write({ source: 'a', insert: [one(1)] });
    expect((await engine.changes({ after: 5 }).next()).value).toMatchObject({ kind: 'changed', revision: 6 });
  });
});

describe('getNamespace', () => {
  it('checks its request', async () => {
    const engine = await WorldsEngine.open();
    expect(await engine.getNamespace()).toBeNull();
    await engine.createWorld({ namespace: 'n', slug: 'w' });
    expect(await engine.getNamespace({ namespace: 'n' })).toEqual({ name: 'n', revision: 1, worlds: 1 });
    const request = { namespace: 'n', worlds: true };
    await expect(engine.getNamespace(request)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('worlds'),
    });
    await expect(engine.getNamespace({ namespace: 'not a name' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
