import { WorldsEngine } from '@rdf-worlds/core';
import { becomeIdle } from './idle.ts';
import type { LoadInput } from './load-input.ts';
import type { Loader } from './loader.ts';
import { noteQuad } from './note-quad.ts';
import { PacedCalls, type PacedCallsResult } from './paced-calls.ts';
import { Stopwatch } from './stopwatch.ts';
import { type Lateness, TimerLateness } from './timer-lateness.ts';

/** Interval of the timer and of the writes. */
export const TICK_MS = 10;
/** Writes before the import, so that their code is compiled. */
const WARM_WRITES = 50;
const QUADS_NAMESPACE = 'importing';

/** The concurrent work during the import. */
export interface Scenario {
  readonly name: string;
  /** The namespace of the world that single triples are written to; undefined for no writes. */
  readonly writesTo?: string;
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'import alone' },
  { name: 'writes to a world of the same namespace', writesTo: QUADS_NAMESPACE },
  { name: 'writes to a world of another namespace', writesTo: 'writing' },
];

export interface Responsiveness {
  readonly scenario: string;
  readonly importWallMs: number;
  readonly timer: Lateness;
  readonly writes?: PacedCallsResult;
  /** Number of quads in the written world afterwards. */
  readonly writtenQuads?: number;
}

/** Imports the document once, and measures the responsiveness of the process meanwhile. */
export async function measureResponsiveness(input: LoadInput, { name, writesTo }: Scenario): Promise<Responsiveness> {
  const engine = await WorldsEngine.open({ textIndex: null });
  const source = { slug: 'imported', namespace: QUADS_NAMESPACE };
  await engine.createWorld(source);
  const target = writesTo === undefined ? undefined : { slug: 'written', namespace: writesTo };
  const write = async (number: number) => engine.write({ source: target!, insert: [noteQuad(number)] });
  if (target) {
    await engine.createWorld(target);
    for (let i = 0; i < WARM_WRITES; i++) await write(-1 - i);
  }
  await becomeIdle();

  const watch = new Stopwatch();
  const timer = new TimerLateness(TICK_MS);
  const paced = target && new PacedCalls(TICK_MS, write);
  await engine.import({ source, data: input.bytes, contentType: input.contentType });
  const importWallMs = watch.lap().wallMs;
  const lateness = timer.stop();
  const writes = await paced?.stop();
  let writtenQuads: number | undefined;
  if (target) {
    writtenQuads = 0;
    for await (const _ of engine.quads({ source: target })) writtenQuads++;
    if (writtenQuads !== WARM_WRITES + writes!.due) {
      throw new Error(`${WARM_WRITES + writes!.due} triples were written, the world holds ${writtenQuads}.`);
    }
  }
  await engine.close();
  return { scenario: name, importWallMs, timer: lateness, writes, writtenQuads };
}

/** Measures a peer, which has no worlds to write to, in the same way. */
export async function measureLoaderLateness(loader: Loader, input: LoadInput): Promise<Responsiveness> {
  await becomeIdle();
  const watch = new Stopwatch();
  const timer = new TimerLateness(TICK_MS);
  const store = await loader.load(input);
  const importWallMs = watch.lap().wallMs;
  const lateness = timer.stop();
  await store.release();
  return { scenario: `${loader.name}, alone`, importWallMs, timer: lateness };
}
