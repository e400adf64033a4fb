import { crc32 } from 'node:zlib';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import {
  dataFactory,
  type MemoryContents,
  MemoryStorage,
  WorldsEngine,
  type WorldsEngineOptions,
} from '../../../src/index.ts';
import { BagOfWordsEmbedder } from '../../search/bag-of-words-embedder.ts';
import { rebuiltEngine } from '../rebuilt-engine.ts';
import { BrokenDisk, FaultyStorage } from './faulty-storage.ts';
import { searchAnswers } from './search-answers.ts';
import { smallTextIndex, type TextIndexWork } from './small-text-index.ts';

const RUNS = Number(process.env['STORED_TEXTS_RUNS'] ?? 1);
const { quad, namedNode, literal } = dataFactory;
const QUERIES = ['lantern', 'kettle river', 'lantrens', 'riv', 'café sextant', 'of the', 'häuser'];
/**
 * After damage the index is built from the quads, or not at all, so that few queries show whether
 * it was. DAMAGE_STRIDE=1 damages each byte, and asks all of them.
 */
const DAMAGE_QUERIES = process.env['DAMAGE_STRIDE'] ? QUERIES : ['lantern', 'kettle river'];
const WORDS = 'lantern lanterns kettle rivers river quadrant sextant the of 1815 café häuser'.split(' ');

const one = (n: number, text: string, language?: string) =>
  quad(namedNode(`urn:s${n}`), namedNode(`urn:p${n % 3}`), language ? literal(text, language) : literal(text));

interface Opened {
  readonly engine: WorldsEngine;
  readonly storage: FaultyStorage;
  readonly contents: MemoryContents;
  readonly work: TextIndexWork;
}

async function open(contents?: MemoryContents, options: WorldsEngineOptions = {}): Promise<Opened> {
  const work = { added: 0, restored: 0 };
  const storage = new FaultyStorage(contents);
  const engine = await WorldsEngine.open({ storage, textIndex: smallTextIndex(work), ...options });
  return { engine, storage, contents: storage.contents, work };
}

/** The segments of the newest checkpoint, or of an earlier one. */
function segmentsOf(contents: MemoryContents, checkpoint = 0): Map<string, Uint8Array> {
  return contents.incarnations.get('default')!.checkpoints[checkpoint].segments as Map<string, Uint8Array>;
}

const textsIn = (segments: ReadonlyMap<string, Uint8Array>) =>
  [...segments.keys()].filter((name) => name.startsWith('text-'));

async function expectAsAnew(engine: WorldsEngine, where?: string, options: WorldsEngineOptions = {}): Promise<void> {
  await using rebuilt = await rebuiltEngine(engine, () =>
    WorldsEngine.open({ textIndex: smallTextIndex(), ...options }),
  );
  if (options.embedder) await Promise.all([engine.flush(), rebuilt.flush()]);
  expect(await searchAnswers(engine, QUERIES), where).toEqual(await searchAnswers(rebuilt, QUERIES));
}

/** A closed storage whose checkpoint has an index of two worlds. */
async function filled(texts = 40): Promise<MemoryContents> {
  const { engine, contents } = await open();
  const random = new SeededRandom(7);
  for (const slug of ['a', 'b']) {
    await engine.createWorld({ slug });
    const text = () => Array.from({ length: 1 + random.below(5) }, () => random.pick(WORDS)).join(' ');
    const insert = Array.from({ length: texts }, (_, n) => one(n, text(), random.pick([undefined, 'de', 'fr'])));
    await engine.write({ source: slug, insert });
  }
  await engine.search({ query: 'lantern' });
  await engine.checkpoint();
  await engine.close();
  return contents;
}

