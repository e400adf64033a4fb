import { expectIsomorphic } from './dataset-comparison.ts';
import { describeRowDifference, Mismatch } from './mismatch.ts';
import { numberByValue } from './number-by-value.ts';
import type { QueryAnswer } from './query-answer.ts';
import { rowsMatch } from './row-matching.ts';
import { appendTermCells, type CellRow } from './term-cells.ts';

/**
 * Throws a {@link Mismatch} unless the answers are the same: bags of solutions up to blank nodes,
 * sequences when `ordered`.
 */
export function expectSameAnswer(
  actual: QueryAnswer,
  expected: QueryAnswer,
  { ordered }: { readonly ordered: boolean },
): void {
  if (actual.type === 'boolean' && expected.type === 'boolean') {
    if (actual.value !== expected.value) throw new Mismatch(`expected ${expected.value}, got ${actual.value}`);
    return;
  }
  if (actual.type === 'quads' && expected.type === 'quads') {
    expectIsomorphic(actual.quads, expected.quads);
    return;
  }
  if (actual.type !== 'bindings' || expected.type !== 'bindings')
    throw new Mismatch(`expected an answer of type ${expected.type}, got ${actual.type}`);
  expectSameVariables(actual.variables, expected.variables);
  const { variables } = expected;
  expectSameRows(solutionRows(actual, variables), solutionRows(expected, variables), { ordered });
}

/**
 * Throws a {@link Mismatch} unless the variables are the same set (SPARQL 1.1 Query section
 * 18.2.4.4 projects a set).
 */
export function expectSameVariables(actual: readonly string[], expected: readonly string[]): void {
  const [got, wanted] = [actual, expected].map((names) => [...names].sort().join(' '));
  if (got !== wanted) throw new Mismatch(`expected the variables ${wanted}, got ${got}`);
}

/**
 * Throws a {@link Mismatch} unless the rows are the same up to their blank nodes.
 *
 * Decimals, doubles and floats compare by value: SPARQL does not say how a computed number is
 * spelt, and the suites themselves write "2.0E-1" in one file and "1050" in another for a double.
 * Integers, and all that is not a number, compare character by character.
 */
export function expectSameRows(
  actual: readonly CellRow[],
  expected: readonly CellRow[],
  { ordered }: { readonly ordered: boolean },
): void {
  // A position makes a sequence of a bag.
  const numbered = (rows: readonly CellRow[]) => (ordered ? rows.map((row, index) => [`${index}`, ...row]) : rows);
  const byValue = (rows: readonly CellRow[]) => numbered(rows.map((row) => row.map(numberByValue)));
  if (!rowsMatch(byValue(expected), byValue(actual))) throw new Mismatch(describeRowDifference(expected, actual));
}

/** One row of cells for each solution, in the order of the given variables. */
export function solutionRows(
  answer: Extract<QueryAnswer, { type: 'bindings' }>,
  variables: readonly string[],
): CellRow[] {
  return answer.solutions.map((solution) => {
    const cells: string[] = [];
    for (const variable of variables) appendTermCells(solution.get(variable), cells);
    return cells;
  });
}
