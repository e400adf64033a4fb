#!/usr/bin/env node
import { run } from './run.ts';

// An error on a pipe that nobody reads is met where it is written; Node would end the process for
// it.
process.stdout.on('error', () => {});
// Not process.exit: what is still on its way to a pipe would be lost.
process.exitCode = await run(process.argv.slice(2));