describe('a text index in a checkpoint', () => {
  it('answers the first search without indexing a text', async () => {
    const contents = await filled();
    const again = await open(contents);
    await expectAsAnew(again.engine);
    expect(again.work).toEqual({ added: 0, restored: 1 });
    expect((await again.engine.check()).problems).toEqual([]);
    expect(again.engine.health().problems).toEqual([]);
  });

  it('is kept as it is by a fork; the first search of the fork indexes that alone', async () => {
    const contents = await filled();
    const forking = await open(contents);
    await forking.engine.fork({ source: 'a', slug: 'fork' });
    await forking.engine.checkpoint();
    expect(forking.work).toEqual({ added: 0, restored: 0 });
    await forking.engine.close();
    const again = await open(contents);
    await again.engine.search({ query: 'lantern', sources: ['a'] });
    expect(again.work).toEqual({ added: 0, restored: 1 });
    await expectAsAnew(again.engine);
    expect(again.work).toEqual({ added: 40, restored: 1 });
    // Now that there were searches, another one follows its commit.
    await again.engine.fork({ source: 'b', slug: 'other' });
    await again.engine.checkpoint();
    expect(again.work).toEqual({ added: 80, restored: 1 });
    await expectAsAnew(again.engine);
    await again.engine.close();
  });

  it('is stored only if it is large enough, and by a search or checkpoint that has something new', async () => {
    const contents = await filled();
    const stored = textsIn(segmentsOf(contents));
    expect(stored.map((name) => name.split('-')[1]).sort()).toEqual(['documents', 'postings', 'state', 'words']);
    const again = await open(contents);
    await again.engine.search({ query: 'lantern' });
    await again.engine.checkpoint();
    expect(textsIn(segmentsOf(contents))).toEqual(stored);
    await again.engine.write({ source: 'a', insert: [one(900, 'a kettle')] });
    await again.engine.checkpoint();
    const later = textsIn(segmentsOf(contents));
    // The old postings are named again.
    expect(later.filter((name) => stored.includes(name)).map((name) => name.split('-')[1])).toEqual(['postings']);
    const usual = new MemoryStorage();
    const engine = await WorldsEngine.open({ storage: usual });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: Array.from({ length: 100 }, (_, n) => one(n, `text ${n}`)) });
    await engine.search({ query: 'text' });
    await engine.checkpoint();
    expect(textsIn(segmentsOf(usual.contents))).toEqual([]);
    await engine.write({ source: 'w', insert: Array.from({ length: 1000 }, (_, n) => one(n, `more ${n}`)) });
    await engine.search({ query: 'text' });
    await engine.checkpoint();
    expect(textsIn(segmentsOf(usual.contents))).toHaveLength(4);
    await engine.close();
  });

  it('is brought up to date with the log behind the checkpoint', async () => {
    const contents = await filled();
    const first = await open(contents);
    await first.engine.write({ source: 'a', insert: [one(700, 'a lantern by the river')], delete: [one(1, 'gone')] });
    const [hit] = await first.engine.search({ query: 'kettle', sources: ['b'] });
    await first.engine.update({ query: `DELETE WHERE { <${hit.subject}> ?p ?o }`, sources: ['b'] });
    await first.engine.createWorld({ slug: 'c' });
    await first.engine.write({ source: 'c', insert: [one(1, 'a sextant'), one(2, 'ein Quadrant', 'de')] });
    await first.engine.deleteWorld({ source: 'a' });
    // Crashes: nobody closes it.
    const again = await open(contents);
    await expectAsAnew(again.engine);
    expect(again.work.restored).toBe(1);
    expect(again.work.added).toBeLessThan(5);
    expect((await again.engine.check()).problems).toEqual([]);
  });

  it('is carried along by checkpoints of a process that does not search', async () => {
    const contents = await filled();
    const stored = textsIn(segmentsOf(contents));
    const silent = await open(contents);
    await silent.engine.updateWorld({ source: 'a', label: 'A' });
    for (let round = 0; round < 3; round++) {
      await silent.engine.updateWorld({ source: 'a', label: `A ${round}` });
      await silent.engine.checkpoint();
    }
    expect(silent.work).toEqual({ added: 0, restored: 0 });
    expect(textsIn(segmentsOf(contents))).toEqual(stored);
    await silent.engine.write({ source: 'a', insert: [one(900, 'a kettle')] });
    await silent.engine.checkpoint();
    expect(silent.work).toEqual({ added: 1, restored: 1 });
    const again = await open(contents);
    await expectAsAnew(again.engine);
    expect(again.work.restored).toBe(1);
  });

  it('is not used if texts are analysed differently; that is not a failure', async () => {
    const contents = await filled();
    const work = { added: 0, restored: 0 };
    const again = await open(contents, { textIndex: smallTextIndex(work, 'de') });
    await again.engine.search({ query: 'lantern' });
    expect(work).toEqual({ added: 80, restored: 0 });
    expect(again.engine.health().problems).toEqual([]);
    // Of an engine without a text index.
    const none = await open(contents, { textIndex: null, embedder: new BagOfWordsEmbedder() });
    await none.engine.write({ source: 'a', insert: [one(900, 'a kettle')] });
    await none.engine.checkpoint();
    expect(textsIn(segmentsOf(contents))).toEqual([]);
    await none.engine.close();
    const last = await open(contents);
    await expectAsAnew(last.engine);
    expect(last.work.restored).toBe(0);
  });

  it('contains no trace of deleted texts after compact', async () => {
    const { engine, contents } = await open(undefined, { retainChangesBytes: 0 });
    await engine.createWorld({ slug: 'w' });
    const secret = one(1, 'the heliotrope is under the doormat');
    await engine.write({
      source: 'w',
      insert: [secret, ...Array.from({ length: 50 }, (_, n) => one(n + 2, `text ${n}`))],
    });
    await engine.search({ query: 'heliotrope' });
    await engine.checkpoint();
    const traces = () =>
      contents.incarnations
        .get('default')!
        .checkpoints.flatMap(({ segments }) =>
          [...segments]
            .filter(([, bytes]) => Buffer.from(bytes).includes('heliotrop'))
            .map(([name]) => name.split('-')[0]),
        );
    expect(traces()).toContain('text');
    await engine.write({ source: 'w', delete: [secret] });
    await engine.checkpoint();
    await engine.compact({ forgetChanges: true });
    expect(traces()).toEqual([]);
    expect(textsIn(segmentsOf(contents))).not.toEqual([]);
    await expectAsAnew(engine);
    const again = await open(contents);
    await expectAsAnew(again.engine);
    expect(again.work).toEqual({ added: 0, restored: 1 });
  });

  it('is compacted, too, in a process that has not loaded it', async () => {
    const { engine, contents } = await open();
    await engine.createWorld({ slug: 'w' });
    const secret = one(1, 'the heliotrope is under the doormat');
    await engine.write({
      source: 'w',
      insert: [secret, ...Array.from({ length: 50 }, (_, n) => one(n + 2, `text ${n}`))],
    });
    await engine.search({ query: 'heliotrope' });
    await engine.checkpoint();
    await engine.close();
    const silent = await open(contents);
    await silent.engine.write({ source: 'w', delete: [secret] });
    await silent.engine.compact({ forgetChanges: true });
    for (const { segments } of contents.incarnations.get('default')!.checkpoints)
      for (const [name, bytes] of segments) expect(Buffer.from(bytes).includes('heliotrop'), name).toBe(false);
    const again = await open(contents);
    await expectAsAnew(again.engine);
    expect(again.work.restored).toBe(1);
  });
});

