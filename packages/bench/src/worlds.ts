import type { Benchmark } from './benchmark.ts';
import { runChild } from './child-run.ts';
import { figure, spread } from './figure.ts';
import { type OptionValues, SEED_OPTION } from './option.ts';
import { statistics } from './statistics.ts';
import { LAYOUTS, type Layout, type WorldsFootprint, type WorldsFootprintWork } from './worlds-footprint.ts';

const OPTIONS = {
  worlds: { kind: 'integer', default: 1000, min: 1, meaning: 'worlds' },
  quads: { kind: 'integer', default: 100, min: 1, meaning: 'quads in each world' },
  rounds: { kind: 'integer', default: 3, min: 1, meaning: 'fresh processes for each layout' },
  seed: SEED_OPTION,
} as const;

/** The footprints of one layout, one per process. */
export interface LayoutFootprint {
  readonly layout: Layout;
  readonly footprints: readonly WorldsFootprint[];
}

export const worldsBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'worlds',
  summary: 'memory of many small worlds, in one namespace and in as many namespaces',
  options: OPTIONS,
  async run(values, progress) {
    const { worlds, quads, rounds, seed } = values;
    const layouts = await measureWorlds(values, progress);
    return {
      settings: [
        `${figure(worlds)} worlds of ${figure(quads)} generated academic quads, seed ${seed}, all different; text index off`,
        `${rounds} fresh processes a layout; memory before and after in each, after full collections until nothing more is freed`,
      ],
      tables: [
        {
          title: 'KiB a world',
          columns: ['', 'RSS growth', 'JS heap and external growth', 'own columns', 'own columns, B/quad'],
          rows: layouts.map(({ layout, footprints }) => {
            const perWorld = (pick: (footprint: WorldsFootprint) => number) =>
              spread(statistics(footprints.map((each) => pick(each) / each.worlds / 1024)), 1);
            return [
              layout,
              perWorld(({ rssGrowth }) => rssGrowth),
              perWorld(({ heldGrowth }) => heldGrowth),
              perWorld(({ columns }) => columns),
              figure(statistics(footprints.map((each) => each.columns / each.quads)).median, 1),
            ];
          }),
        },
      ],
      notes: [
        'Figures are median (least-most). In one namespace the worlds share one dictionary, as their vocabulary is the same.',
        "RSS growth includes V8's young generation and pages that the C allocator keeps: what the process costs, more than what the worlds hold. The second column is what they hold.",
      ],
    };
  },
};

/** Runs the measurement. Throws if a process reports an unexpected number of worlds or quads. */
export async function measureWorlds(
  { worlds, quads, rounds, seed }: OptionValues<typeof OPTIONS>,
  progress: (message: string) => void,
): Promise<LayoutFootprint[]> {
  const results = LAYOUTS.map((layout) => ({ layout, footprints: [] as WorldsFootprint[] }));
  for (let round = 1; round <= rounds; round++) {
    for (const { layout, footprints } of results) {
      progress(`round ${round} of ${rounds}: ${layout}`);
      const work: WorldsFootprintWork = { layout, worlds, quads, seed };
      const footprint = await runChild<WorldsFootprint>('worlds-child', work);
      if (footprint.worlds !== worlds || footprint.quads !== worlds * quads) {
        throw new Error(
          `${layout}: there are ${footprint.worlds} worlds of together ${footprint.quads} quads, not ${worlds} of ${quads} each.`,
        );
      }
      footprints.push(footprint);
    }
  }
  return results;
}
