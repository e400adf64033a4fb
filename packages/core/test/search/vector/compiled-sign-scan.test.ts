import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compileSignScan, GENERATED } from '../../../scripts/compile-sign-scan.ts';

it('the module in the sources equals its compiled source', async () => {
  expect(readFileSync(GENERATED, 'utf8'), 'run: npx tsx packages/core/scripts/write-sign-scan.ts').toBe(
    await compileSignScan(),
  );
});
