import assert from 'node:assert/strict';
import { append, checkpointText, type StorageProbe, segment, textsOf } from './storage-probe.ts';

type Case = (name: string, test: (probe: StorageProbe) => Promise<void>) => void;

/** Distinct names that a driver cannot use unescaped. */
const ODD_NAMES: readonly string[] = [
  '',
  ' ',
  '.',
  '..',
  '...',
  '-',
  '_',
  'a',
  'A',
  'a.',
  'a ',
  ' a',
  'con',
  'CON',
  'Con.txt',
  'nul',
  'lpt1',
  'a/b',
  '/',
  '../up',
  'a\\b',
  'C:\\',
  'a%2Fb',
  'a%2fb',
  '%',
  'a\u0000b',
  'line\nbreak',
  '*?"<>|:',
  "quote'",
  '$x',
  'lock',
  'manifest',
  '__proto__',
  'constructor',
  'caf\u00e9',
  'cafe\u0301',
  'ß',
  'SS',
  'İ',
  'ı',
  '名前空間',
  '🦉',
  '\ud83e',
  '\udd89',
  'x'.repeat(128),
  'X'.repeat(128),
  `${'x'.repeat(127)}y`,
  '名'.repeat(128),
  '/'.repeat(128),
];

/** Cases for multiple namespaces and their names. */
export function namespaceCases(it: Case): void {
  it('lists the namespaces that were written to and not dropped', async (probe) => {
    for (const name of ['a', 'b', 'c']) await append(probe.namespace(name), name);
    await probe.namespace('asked').head();
    assert.deepEqual(await probe.namespaces(), ['a', 'b', 'c']);
    await probe.namespace('b').drop();
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await probe.namespaces(), ['a', 'c']);
      assert.deepEqual(await textsOf(probe.namespace('c')), ['c']);
      await probe.reopen();
    }
  });

  it('any name is valid, and each names a different namespace', async (probe) => {
    await Promise.all(ODD_NAMES.map((name, at) => append(probe.namespace(name), `${at} of ${name.length}`)));
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(await probe.namespaces(), [...ODD_NAMES].sort());
      for (const [at, name] of ODD_NAMES.entries())
        assert.deepEqual(await textsOf(probe.namespace(name)), [`${at} of ${name.length}`], JSON.stringify(name));
      await probe.reopen();
    }
    for (const name of ODD_NAMES) await probe.namespace(name).drop();
    assert.deepEqual(await probe.namespaces(), []);
  });

  it('many namespaces keep their data apart', async (probe) => {
    const names = Array.from({ length: 150 }, (_, at) => `namespace-${at}`);
    const heads = await Promise.all(names.map((name) => append(probe.namespace(name), `${name} a`)));
    assert.equal(new Set(heads.map(({ incarnation }) => incarnation)).size, names.length);
    await Promise.all(names.map((name, at) => probe.namespace(name).writeCheckpoint(heads[at], [segment('s', name)])));
    await Promise.all(names.map((name) => append(probe.namespace(name), `${name} b`)));
    await probe.reopen();
    assert.deepEqual(await probe.namespaces(), [...names].sort());
    for (const name of names) {
      assert.deepEqual(await textsOf(probe.namespace(name)), [`${name} a`, `${name} b`]);
      assert.equal(await checkpointText(probe.namespace(name)), `1: s=${name}`);
    }
  });

  it('a drop deletes records, checkpoint and head of its namespace only', async (probe) => {
    for (const name of ['n', 'N'])
      await probe.namespace(name).writeCheckpoint(await append(probe.namespace(name), name), [segment('s', name)]);
    await probe.namespace('n').drop();
    for (let round = 0; round < 2; round++) {
      assert.equal((await probe.namespace('n').head()).position, 0);
      assert.deepEqual(await textsOf(probe.namespace('n')), []);
      assert.equal(await probe.namespace('n').checkpoint(), undefined);
      assert.deepEqual(await probe.namespace('n').stats(), {
        logBytes: 0,
        logRecords: 0,
        segmentBytes: 0,
        segments: 0,
      });
      assert.equal(await checkpointText(probe.namespace('N')), '1: s=N');
      await probe.reopen();
    }
  });

  it('dropping a missing namespace does nothing, however often', async (probe) => {
    await probe.namespace('never').drop();
    await append(probe.namespace('n'), 'a');
    await Promise.all([probe.namespace('n').drop(), probe.namespace('n').drop()]);
    await probe.namespace('n').drop();
    assert.deepEqual(await probe.namespaces(), []);
  });

  it('a namespace can be created and dropped many times', async (probe) => {
    const incarnations = new Set<string>();
    for (let turn = 0; turn < 10; turn++) {
      const head = await append(probe.namespace(), `${turn}`);
      incarnations.add(head.incarnation);
      assert.deepEqual(await textsOf(probe.namespace()), [`${turn}`]);
      if (turn % 3 === 0) await probe.reopen();
      await probe.namespace().drop();
      if (turn % 2 === 0) await probe.reopen();
    }
    assert.equal(incarnations.size, 10);
    assert.deepEqual(await probe.namespaces(), []);
  });

  it('an append in flight during a drop is not in a later incarnation', async (probe) => {
    const head = await append(probe.namespace(), 'a');
    const appending = append(probe.namespace(), 'b').catch(() => undefined);
    await probe.namespace().drop();
    await appending;
    await probe.namespace().drop();
    await append(probe.namespace(), 'c');
    await probe.reopen();
    assert.deepEqual(await textsOf(probe.namespace()), ['c']);
    assert.notEqual((await probe.namespace().head()).incarnation, head.incarnation);
  });

  it('reports the size of its data', async (probe) => {
    const head = await append(probe.namespace(), 'x'.repeat(1000), 'y'.repeat(1000));
    await probe
      .namespace()
      .writeCheckpoint({ ...head, position: 1 }, [segment('s', 'z'.repeat(3000)), segment('t', '')]);
    for (let round = 0; round < 2; round++) {
      const stats = await probe.namespace().stats();
      assert.equal(stats.logRecords, 2);
      assert.equal(stats.segments, 2);
      assert.ok(stats.logBytes >= 2000, `${stats.logBytes} bytes for 2000 of records`);
      assert.ok(stats.segmentBytes >= 3000, `${stats.segmentBytes} bytes for 3000 of segments`);
      await probe.reopen();
    }
    await probe.namespace().truncate({ ...head, position: 1 });
    assert.equal((await probe.namespace().stats()).logRecords, 1);
    await probe.reopen();
    assert.equal((await probe.namespace().stats()).logRecords, 1);
  });
}
