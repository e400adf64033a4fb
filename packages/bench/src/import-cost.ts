import type { Benchmark } from './benchmark.ts';
import { runNode } from './child-run.ts';
import { figure, spread } from './figure.ts';
import { type LoadedPackage, tracePackages } from './module-trace.ts';
import { statistics } from './statistics.ts';
import type { Lap } from './stopwatch.ts';

const OPTIONS = {
  rounds: { kind: 'integer', default: 10, min: 1, meaning: 'fresh processes for each module' },
} as const;

/**
 * A module to import. `specifier` is resolved from the root of the checkout, as by an application.
 */
export interface ImportTarget {
  readonly name: string;
  readonly specifier: string;
}

const TARGETS: readonly ImportTarget[] = [
  // The baseline: the cost of any import.
  { name: 'an empty module', specifier: 'data:text/javascript,' },
  { name: '@rdf-worlds/core', specifier: '@rdf-worlds/core' },
  { name: 'oxigraph', specifier: 'oxigraph' },
];

/** Libraries that core must load on first use only. */
export const LATE_LIBRARIES: readonly { readonly name: string; readonly packages: RegExp }[] = [
  { name: 'comunica', packages: /^@comunica\/|^@rdf-worlds\/comunica$/ },
  { name: 'minisearch', packages: /^minisearch$|^@rdf-worlds\/index-minisearch$/ },
  { name: 'n3', packages: /^n3$/ },
  { name: 'jsonld', packages: /^jsonld/ },
];

export interface ImportCost {
  readonly target: ImportTarget;
  /** One per process. */
  readonly laps: readonly Lap[];
  readonly packages: readonly LoadedPackage[];
}

export const importCostBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'import-cost',
  summary: "time and modules of import('@rdf-worlds/core')",
  options: OPTIONS,
  async run({ rounds }, progress) {
    const costs = await measureImports(TARGETS, rounds, progress);
    return {
      settings: [`${rounds} fresh processes a module, in turn; modules are counted in further processes`],
      tables: [
        {
          title: 'One import()',
          columns: ['', 'wall ms', 'CPU ms', 'files', ...LATE_LIBRARIES.map(({ name }) => `${name} files`)],
          rows: costs.map(({ target, laps, packages }) => [
            target.name,
            spread(statistics(laps.map(({ wallMs }) => wallMs)), 1),
            spread(statistics(laps.map(({ cpuMs }) => cpuMs)), 1),
            figure(countFiles(packages)),
            ...LATE_LIBRARIES.map((library) => figure(countFiles(packages, library.packages))),
          ]),
        },
        {
          title: 'Files of @rdf-worlds/core, by package',
          columns: ['', 'files'],
          rows: costs[1].packages.map(({ name, files }) => [name, figure(files)]),
        },
      ],
      notes: [
        'Figures are median (least-most), from before import() to when it resolves; starting Node is not in them.',
      ],
    };
  },
};

/**
 * Imports every target in `rounds` fresh processes, alternating between targets, and traces once
 * which modules each loads.
 */
export async function measureImports(
  targets: readonly ImportTarget[],
  rounds: number,
  progress: (message: string) => void,
): Promise<ImportCost[]> {
  const costs: { target: ImportTarget; laps: Lap[]; packages: LoadedPackage[] }[] = [];
  for (const target of targets) {
    progress(`modules of ${target.name}`);
    // Also warms the disk cache before anything is timed.
    costs.push({ target, laps: [], packages: await tracePackages(target.specifier) });
  }
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    for (const { target, laps } of costs) laps.push(await timeImport(target.specifier));
  }
  return costs;
}

export function countFiles(packages: readonly LoadedPackage[], of = /./): number {
  return packages.filter(({ name }) => of.test(name)).reduce((sum, { files }) => sum + files, 0);
}

/**
 * The code is passed as text and measures itself: a file of this package would load further
 * modules.
 */
async function timeImport(specifier: string): Promise<Lap> {
  const code = `
    const cpu = process.cpuUsage();
    const start = performance.now();
    await import(${JSON.stringify(specifier)});
    const wallMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));`;
  return runNode<Lap>(['--input-type=module', '--eval', code]);
}
