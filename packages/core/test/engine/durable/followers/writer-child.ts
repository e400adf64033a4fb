import { writeSync } from 'node:fs';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { changeTo, stateOf, WINDOW } from './counted-world.ts';

// writer-child DIRECTORY COMMITS_A_SECOND: opens the directory and counts on in the world `w`, from
// where it stands, until it is killed or its input ends. Says each number that was acknowledged.
const [path, rate] = process.argv.slice(2);
const engine = await WorldsEngine.open({
  storage: fileStorage({ path, maxLogFileBytes: 1 << 16 }),
  embedder: null,
  checkpointLogBytes: 1 << 16,
  retainChangesMs: 0,
});
if (!(await engine.getWorld({ source: 'w' }))) await engine.createWorld({ slug: 'w' });
let { counter } = await stateOf(engine);
let isOver = false;
process.stdin.resume().on('end', () => {
  isOver = true;
});
const startMs = performance.now();
for (let commits = 0; !isOver; commits++) {
  const dueMs = startMs + (commits * 1000) / Number(rate);
  if (dueMs > performance.now()) await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
  counter++;
  await engine.write({ source: 'w', ...changeTo(counter) });
  writeSync(1, `${counter}\n`);
  if (counter % (4 * WINDOW) === 0) await engine.compact({ forgetChanges: true });
}
await engine.close();
writeSync(1, 'closed\n');
