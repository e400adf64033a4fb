/**
 * One requirement of a contract. `run` resolves if it is met and rejects with an AssertionError
 * otherwise.
 */
export interface ContractCase {
  /** The requirement in words: the title of the test. */
  readonly name: string;
  /** Checks the requirement. */
  run(): Promise<void>;
}

/** Registers the cases with a test runner: `it` of vitest, jest or mocha, `test` of node:test. */
export function registerContract(
  cases: readonly ContractCase[],
  it: (name: string, run: () => Promise<void>) => unknown,
): void {
  for (const { name, run } of cases) it(name, run);
}
