import { writeFile } from 'node:fs/promises';
import { compileSignScan, GENERATED } from './compile-sign-scan.ts';

/**
 * Compiles the scan over sign codes again: `npx tsx packages/core/scripts/write-sign-scan.ts`,
 * after a change of `assembly/sign-scan.ts`.
 */
await writeFile(GENERATED, await compileSignScan());