describe('damage to a stored text index', () => {
  /** Opens, expects the answers of a new engine, a warning, and that a checkpoint mends it. */
  async function expectMended(contents: MemoryContents, where: string, answers: readonly string[]): Promise<void> {
    const failures: string[] = [];
    const { engine, work } = await open(contents, {
      onBackgroundError: (error, { activity }) => failures.push(`${activity}: ${error.message}`),
    });
    expect(await searchAnswers(engine, DAMAGE_QUERIES), where).toEqual(answers);
    // Built from the quads, although some of its parts may have been read.
    expect(work.added, where).toBe(80);
    expect(failures, where).toEqual([expect.stringMatching(/^loading: /)]);
    expect(engine.health(), where).toMatchObject({ status: 'degraded', problems: [{ activity: 'loading' }] });
  }

  const answersOf = async (contents: MemoryContents) => {
    const { engine } = await open(contents);
    return searchAnswers(engine, DAMAGE_QUERIES);
  };

  it('in any byte, or by a cut at any byte: same answers, a warning', async () => {
    const contents = await filled();
    const answers = await answersOf(contents);
    const segments = segmentsOf(contents);
    const stride = Number(process.env['DAMAGE_STRIDE'] ?? 307);
    let damaged = 0;
    for (const name of textsIn(segments)) {
      const whole = segments.get(name)!;
      for (let at = damaged % stride; at < whole.length; at += stride) {
        const flipped = whole.slice();
        flipped[at] ^= 1 << (at % 8);
        for (const bytes of [flipped, whole.subarray(0, at)]) {
          segments.set(name, bytes);
          await expectMended(contents, `${name} at ${at}`, answers);
          damaged++;
        }
      }
      segments.set(name, whole);
    }
    expect(damaged).toBeGreaterThan(5000 / stride);
    expect(await answersOf(contents)).toEqual(answers);
  }, 600_000);

  it('by a missing segment, or one in the place of another: same answers, a warning; a checkpoint mends it', async () => {
    const contents = await filled();
    const before = new Map(segmentsOf(contents));
    const changed = await open(contents);
    const [hit] = await changed.engine.search({ query: 'kettle', sources: ['b'] });
    await changed.engine.update({
      query: `DELETE WHERE { <${hit.subject}> ?p ?o } ; INSERT DATA { <${hit.subject}> <urn:p> "a kettle" }`,
      sources: ['b'],
    });
    await changed.engine.checkpoint();
    await changed.engine.close();
    const answers = await answersOf(contents);
    const segments = segmentsOf(contents);
    const now = new Map(segments);
    const names = textsIn(now);
    const kindOf = (name: string) => name.split('-')[1];
    for (const name of names) {
      segments.delete(name);
      await expectMended(contents, `${name} is missing`, answers);
      for (const [other, bytes] of [...now, ...before]) {
        if (!other.startsWith('text-') || other === name) continue;
        segments.set(name, bytes);
        await expectMended(contents, `${other} in the place of ${name}`, answers);
        if (kindOf(other) === kindOf(name) && now.has(other)) {
          segments.set(other, now.get(name)!);
          await expectMended(contents, `${other} swapped with ${name}`, answers);
          segments.set(other, now.get(other)!);
        }
      }
      segments.set(name, now.get(name)!);
    }
    // The first search after the damage builds the index; the next checkpoint has it.
    segments.delete(names[0]);
    const { engine } = await open(contents);
    await engine.search({ query: 'lantern' });
    expect(engine.health().status).toBe('degraded');
    await engine.checkpoint();
    expect(engine.health().status).toBe('ok');
    const again = await open(contents);
    expect(await searchAnswers(again.engine, DAMAGE_QUERIES)).toEqual(answers);
    expect(again.work).toEqual({ added: 0, restored: 1 });
  });

  it('is reported by check, and no reason for salvage', async () => {
    const contents = await filled();
    const segments = segmentsOf(contents);
    const [name] = textsIn(segments);
    const bytes = segments.get(name)!.slice();
    bytes[20] ^= 1;
    segments.set(name, bytes);
    const { engine } = await open(contents);
    expect((await engine.salvage({ namespace: 'default' })).state).toBe('intact');
    expect((await engine.check()).problems).toEqual([
      { namespace: 'default', problem: expect.stringMatching(/text index is damaged.*next checkpoint replaces/) },
    ]);
    await expectAsAnew(engine);
    await engine.checkpoint();
    expect((await engine.check()).problems).toEqual([]);
    const backup: Uint8Array[] = [];
    for await (const chunk of engine.backupStream()) backup.push(chunk.slice());
    const restored = await WorldsEngine.restore(Buffer.concat(backup), { textIndex: smallTextIndex() });
    await expectAsAnew(restored);
  });
});

