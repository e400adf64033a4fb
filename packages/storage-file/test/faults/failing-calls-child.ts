import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { WorldsError } from '@rdf-worlds/core';
import { nodeFileSystem } from '@rdf-worlds/storage-file';
import type { FailingJob, FailingOutcome } from './failing-calls.ts';
import { Life } from './life.ts';

// failing-calls-child CONTROL JOBS: lives of storages, one after the other, in which the call that
// each job names fails. Prints what each must have left; the last one ends by a kill.
const [controlPath, jobs] = process.argv.slice(2);
const control = openSync(controlPath, 'r+');

/** Writes fields of `struct control` of failing-calls.c, from a byte offset on. */
function setControl(offset: number, ...values: number[]): void {
  writeSync(control, Buffer.from(Uint32Array.from(values).buffer), 0, 4 * values.length, offset);
}

function outcomeOf(job: FailingJob, life: Life): FailingOutcome {
  const bytes = Buffer.alloc(64);
  readSync(control, bytes, 0, bytes.byteLength, 0);
  return {
    path: job.path,
    calls: bytes.readUInt32LE(12),
    faults: bytes.readUInt32LE(16),
    fault: bytes.toString('latin1', 20).split('\0')[0],
    possible: [...life.models].map(([name, model]) => [name, model.possible]),
  };
}

/** Closing may fail with the call, as a failure of ours. */
function refused(error: unknown): void {
  if (!(error instanceof WorldsError)) throw error;
}

for (const job of JSON.parse(jobs) as FailingJob[]) {
  setControl(0, 0, job.failAt, job.kind, 0, 0, 0);
  const quietly = async <T>(check: () => Promise<T>): Promise<T> => {
    setControl(0, 0);
    try {
      return await check();
    } finally {
      setControl(0, 1);
    }
  };
  const life = new Life({ fileSystem: nodeFileSystem, path: job.path, seed: job.seed, quietly });
  try {
    setControl(0, 1);
    await life.run(job.operations);
    if (!job.isKilled) await life.close().catch(refused);
    setControl(0, 0);
    console.log(JSON.stringify(outcomeOf(job, life)));
    if (job.isKilled) process.kill(process.pid, 'SIGKILL');
  } catch (error) {
    setControl(0, 0);
    console.log(JSON.stringify({ ...outcomeOf(job, life), failure: (error as Error).stack }));
    process.exit(1);
  }
}
closeSync(control);
