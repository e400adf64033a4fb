import { describe, expect, it } from 'vitest';
import { measureTasks } from '../../src/sparql/task-rounds.ts';
import { fakePeer, fakeStore, fakeTask, workload } from './fake-peer.ts';

const settings = { rounds: 2, warmMs: 0, lapMs: 0 };
const quiet = () => undefined;
const right = { rows: 3, chars: 12 };

describe('tasks in rounds', () => {
  it('run on every peer in rotating order, cold and warm, with one extra round that is not counted', async () => {
    const task = fakeTask('task', () => right);
    const peers = [fakePeer('a'), fakePeer('b'), fakePeer('c')];
    const [result] = await measureTasks([task], peers, settings, quiet);
    expect(task.asked.join(' ')).toBe('a a b b c c b b c c a a c c a a b b');
    expect(result.laps.map((laps) => laps.length)).toEqual([2, 2, 2]);
    expect(result.firstLaps.map((laps) => laps.length)).toEqual([2, 2, 2]);
    expect(result.answers).toEqual([right, right, right]);
  });

  it('that concern a store run once for the peers that share it', async () => {
    const store = fakeStore();
    const peers = [fakePeer('a'), fakePeer('b', { store }), fakePeer('c', { store })];
    const task = fakeTask('dump', () => right, { kind: 'store' });
    const [result] = await measureTasks([task], peers, settings, quiet);
    expect(new Set(task.asked)).toEqual(new Set(['a', 'b']));
    expect(result.laps[2]).toBe('shared store');
  });

  it('report every answer that differs from the first peer', async () => {
    const peers = [fakePeer('a'), fakePeer('b')];
    const wrong = (name: string) => fakeTask(name, (peer) => (peer.name === 'b' ? { rows: 4, chars: 12 } : right));
    const tasks = [wrong('one'), fakeTask('two', () => right), wrong('three')];
    await expect(measureTasks(tasks, peers, settings, quiet)).rejects.toThrow(
      'The answers differ.\none: b 4 rows of 12 characters, a 3 rows of 12 characters\nthree: b 4 rows',
    );
  });

  it('report an answer that all peers share but that is not the expected one', async () => {
    const expecting = { ...workload, expected: new Map([['task', { rows: 3, chars: 13 }]]) };
    const peers = [fakePeer('a', { workload: expecting }), fakePeer('b', { workload: expecting })];
    await expect(measureTasks([fakeTask('task', () => right)], peers, settings, quiet)).rejects.toThrow(
      'task: a 3 rows of 12 characters, expected 3 rows of 13 characters',
    );
  });

  it('report an answer that changes in a later round', async () => {
    const task = fakeTask('task', (_, run) => ({ rows: run < 4 ? 3 : 2, chars: 12 }));
    await expect(measureTasks([task], [fakePeer('a')], settings, quiet)).rejects.toThrow('task: a 2 rows');
  });

  it('compare characters only if the rows are determined', async () => {
    const answer = (peer: { name: string }) => ({ rows: 3, chars: peer.name === 'a' ? 1 : 2 });
    const peers = [fakePeer('a'), fakePeer('b')];
    const any = fakeTask('task', answer, { anyRows: true });
    expect((await measureTasks([any], peers, settings, quiet)).length).toBe(1);
    await expect(measureTasks([fakeTask('task', answer)], peers, settings, quiet)).rejects.toThrow('differ');
  });

  it('do not compare characters if products spell values differently', async () => {
    const dataset = { name: 'x', kinds: [], entities: () => [] };
    const peer = (name: string) => fakePeer(name, { workload: spelt });
    const spelt = { ...workload, input: { ...workload.input, dataset } };
    const task = fakeTask('task', ({ name }) => ({ rows: 3, chars: name.length }));
    expect((await measureTasks([task], [peer('a'), peer('bc')], settings, quiet)).length).toBe(1);
    const rows = fakeTask('task', ({ name }) => ({ rows: name.length, chars: 3 }));
    await expect(measureTasks([rows], [peer('a'), peer('bc')], settings, quiet)).rejects.toThrow('differ');
  });

  it('skip a peer that they are not for', async () => {
    const task = fakeTask('task', () => right, { isFor: ({ name }) => name !== 'b' });
    const [result] = await measureTasks([task], [fakePeer('a'), fakePeer('b')], settings, quiet);
    expect(result.laps[1]).toBe('not asked');
    expect(new Set(task.asked)).toEqual(new Set(['a']));
  });

  it('do not compare peers of different workloads', async () => {
    const task = fakeTask('task', (peer) => ({ rows: peer.name.length, chars: 0 }));
    const peers = [fakePeer('a'), fakePeer('long', { workload: { ...workload } })];
    const [{ answers }] = await measureTasks([task], peers, settings, quiet);
    expect(answers.map((answer) => answer!.rows)).toEqual([1, 4]);
  });

  it('skip a peer after it gave no answer', async () => {
    const task = fakeTask('task', (peer) => (peer.name === 'b' ? undefined : right));
    const [result] = await measureTasks([task], [fakePeer('a'), fakePeer('b')], settings, quiet);
    expect(result.laps[1]).toBe('no answer');
    expect(result.answers).toEqual([right, undefined]);
    expect(task.asked.filter((name) => name === 'b').length).toBe(1);
  });

  it('report which peer failed at which task', async () => {
    const task = fakeTask('star', (peer) => {
      if (peer.name === 'b') throw new Error('out of memory');
      return right;
    });
    const measuring = measureTasks([task], [fakePeer('a'), fakePeer('b')], settings, quiet);
    await expect(measuring).rejects.toMatchObject({ message: 'star: b failed.', cause: { message: 'out of memory' } });
  });

  it('must not change the number of quads', async () => {
    let quads = 10;
    const peer = fakePeer('a', { store: fakeStore(() => quads) });
    const task = fakeTask('task', () => {
      quads++;
      return right;
    });
    await expect(measureTasks([task], [peer], settings, quiet)).rejects.toThrow('hold 16 quads, before them 10');
  });
});
