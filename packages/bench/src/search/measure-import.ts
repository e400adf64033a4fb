import { WorldsEngine } from '@rdf-worlds/core';
import { figure, spread } from '../figure.ts';
import { becomeIdle } from '../idle.ts';
import type { LoadInput } from '../load-input.ts';
import { OxigraphStore } from '../sparql/oxigraph-store.ts';
import { statistics } from '../statistics.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Table } from '../table.ts';

export interface SearchableImport {
  readonly name: string;
  readonly quads: number;
  /** One per round. */
  readonly laps: readonly Lap[];
}

const SLUG = 'imported';

interface Loader {
  readonly name: string;
  /** Loads into a new store and measures only that; returns the number of quads. */
  load(input: LoadInput): Promise<{ readonly lap: Lap; readonly quads: number }>;
}

const LOADERS: readonly Loader[] = [
  { name: 'RDF Worlds, searchable', load: (input) => loadEngine(input, { isSearchable: true }) },
  { name: 'RDF Worlds, no index', load: (input) => loadEngine(input, { isSearchable: false }) },
  { name: 'Oxigraph, no search', load: loadOxigraph },
];

/**
 * Measures imports until all texts are searchable, compared with loading into a store without
 * search. Throws if two stores differ in their number of quads.
 */
export async function measureImport(
  input: LoadInput,
  rounds: number,
  progress: (message: string) => void,
): Promise<SearchableImport[]> {
  const found = LOADERS.map(({ name }) => ({ name, quads: 0, laps: [] as Lap[] }));
  for (let round = -1; round < rounds; round++) {
    progress(round < 0 ? 'importing, warming up' : `importing, round ${round + 1} of ${rounds}`);
    for (let turn = 0; turn < LOADERS.length; turn++) {
      const at = (turn + round + 1) % LOADERS.length;
      await becomeIdle();
      const { lap, quads } = await LOADERS[at].load(input);
      found[at].quads = quads;
      if (round >= 0) found[at].laps.push(lap);
    }
    if (found.some(({ quads }) => quads !== found[0].quads))
      throw new Error(`The stores hold ${found.map(({ name, quads }) => `${quads} (${name})`).join(', ')} quads.`);
  }
  return found;
}

async function loadEngine({ bytes, contentType }: LoadInput, { isSearchable }: { readonly isSearchable: boolean }) {
  const engine = await WorldsEngine.open(isSearchable ? {} : { textIndex: null });
  await engine.createWorld({ slug: SLUG });
  // After the first search, commits are indexed.
  const search = () => engine.search({ query: 'nothing', limit: 1 });
  if (isSearchable) await search();
  const watch = new Stopwatch();
  await engine.import({ source: SLUG, data: bytes, contentType });
  if (isSearchable) await search();
  const lap = watch.lap();
  const { quads } = await engine.stats();
  await engine.close();
  return { lap, quads };
}

async function loadOxigraph(input: LoadInput) {
  const store = new OxigraphStore();
  const watch = new Stopwatch();
  await store.load(input);
  const lap = watch.lap();
  const quads = await store.countQuads();
  await store.release();
  return { lap, quads };
}

export function importTable(found: readonly SearchableImport[]): Table {
  const [own] = found;
  return {
    title: 'Import until searchable',
    columns: ['', 'quads', 'k quads per CPU s', 'k quads per wall s', 'CPU ratio'],
    rows: found.map(({ name, quads, laps }) => [
      name,
      figure(quads),
      spread(statistics(laps.map(({ cpuMs }) => quads / cpuMs))),
      spread(statistics(laps.map(({ wallMs }) => quads / wallMs))),
      spread(statistics(laps.map(({ cpuMs }, round) => cpuMs / own.laps[round].cpuMs)), 2),
    ]),
  };
}
