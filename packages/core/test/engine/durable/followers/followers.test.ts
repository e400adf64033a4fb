import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { builtChild, type StartedChild, startChild } from '../../../../../storage-file/test/built-child.ts';
import { WorldsEngine } from '../../../../src/index.ts';
import { type CountedState, stateOf } from './counted-world.ts';

// FOLLOWERS_MS=60000 and FOLLOWER_KILLS=100 for a campaign.
const FOLLOWERS_MS = Number(process.env.FOLLOWERS_MS ?? 1500);
const FOLLOWER_KILLS = Number(process.env.FOLLOWER_KILLS ?? 3);
const COMMITS_A_SECOND = 200;

let program: string;
beforeAll(async () => {
  program = await builtChild(new URL('writer-child.ts', import.meta.url));
});

async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-followers-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function startWriter(path: string): Promise<StartedChild> {
  const writer = startChild(program, [path, String(COMMITS_A_SECOND)]);
  onTestFinished(() => void writer.child.kill('SIGKILL'));
  await writer.printed('');
  return writer;
}

const acknowledgedBy = ({ lines }: StartedChild) => Number(lines.findLast((line) => line !== 'closed') ?? 0);

/** Reads again and again, each state whole and none older than the one before. */
class Reader {
  readonly engine: WorldsEngine;
  states = 0;
  last = 0;
  isOver = false;
  readonly reading: Promise<void>;

  constructor(engine: WorldsEngine) {
    this.engine = engine;
    this.reading = this.read();
  }

  static async open(path: string): Promise<Reader> {
    const storage = fileStorage({ path, readOnly: true });
    const reader = new Reader(await WorldsEngine.open({ storage, embedder: null }));
    onTestFinished(() => reader.close());
    return reader;
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.reading;
    await this.engine.close();
  }

  private async read(): Promise<void> {
    while (!this.isOver) {
      this.check(await stateOf(this.engine));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  private check({ counter, problems }: CountedState): void {
    expect(problems).toEqual([]);
    expect(counter).toBeGreaterThanOrEqual(this.last);
    if (counter > this.last) this.states++;
    this.last = counter;
  }
}

it('two followers see every state whole, in order, soon, while another process writes and compacts', {
  timeout: 60_000 + 3 * FOLLOWERS_MS,
}, async () => {
  const path = await directory();
  const writer = await startWriter(path);
  const readers = [await Reader.open(path), await Reader.open(path)];
  const lags: number[] = [];
  const stopping = new AbortController();
  const feeding = (async () => {
    for (let after: number | undefined; ; ) {
      try {
        for await (const { revision, timeMs } of readers[0].engine.changes({ after, signal: stopping.signal })) {
          lags.push(Date.now() - timeMs);
          if (after !== undefined) expect(revision).toBe(after + 1);
          after = revision;
        }
      } catch (error) {
        if (stopping.signal.aborted) return;
        // The log does not reach back any more: on a busy machine the feed may be that late.
        expect(error).toMatchObject({ code: 'TRUNCATED' });
        after = (error as { revision: number }).revision;
      }
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, FOLLOWERS_MS));
  writer.child.stdin!.end();
  await writer.printed('closed');
  const acknowledged = acknowledgedBy(writer);
  for (const reader of readers) await expect.poll(() => reader.last).toBe(acknowledged);
  stopping.abort();
  await feeding;
  for (const reader of readers) {
    expect(reader.states).toBeGreaterThan(2);
    expect((await reader.engine.check()).problems).toEqual([]);
    const hits = await reader.engine.search({ query: `number ${acknowledged}`, limit: 2 });
    expect(hits.map(({ subject }) => subject).sort()).toEqual(['urn:counter', `urn:item/${acknowledged}`]);
  }
  lags.sort((a, b) => a - b);
  const at = (part: number) => lags[Math.floor((lags.length - 1) * part)];
  process.stdout.write(
    `followers: ${acknowledged} commits, ${readers.map(({ states }) => states)} states seen; from commit to feed ms: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}\n`,
  );
});

it('followers survive the kills of the process that writes, and see what it acknowledged', {
  timeout: 60_000 + 5_000 * FOLLOWER_KILLS,
}, async () => {
  const path = await directory();
  const random = new SeededRandom(7);
  let acknowledged = 0;
  let reader: Reader | undefined;
  for (let kill = 0; kill < FOLLOWER_KILLS; kill++) {
    const writer = await startWriter(path);
    reader ??= await Reader.open(path);
    await new Promise((resolve) => setTimeout(resolve, random.below(300)));
    writer.child.kill('SIGKILL');
    await writer.ended;
    acknowledged = Math.max(acknowledged, acknowledgedBy(writer));
    await reader.engine.catchUp();
    const { counter, problems } = await stateOf(reader.engine);
    expect(problems).toEqual([]);
    // One commit more may have been written and not acknowledged.
    expect([acknowledged, acknowledged + 1]).toContain(counter);
  }
});
