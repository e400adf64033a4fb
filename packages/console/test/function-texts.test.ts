import { expect, it } from 'vitest';
import { FUNCTIONS } from '../../core/src/sparql/expressions/function-table.ts';
import { FUNCTION_TEXTS } from '../app/editor/function-texts.ts';

const AGGREGATES = ['AVG', 'COUNT', 'GROUP_CONCAT', 'MAX', 'MIN', 'SAMPLE', 'SUM'];

it('the editor describes every function of the engine, and no other', () => {
  const functions = [...FUNCTIONS.keys()].filter((name) => /^[A-Z_0-9]+$/.test(name) && name !== 'IN');
  expect([...FUNCTION_TEXTS.keys()]).toEqual([...functions, ...AGGREGATES].sort());
});

it.each([...FUNCTION_TEXTS])('%s is described with its number of arguments', (name, { parameters, text }) => {
  expect(text).toMatch(/^[A-Z].*\.$/);
  const row = FUNCTIONS.get(name);
  if (!row) return;
  const count = (list: string) => list.split(',').filter((each) => each.trim() !== '' && !each.includes('…')).length;
  const most = parameters.includes('…') ? Number.POSITIVE_INFINITY : count(parameters);
  const least = parameters.includes('…') ? 0 : count(parameters.replace(/\[.*\]/, ''));
  expect([least, most]).toEqual([row.minArguments, row.maxArguments]);
});