/** A segment with other content and the checksum that fits. */
function sealed(segment: Uint8Array, change: (body: Buffer) => void): Uint8Array {
  const bytes = Buffer.from(segment);
  change(bytes.subarray(8, -4));
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return new Uint8Array(bytes);
}

describe('a stored text index that is wrong, although its checksums are right', () => {
  it('wherever a byte is other: it is not loaded, or check finds it, or it makes no difference', async () => {
    const contents = await filled(12);
    const { engine: whole } = await open(contents);
    const answers = await searchAnswers(whole, DAMAGE_QUERIES);
    const segments = segmentsOf(contents);
    const stride = Number(process.env['DAMAGE_STRIDE'] ?? 59);
    const outcomes = new Map<string, { refused: number; found: number; same: number }>();
    for (const name of textsIn(segments)) {
      const kind = name.split('-')[1];
      const counts = { refused: 0, found: 0, same: 0 };
      outcomes.set(kind, counts);
      const original = segments.get(name)!;
      // Behind the name of the segment.
      for (let at = 4 + 4 * Math.ceil(name.length / 4); at < original.length - 12; at += stride) {
        segments.set(
          name,
          sealed(original, (body) => {
            body[at] ^= 1 << (at % 8);
          }),
        );
        const where = `${name} at ${at}`;
        const { engine } = await open(contents, { onBackgroundError: () => undefined });
        const { problems } = await engine.check();
        if (engine.health().status === 'degraded') {
          counts.refused++;
          expect(engine.health().problems, where).toMatchObject([{ activity: 'loading' }]);
        } else if (problems.length > 0) counts.found++;
        else counts.same++;
        // After a check that found something, the index is built again.
        expect(await searchAnswers(engine, DAMAGE_QUERIES), where).toEqual(answers);
        const left = (await engine.check()).problems.filter(({ problem }) => !/^The stored text index/.test(problem));
        expect(left, where).toEqual([]);
      }
      segments.set(name, original);
    }
    expect(outcomes.get('postings')!.found).toBeGreaterThan(0);
    expect(outcomes.get('words')!.found).toBeGreaterThan(0);
    expect(outcomes.get('words')!.refused).toBeGreaterThan(0);
    expect(outcomes.get('documents')!.found).toBeGreaterThan(0);
    expect(outcomes.get('state')!.refused).toBeGreaterThan(0);
    // Only what is not read makes no difference: padding, and rows that no document has.
    for (const [kind, { refused, found, same }] of outcomes) expect(same, kind).toBeLessThan((refused + found) / 2);
  }, 600_000);

  it('of another moment: check finds it, and the next search builds the index', async () => {
    const contents = await filled();
    const older = new Map(segmentsOf(contents));
    const { engine } = await open(contents);
    await engine.write({ source: 'a', insert: [one(900, 'a heliotrope')] });
    await engine.search({ query: 'heliotrope' });
    await engine.checkpoint();
    const segments = segmentsOf(contents);
    // As if the state segment named the older index.
    const stateName = [...segments.keys()].find((name) => name.startsWith('state-'))!;
    const [texts, olderTexts] = [segments, older].map(
      (all) => textsIn(all).find((name) => name.startsWith('text-state-'))!,
    );
    segments.set(
      stateName,
      sealed(segments.get(stateName)!, (body) => {
        const at = body.indexOf(texts);
        expect(at).toBeGreaterThan(0);
        body.write(olderTexts, at);
      }),
    );
    for (const name of textsIn(older)) segments.set(name, older.get(name)!);
    const again = await open(contents);
    expect(await again.engine.search({ query: 'heliotrope', sources: ['a'] })).toEqual([]);
    expect((await again.engine.check()).problems).toEqual([
      { namespace: 'default', problem: 'The search index lacks the texts of 1 quads.' },
    ]);
    await expectAsAnew(again.engine);
  });
});

