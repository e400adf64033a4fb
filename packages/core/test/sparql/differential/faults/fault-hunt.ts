import { nativeEngine } from '../../../../src/index.ts';
import { Arena } from '../arena.ts';
import { isRight, TEXTS_A_DATASET } from '../campaign.ts';
import type { PlantedFault } from './planted-fault.ts';

export interface Hunt {
  /** By the fault's name: how many texts there were until one showed it. */
  readonly found: ReadonlyMap<string, number>;
  /** How many texts there were in all. */
  readonly trials: number;
}

export interface HuntOptions {
  /** Seed of the first dataset. */
  readonly seed: number;
  readonly maxTrials: number;
  /** Datasets that are tried before the others, relative to `seed`. */
  readonly known?: readonly number[];
}

/** The seeds of datasets: those that are known to show faults, then all others. */
function* datasets(seed: number, known: readonly number[]): Iterable<number> {
  for (const offset of known) yield seed + offset;
  for (let offset = 0; ; offset++) if (!known.includes(offset)) yield seed + offset;
}

/** Runs the texts of a campaign until every fault has shown itself, or `maxTrials` is reached. */
export async function huntFaults(
  faults: readonly PlantedFault[],
  { seed, maxTrials, known = [] }: HuntOptions,
): Promise<Hunt> {
  const found = new Map<string, number>();
  const isHidden = ({ name }: PlantedFault) => !found.has(name);
  let trials = 0;
  for (const dataset of datasets(seed, known)) {
    if (trials >= maxTrials || !faults.some(isHidden)) break;
    const arena = await Arena.open(dataset, nativeEngine());
    for (let i = 0; i < TEXTS_A_DATASET; i++) {
      const trial = await arena.trial(i % 4 === 0 ? 'update' : 'query');
      if (!trial) continue;
      trials++;
      for (const { name, needs, engine, plant } of faults.filter(isHidden)) {
        if (needs !== undefined && !trial.features.has(needs)) continue;
        const takeAway = plant?.();
        try {
          if (!isRight(trial, await arena.ask(engine, trial.kind, trial.text))) found.set(name, trials);
        } finally {
          takeAway?.();
        }
      }
    }
    await arena.close();
  }
  return { found, trials };
}
