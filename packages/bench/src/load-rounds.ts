import { becomeIdle } from './idle.ts';
import type { LoadInput } from './load-input.ts';
import type { Loader } from './loader.ts';
import { type Lap, Stopwatch } from './stopwatch.ts';

/** The results of one loader in all rounds. */
export interface LoaderLaps {
  readonly loader: string;
  /** The same for all loaders, or {@link measureRounds} throws. */
  readonly quads: number;
  /** The store's own count of its memory. */
  readonly bytes?: number;
  /** One per round. */
  readonly laps: readonly Lap[];
}

/**
 * Loads one document with every loader in turn, round after round, so that temporary slowness of
 * the machine affects all of them. Starts with a warm-up round. Throws if the stores differ in
 * their number of quads.
 */
export async function measureRounds(
  loaders: readonly Loader[],
  input: LoadInput,
  rounds: number,
  progress: (message: string) => void,
): Promise<LoaderLaps[]> {
  const results = loaders.map(({ name }) => ({
    loader: name,
    quads: 0,
    bytes: undefined as number | undefined,
    laps: [] as Lap[],
  }));
  for (let round = 0; round <= rounds; round++) {
    progress(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (let turn = 0; turn < loaders.length; turn++) {
      // The order rotates, so that no loader always runs after the same one.
      const at = (turn + round) % loaders.length;
      const { lap, quads, bytes } = await measureLoad(loaders[at], input);
      const result = results[at];
      if (round > 0) result.laps.push(lap);
      result.quads = quads;
      result.bytes = bytes;
    }
  }
  const [first] = results;
  for (const { loader, quads } of results) {
    if (quads !== first.quads) throw new Error(`${loader} holds ${quads} quads, ${first.loader} ${first.quads}.`);
  }
  return results;
}

async function measureLoad(loader: Loader, input: LoadInput) {
  await becomeIdle();
  const watch = new Stopwatch();
  const store = await loader.load(input);
  const lap = watch.lap();
  const { quads, bytes } = await store.count();
  await store.release();
  return { lap, quads, bytes };
}
