import { openSync, writeSync } from 'node:fs';
import { nodeFileSystem } from '@rdf-worlds/storage-file';
import { driverProgram } from './power-cut/driver-program.ts';
import { steppedFileSystem } from './stepped-file-system.ts';

// kill-child DIRECTORY MARKS SEED [STEP MOMENT COUNT]: works on the storage in DIRECTORY and
// appends its requests and their acknowledgements to the file MARKS, one per line. It kills itself
// when it reaches STEP for the COUNT-th time; without STEP, it works until it is killed.
const [directory, marksFile, seed, stepName, moment, count] = process.argv.slice(2);
const marks = openSync(marksFile, 'a');
let left = Number(count);
const fileSystem = stepName
  ? steppedFileSystem(nodeFileSystem, (step) => {
      if (step.name === stepName && step.moment === moment && --left === 0) process.kill(process.pid, 'SIGKILL');
    })
  : nodeFileSystem;
console.log('begins');
await driverProgram(Number(seed), fileSystem, (mark) => writeSync(marks, `${JSON.stringify(mark)}\n`), {
  path: directory,
  rounds: stepName ? 4 : 1000,
  steps: 5,
  goesOn: true,
});
