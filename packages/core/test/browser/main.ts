import { browserFiles, ROOMS } from './build-suites.ts';
import { NEEDS_NODE } from './needs-node.ts';
import { runSuites } from './run-suites.ts';

/** Runs the tests of {@link ROOMS} in Chromium; arguments select files by parts of their paths. */
const selected = process.argv.slice(2);
const files = browserFiles().filter((file) => selected.length === 0 || selected.some((part) => file.includes(part)));
let passed = 0;
let failed = 0;
let skipped = 0;
await runSuites(files, (file, result) => {
  passed += result.passed;
  failed += result.failures.length;
  skipped += result.skipped.length;
  console.log(`${file}: ${result.passed} passed, ${result.failures.length} failed, ${result.skipped.length} skipped`);
  for (const name of result.skipped) console.log(`  skipped: ${name}`);
  for (const { test, message } of result.failures)
    console.error(`  ${test}\n    ${message.replaceAll('\n', '\n    ')}`);
});
for (const [file, reason] of NEEDS_NODE) if (selected.length === 0) console.log(`${file}: not run, ${reason}`);
console.log(`${ROOMS.join(', ')} in Chromium: ${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
