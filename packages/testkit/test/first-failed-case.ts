import type { ContractCase } from '../src/index.ts';

/**
 * Returns the name of the first case that fails, or undefined if all pass. Later cases do not run,
 * because one failure is enough to notice a defect.
 */
export async function firstFailedCase(cases: readonly ContractCase[]): Promise<string | undefined> {
  for (const { name, run } of cases) {
    const passed = await run().then(
      () => true,
      () => false,
    );
    if (!passed) return name;
  }
  return undefined;
}
