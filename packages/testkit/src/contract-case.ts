/**
 * One promise of a contract: resolves when it is kept, rejects with an AssertionError when it is
 * not.
 */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Registers the cases with a test runner: `it` of vitest, jest or mocha, `test` of node:test. */
export function registerContract(
  cases: readonly ContractCase[],
  it: (name: string, run: () => Promise<void>) => unknown,
): void {
  for (const { name, run } of cases) it(name, run);
}