describe('the stored index equals a new one after any history', () => {
  const settings: [string, () => WorldsEngineOptions][] = [
    ['text', () => ({})],
    ['text and names', () => ({ fields: true })],
    ['text and vectors', () => ({ embedder: new BagOfWordsEmbedder() })],
  ];

  it.each(settings)(
    '%s',
    async (_, settingsOf) => {
      let restored = 0;
      for (let run = 0; run < RUNS; run++) {
        const random = new SeededRandom(1000 + run);
        let { engine, storage, contents, work } = await open(undefined, {
          ...settingsOf(),
          checkpointLogBytes: 40_000,
        });
        const slugs = ['a', 'b', 'c'];
        for (const slug of slugs) await engine.createWorld({ slug });
        const text = () => Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS)).join(' ');
        const some = () => one(random.below(60), text(), random.pick([undefined, undefined, 'de', 'fr', 'ja']));
        const steps: (() => Promise<unknown>)[] = [
          () => engine.write({ source: random.pick(slugs), insert: Array.from({ length: random.below(30) }, some) }),
          () => engine.write({ source: random.pick(slugs), insert: Array.from({ length: random.below(30) }, some) }),
          () => engine.import({ source: random.pick(slugs), data: Array.from({ length: 20 }, some), mode: 'replace' }),
          () =>
            engine.update({
              query: `DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(CONTAINS(?o, "${random.pick(WORDS)}")) }`,
              sources: [random.pick(slugs)],
            }),
          () => engine.update({ query: 'COPY DEFAULT TO <urn:g>', sources: [random.pick(slugs)] }),
          async () => {
            const slug = random.pick(slugs);
            await engine.deleteWorld({ source: slug });
            await engine.createWorld({ slug });
          },
          () => engine.search({ query: random.pick(QUERIES), sources: [random.pick(slugs)] }),
          () => engine.search({ query: random.pick(QUERIES) }),
          () => engine.checkpoint(),
          () => engine.checkpoint(),
          async () => {
            storage.checkpointFails = true;
            await engine.checkpoint().catch((error) => expect(error).toBeInstanceOf(BrokenDisk));
            storage.checkpointFails = false;
          },
          () => engine.compact({ forgetChanges: random.chance(0.5) }),
          async () => {
            // A crash, or a regular end.
            if (random.chance(0.5)) await engine.close();
            else storage.die();
            restored += work.restored;
            ({ engine, storage, contents, work } = await open(contents, {
              ...settingsOf(),
              checkpointLogBytes: 40_000,
            }));
          },
        ];
        for (let step = 0; step < 80; step++) {
          await random.pick(steps)();
          if (random.chance(0.08)) await expectAsAnew(engine, `run ${run}, step ${step}`, settingsOf());
          if (random.chance(0.05)) expect((await engine.check()).problems, `run ${run}, step ${step}`).toEqual([]);
        }
        await expectAsAnew(engine, `run ${run}`, settingsOf());
        expect((await engine.check()).problems).toEqual([]);
        expect(engine.health().problems).toEqual([]);
        restored += work.restored;
        await engine.close();
      }
      expect(restored).toBeGreaterThan(RUNS);
    },
    600_000,
  );
});
