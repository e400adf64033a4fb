import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startServer } from './running-server.ts';

// Serves in a process of its own, and tells its memory when it is asked: `fork` this file.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const server = await startServer();
await server.engine.createWorld({ slug: 'ada', namespace: 'alpha' });
process.on('message', async () => {
  process.send!({ rss: await settledRss() });
});
process.on('disconnect', () => process.exit(0));
process.send!({ port: server.port });

/**
 * V8 sweeps, and gives pages back, on other threads: what counts is the least after several
 * collections.
 */
async function settledRss(): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    collectGarbage();
    await sleep(30);
    least = Math.min(least, process.memoryUsage().rss);
  }
  return least;
}
