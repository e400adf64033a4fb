import { openSync, writeFileSync, writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { steppedFileSystem } from '../../../../../storage-file/test/stepped-file-system.ts';
import { WorldsEngine } from '../../../../src/index.ts';
import { smallTextIndex } from '../small-text-index.ts';
import { takeBackups } from './crash-backups.ts';
import { followAll } from './crash-feed.ts';
import { acknowledgedLine, backupPath, type CrashJob, type CrashMark } from './crash-job.ts';
import { makeShared, stepOf, WORKERS } from './crash-program.ts';

// crash-process JOB: opens an engine and works until it is killed, by itself when it comes to the
// step of its job, or by others. What it begins and what was acknowledged it appends to the file of
// marks, line by line.
const {
  path,
  marksPath,
  seed,
  scale,
  starts,
  steps,
  killAt,
  storage,
  engine: options,
}: CrashJob = JSON.parse(process.argv[2]);
const marks = openSync(marksPath, 'a');
const mark = (one: CrashMark) => writeSync(marks, `${JSON.stringify(one)}\n`);

let left = killAt?.count ?? 0;
const fileSystem = killAt
  ? steppedFileSystem(nodeFileSystem, ({ name, moment }) => {
      if ((killAt.name ?? name) === name && moment === killAt.moment && --left === 0)
        process.kill(process.pid, 'SIGKILL');
    })
  : nodeFileSystem;

console.log('begins');
const { textIndex, ...rest } = options;
const engine = await WorldsEngine.open({
  storage: fileStorage({ path, fileSystem, ...storage }),
  ...rest,
  // Checkpoints contain the index of every namespace that was searched.
  textIndex: textIndex ? smallTextIndex() : null,
});
if (steps === 0) {
  const namespaces = await engine.listNamespaces();
  await Promise.all(namespaces.map((namespace) => engine.listWorlds({ namespace })));
  await engine.checkpoint();
  await engine.close();
  process.exit(0);
}
await makeShared(engine);
mark({ is: 'shared' });
console.log('works');

let acknowledged = 0;
async function work(source: string, worker: number): Promise<void> {
  const [namespace] = source.split('/');
  let { next, isThere } = starts[worker];
  for (const end = next + steps; next < end; next++) {
    const step = stepOf(seed, worker, next, scale);
    mark({ is: 'begun', worker });
    const revision = await step.run(engine, source, isThere);
    // What is written here was acknowledged, whatever becomes of the process.
    mark({ is: 'done', worker, revision });
    console.log(acknowledgedLine(++acknowledged));
    isThere = revision > 0;
    if (next % 17 === 16) await engine.checkpoint({ namespace });
    if (next % 13 === 12) await engine.compact({ namespace });
    if (textIndex && next % 11 === 10) await engine.search({ query: 'group7', namespace });
  }
}

let isOver = false;
const beside = { mark, pause: () => wait(1), isOver: () => isOver };
const following = followAll(engine, beside);
const backingUp = takeBackups(engine, {
  ...beside,
  keep: (number, bytes) => writeFileSync(backupPath(marksPath, number), bytes),
  count: 1000,
});
await Promise.all(WORKERS.map(work));
isOver = true;
await backingUp;
await engine.close();
await following;
