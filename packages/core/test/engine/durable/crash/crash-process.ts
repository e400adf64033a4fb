import { writeSync } from 'node:fs';
import { fileStorage } from '@rdf-worlds/storage-file';
import { WorldsEngine } from '../../../../src/index.ts';
import { type Lines, stepOf, WORKERS } from './crash-program.ts';

/** Works until it is killed. Arguments: the directory, the seed, and for each worker the number of its next step and whether its world is there. */
const [path, seed, ...starts] = process.argv.slice(2);

const say = (line: string) => writeSync(1, `${line}\n`);

const engine = await WorldsEngine.open({
  storage: fileStorage({ path, maxLogFileBytes: 100_000 }),
  textIndex: null,
  checkpointLogBytes: 150_000,
});
say('ready');
await Promise.all(
  WORKERS.map(async (source, worker) => {
    const [next, isThere] = starts[worker].split(':').map(Number);
    let lines: Lines = isThere ? new Set() : null;
    for (let n = next; ; n++) {
      const step = stepOf(Number(seed), worker, n);
      say(`begin ${worker} ${n}`);
      await step.run(engine, source, lines);
      // What is written here was acknowledged, whatever becomes of the process.
      say(`done ${worker} ${n}`);
      lines = step.apply(lines);
      if (n % 40 === 0) await engine.checkpoint({ namespace: source.split('/')[0] });
    }
  }),
);
