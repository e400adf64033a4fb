import { describe, expect, it } from 'vitest';
import { meanRatio, ratioOf } from '../../src/sparql/ratio.ts';
import type { PeerLaps, TaskResult } from '../../src/sparql/task-rounds.ts';
import { lossTable, meanTable, taskTable } from '../../src/sparql/task-tables.ts';
import { fakePeer } from './fake-peer.ts';

const laps = (...cpuMs: number[]): PeerLaps => cpuMs.map((ms) => ({ cpuMs: ms, wallMs: 2 * ms }));
const result = (name: string, ...peers: PeerLaps[]): TaskResult => ({
  task: { name, anyRows: name === 'any' },
  laps: peers,
  answers: peers.map(() => ({ rows: 1200, chars: 34_567 })),
});

const RESULTS = [
  result('twice', laps(1, 2, 3), laps(2, 4, 6)),
  result('eight times', laps(1, 1, 1), laps(8, 8, 80)),
  result('a thousand times', laps(1, 1, 1), laps(1000, 1000, 1000)),
  result('unanswered', laps(1, 1, 1), 'no answer'),
];

describe('ratios', () => {
  it('are computed for each round', () => {
    expect(ratioOf(result('x', laps(1, 10), laps(3, 20)), 1, 'cpuMs')).toEqual({
      count: 2,
      min: 2,
      median: 2.5,
      max: 3,
    });
    expect(ratioOf(RESULTS[1], 1, 'wallMs')).toMatchObject({ min: 8, median: 8, max: 80 });
  });

  it.each(['no answer', 'shared store'] as const)('are undefined for a peer with: %s', (none) => {
    expect(ratioOf(result('x', laps(1), none), 1, 'cpuMs')).toBeUndefined();
  });

  it('are capped at 100 in the mean, which counts answered tasks only', () => {
    const mean = meanRatio(RESULTS, 1, 'cpuMs')!;
    expect(mean.mean).toBeCloseTo((2 * 8 * 100) ** (1 / 3), 10);
    expect(mean).toMatchObject({ count: 3, least: 2, leastOf: 'twice' });
    expect(meanRatio([RESULTS[3]], 1, 'cpuMs')).toBeUndefined();
  });
});

describe('tables', () => {
  const peers = [fakePeer('RDF Worlds'), fakePeer('Other')];

  it('have a row for each task and a column for each peer', () => {
    const { columns, rows } = taskTable('CPU', [...RESULTS, result('any', laps(1), 'shared store')], peers, 'cpuMs');
    expect(columns).toEqual(['', 'rows', 'characters', 'RDF Worlds', 'Other', 'ratio']);
    expect(rows).toEqual([
      ['twice', '1,200', '34,567', '2.00 (1.00-3.00)', '4.00 (2.00-6.00)', '2.00 (2.00-2.00)'],
      ['eight times', '1,200', '34,567', '1.00 (1.00-1.00)', '8.00 (8.00-80.00)', '8.00 (8.00-80.00)'],
      ['a thousand times', '1,200', '34,567', '1.00 (1.00-1.00)', '1,000 (1,000-1,000)', '1,000 (1,000-1,000)'],
      ['unanswered', '1,200', '34,567', '1.00 (1.00-1.00)', '-', ''],
      ['any', '1,200', 'any', '1.00 (1.00-1.00)', '', ''],
    ]);
  });

  it('list the losses of warm and first laps, worst first', () => {
    const round = (name: string, warm: number, first: number) => ({
      ...result(name, laps(1), laps(warm)),
      firstLaps: [laps(1), laps(first)],
    });
    const { columns, rows } = lossTable([round('a', 0.9, 2), round('b', 3, 0.5), round('c', 1, 1)], peers);
    expect(rows.map((row) => [...row.slice(0, 3), row[5]])).toEqual([
      ['b', 'first', 'Other', '0.500 (0.500-0.500)'],
      ['a', 'warm', 'Other', '0.900 (0.900-0.900)'],
    ]);
    for (const row of rows) expect(row.length).toBe(columns.length);
    expect(lossTable([round('c', 1, 1)], peers).title).toBe('Losses: CPU, ms (none)');
  });

  it('have a row of means for each other peer', () => {
    const { columns, rows } = meanTable(RESULTS, peers);
    expect(rows).toEqual([['Other', '3', '11.70', '2.00 (twice)', '11.70', '2.00 (twice)']]);
    expect(columns.length).toBe(rows[0].length);
    expect(meanTable([RESULTS[3]], peers).rows).toEqual([['Other', '0', '-', '-', '-', '-']]);
  });
});
