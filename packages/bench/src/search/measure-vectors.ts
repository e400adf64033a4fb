import { becomeIdle } from '../idle.ts';
import { RandomNumbers } from '../random-numbers.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import { type Latencies, type LatencySettings, measureLatencies } from './latency.ts';
import { nearestRows, type VectorData, vectorData } from './vector-data.ts';
import type { VectorFilter, VectorSystem, VectorSystemKind } from './vector-system.ts';

export interface VectorSettings extends LatencySettings {
  readonly vectors: number;
  readonly dimensions: number;
  readonly queries: number;
  readonly seed: number;
}

export interface VectorCosts {
  readonly name: string;
  readonly build: Lap;
}

/** The results for one fraction of permitted vectors. */
export interface VectorClass {
  /** 1 for all, without a filter. */
  readonly share: number;
  readonly latencies: readonly Latencies[];
  /** By system, the fraction of the ten nearest that it found. */
  readonly recall: readonly number[];
}

export interface VectorResult {
  readonly costs: readonly VectorCosts[];
  readonly classes: readonly VectorClass[];
}

const SHARES = [1, 0.1, 0.01, 0.001];
export const NEAREST = 10;
/** Number of vectors in the warm-up before building. */
const WARM_VECTORS = 2000;

export async function measureVectors(
  kinds: readonly VectorSystemKind[],
  { vectors: count, dimensions, queries, seed, ...lengths }: VectorSettings,
  progress: (message: string) => void,
): Promise<VectorResult> {
  const data = vectorData(count, dimensions, queries, seed);
  const systems: VectorSystem[] = [];
  const costs: VectorCosts[] = [];
  for (const kind of kinds) {
    progress(`building ${kind.name}`);
    const warm = Math.min(WARM_VECTORS, count);
    fill(await kind.open(dimensions, warm), data, warm);
    const system = await kind.open(dimensions, count);
    await becomeIdle();
    const watch = new Stopwatch();
    fill(system, data, count);
    costs.push({ name: kind.name, build: watch.lap() });
    systems.push(system);
  }
  const random = new RandomNumbers(seed);
  const classes: VectorClass[] = [];
  for (const share of SHARES) {
    progress(`searching in ${share * 100} %`);
    const filter = share === 1 ? undefined : randomFilter(count, share, random);
    const recall = await recallOf(systems, data, filter);
    const answerers = systems.map((system) => ({
      name: system.name,
      ask: (query: Float32Array) => system.search(query, NEAREST, filter),
    }));
    classes.push({ share, recall, latencies: await measureLatencies(answerers, data.queries, lengths) });
  }
  return { costs, classes };
}

function fill(system: VectorSystem, { vectors, dimensions }: VectorData, count: number): void {
  for (let row = 0; row < count; row++) system.set(row, vectors.subarray(row * dimensions, (row + 1) * dimensions));
}

function randomFilter(count: number, share: number, random: RandomNumbers): VectorFilter {
  const isAllowed = new Uint8Array(count);
  const size = Math.max(1, Math.round(count * share));
  for (let chosen = 0; chosen < size; ) {
    const row = random.below(count);
    if (isAllowed[row] === 1) continue;
    isAllowed[row] = 1;
    chosen++;
  }
  const ids = new Uint32Array(size);
  let at = 0;
  for (let row = 0; row < count; row++) if (isAllowed[row] === 1) ids[at++] = row;
  return { docs: { kind: 'sorted', ids, size }, isAllowed };
}

async function recallOf(
  systems: readonly VectorSystem[],
  data: VectorData,
  filter: VectorFilter | undefined,
): Promise<number[]> {
  const found = systems.map(() => 0);
  let wanted = 0;
  for (const query of data.queries) {
    const truth = new Set(nearestRows(data, query, NEAREST, filter?.isAllowed));
    wanted += truth.size;
    for (const [at, system] of systems.entries()) {
      const rows = await system.search(query, NEAREST, filter);
      if (filter && rows.some((row) => filter.isAllowed[row] === 0))
        throw new Error(`${system.name} gave a vector that the filter does not allow.`);
      found[at] += rows.filter((row) => truth.has(row)).length;
    }
  }
  return found.map((count) => count / wanted);
}
