#!/usr/bin/env node
import { run } from './run.ts';

// A broken pipe is handled at the write that fails; without this listener, Node would end the
// process.
process.stdout.on('error', () => {});
// process.exit would discard output still pending on a pipe.
process.exitCode = await run(process.argv.slice(2));
