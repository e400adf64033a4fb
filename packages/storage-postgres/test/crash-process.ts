import { openSync, writeSync } from 'node:fs';
import { WorldsEngine } from '@rdf-worlds/core';
import { SeededRandom } from '@rdf-worlds/testkit';
import pg from 'pg';
import { postgresStorage } from '../src/index.ts';
import { type CrashJob, type CrashMark, updateOfStep } from './crash-job.ts';

// crash-process JOB: opens an engine and works until it is killed. What it begins and what was
// acknowledged it appends to the file of marks, line by line.
const { address, schema, marksPath, seed, worlds, starts }: CrashJob = JSON.parse(process.argv[2]);
const marks = openSync(marksPath, 'a');
const mark = (one: CrashMark) => writeSync(marks, `${JSON.stringify(one)}\n`);

const random = new SeededRandom(seed);
const pool = new pg.Pool(address);
const engine = await WorldsEngine.open({ storage: postgresStorage({ pool, schema }), checkpointLogBytes: 5000 });
for (const source of worlds) {
  if (!(await engine.getWorld({ source }))) {
    const [namespace, slug] = source.split('/');
    await engine.createWorld({ namespace, slug });
  }
}
console.log('works');

await Promise.all(
  worlds.map(async (source, worker) => {
    for (let step = starts[worker]; ; step++) {
      mark({ is: 'begun', worker, step });
      await engine.update({ sources: [source], query: updateOfStep(step) });
      mark({ is: 'done', worker, step });
      if (random.below(20) === 0) await engine.compact({ namespace: source.split('/')[0] });
    }
  }),
);
