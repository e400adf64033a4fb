import { WorldsEngine } from '@rdf-worlds/core';
import { describe, expect, it } from 'vitest';
import { ACADEMIC, academicLines } from '../src/academic-data.ts';
import { COLLECTION_JOINS } from '../src/collection-joins.ts';
import type { CursorJoin } from '../src/cursor-join.ts';
import { CursorJoinEngine } from '../src/cursor-join-engine.ts';
import { countNaively } from './naive-join.ts';

const lines = [...academicLines({ seed: 13, quads: 6000 })];

const OTHER_JOINS: readonly CursorJoin[] = [
  { name: 'a scan', patterns: [['?s', '?p', '?o']] },
  { name: 'one constant triple', patterns: [lines[0].slice(1, -4).split('> <') as [string, string, string]] },
  {
    name: 'a product',
    patterns: [
      ['?a', `${ACADEMIC}partOf`, '?b'],
      ['?c', `${ACADEMIC}worksFor`, '?d'],
    ],
  },
  {
    name: 'a triangle',
    patterns: [
      ['?s', `${ACADEMIC}advisor`, '?p'],
      ['?c', `${ACADEMIC}taughtBy`, '?p'],
      ['?s', `${ACADEMIC}takes`, '?c'],
    ],
  },
  {
    name: 'a literal',
    patterns: [
      ['?s', `${ACADEMIC}name`, '?name'],
      ['?s', '?p', '?name'],
    ],
  },
  { name: 'an unknown term', patterns: [['?s', 'https://nowhere.example/', '?o']] },
  {
    name: 'an unknown literal later on',
    patterns: [
      ['?s', `${ACADEMIC}partOf`, '?o'],
      ['?s', '?p', '"no such text"'],
    ],
  },
];

describe('joins on cursors', async () => {
  const joins = [...COLLECTION_JOINS, ...OTHER_JOINS];
  const sparql = new CursorJoinEngine(joins);
  const engine = await WorldsEngine.open({ sparql, textIndex: null });
  await engine.createWorld({ slug: 'all' });
  await engine.import({ source: 'all', data: lines.join('') });

  it.each(joins)('$name: finds as many solutions as a naive join', async (join) => {
    const expected = countNaively(lines, join);
    expect(await engine.ask({ query: join.name })).toBe(expected > 0);
    expect(sparql.takeRun().solutions).toBe(expected);
  });

  it('have solutions, except for those with unknown terms', () => {
    const empty = joins.filter((join) => countNaively(lines, join) === 0).map(({ name }) => name);
    expect(empty.filter((name) => !name.startsWith('an unknown'))).toEqual([]);
    expect(empty.length).toBe(2);
  });

  it('reject a variable that occurs twice in a pattern, and an unknown join', async () => {
    const twice = new CursorJoinEngine([{ name: 'twice', patterns: [['?x', '?p', '?x']] }]);
    await using other = await WorldsEngine.open({ sparql: twice, textIndex: null });
    await expect(other.ask({ query: 'twice' })).rejects.toThrow('twice in one pattern');
    await expect(other.ask({ query: 'thrice' })).rejects.toMatchObject({ code: 'INVALID_SPARQL' });
  });

  it('report each run once', async () => {
    await engine.ask({ query: 'a scan' });
    sparql.takeRun();
    expect(() => sparql.takeRun()).toThrow('No join was evaluated');
  });
});
