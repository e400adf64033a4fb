import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { importsOf, loadsOf, resolveImport, sourceFiles } from './source-imports.ts';

/**
 * What each room of core may import besides itself. The middle rooms meet only in the contracts of
 * `contracts`.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  model: [],
  contracts: ['platform', 'model'],
  formats: ['model', 'contracts'],
  quads: ['platform', 'model', 'contracts'],
  sparql: ['model', 'contracts'],
  search: ['model', 'contracts'],
  canonical: ['model', 'contracts'],
  engine: ['model', 'contracts', 'formats', 'quads', 'sparql', 'search', 'canonical'],
  'index.ts': ['model', 'contracts', 'formats', 'quads', 'sparql', 'search', 'canonical', 'engine'],
  'plugin.ts': ['model', 'contracts', 'search'],
  'embedders.ts': ['contracts', 'search'],
  'internal.ts': ['model', 'contracts', 'search', 'engine'],
  'remote.ts': ['model', 'sparql', 'engine'],
};

/** Files that import each other, if only for types, each with its reason. */
const CYCLES: readonly { readonly files: readonly string[]; readonly why: string }[] = [
  {
    files: ['world-handle', 'world-store', 'worlds-engine'].map((name) => `packages/core/src/engine/${name}.ts`),
    why: 'A handle names the engine that makes it, and makes the store that names it.',
  },
  {
    files: ['exec/execution', 'exec/operator', 'explain/profile'].map((name) => `packages/core/src/sparql/${name}.ts`),
    why: 'An operator runs in an execution, which runs operators.',
  },
];

/**
 * The path of a commit, from the state that it changes to the catalogue of namespaces: files of
 * `engine`, and all files of a folder. Each step imports, directly or through other files, only
 * from its own step and earlier ones.
 */
const COMMIT_PATH: readonly (readonly string[])[] = [
  ['world-state'],
  ['commit'],
  ['commit-log'],
  ['namespace-state'],
  ['commit-changes', 'search-feed', 'durable/'],
  ['namespace'],
  ['open-source'],
  ['catalog'],
  ['worlds-engine'],
];

/** Files of the folders above that work on whole namespaces, after the end of the path. */
const OPERATIONS = ['backup', 'change-patch', 'check', 'continued-feed'].map((name) => `durable/${name}`);

const CORE = 'packages/core/src/';
const coreFiles = sourceFiles(CORE);
const roomOf = (file: string) => file.slice(CORE.length).split('/')[0]!;

/** The files that each of some files reaches by what `list` finds in it. */
const edges = (files: readonly string[], list: (file: string) => string[]) =>
  new Map(
    files.map((file) => [
      file,
      list(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolveImport(file, specifier)),
    ]),
  );

const graph = edges(coreFiles, importsOf);

/**
 * All groups of files that reach each other (Tarjan's strongly connected components), each sorted.
 */
function cyclesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file)!);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file)!, low.get(next)!));
    }
    if (low.get(file) !== index.get(file)) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1) cycles.push(cycle.sort());
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return cycles.sort();
}

/** The first cycle found, as the files on the way around, or undefined. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const next of graph.get(file) ?? []) {
      const cycle = visit(next);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = visit(file);
    if (cycle) return cycle;
  }
  return undefined;
}

describe('the rooms of core', () => {
  it('are those of the table', () => {
    expect(coreFiles.length).toBeGreaterThan(10);
    expect([...new Set(coreFiles.map(roomOf))].filter((room) => !Object.hasOwn(ALLOWED, room))).toEqual([]);
  });

  it('import only in the direction of the table', () => {
    const wrong = [...graph].flatMap(([file, targets]) =>
      targets
        .filter((target) => roomOf(target) !== roomOf(file) && !ALLOWED[roomOf(file)]?.includes(roomOf(target)))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('import files that exist, inside core', () => {
    const known = new Set(coreFiles);
    const outside = [...graph].flatMap(([file, targets]) =>
      targets.filter((target) => !known.has(target)).map((target) => `${file} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('have no cycles between files that load each other', () => {
    expect(findCycle(edges(coreFiles, loadsOf))?.join(' -> ')).toBeUndefined();
  });

  it('would be caught in a cycle', () => {
    const knot = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    expect(findCycle(knot)).toEqual(['b', 'd', 'b']);
  });
});

/** Returns all files that a file imports, directly or through others. */
function reachedFrom(file: string): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string): void => {
    for (const next of graph.get(from) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(file);
  return reached;
}

describe('the path of a commit', () => {
  const operations = OPERATIONS.map((name) => `${CORE}engine/${name}.ts`);
  const filesOf = (name: string): string[] =>
    name.endsWith('/')
      ? coreFiles.filter((file) => file.startsWith(`${CORE}engine/${name}`) && !operations.includes(file))
      : coreFiles.filter((file) => file === `${CORE}engine/${name}.ts`);
  const steps = COMMIT_PATH.map((names) => names.flatMap(filesOf));

  it('names files that exist', () => {
    expect([...COMMIT_PATH.flat(), ...OPERATIONS].filter((name) => filesOf(name).length === 0)).toEqual([]);
  });

  it('reads in one direction, type imports included', () => {
    const wrong = steps.flatMap((files, step) =>
      files.flatMap((file) => {
        const reached = reachedFrom(file);
        const later = steps.slice(step + 1).flat();
        return later.filter((other) => reached.has(other)).map((other) => `${file} reaches ${other}`);
      }),
    );
    expect(wrong).toEqual([]);
  });
});

/** Whether a package offers a path of its own by name, as `@rdf-worlds/http/node`. */
function isExported(specifier: string): boolean {
  const [, name, path] = /^@rdf-worlds\/([^/]+)\/(.+)$/.exec(specifier)!;
  const manifest = JSON.parse(readFileSync(new URL(`../packages/${name}/package.json`, import.meta.url), 'utf8'));
  return `./${path}` in manifest.exports;
}

describe('packages', () => {
  it('have no cycles of imports, type imports included, but for these', () => {
    const files = sourceFiles('packages').filter((file) => /^packages\/[^/]+\/(src|app|playground)\//.test(file));
    expect(cyclesOf(edges(files, importsOf))).toEqual(CYCLES.map(({ files }) => files));
  });

  /** Files of packages that are not published, which may look inside others. */
  const INSIDES = [
    { file: 'packages/site/src/generated-pages.ts', why: 'prints tables that no package exports' },
    {
      file: 'packages/conformance/src/storage-setting.ts',
      why: 'runs on the databases that the tests of the storage start',
    },
    { file: 'packages/bench/src/shared/shared.ts', why: 'starts the server that the tests of the storage start' },
  ];

  it('import each other by name, never each other’s insides', () => {
    const inside = sourceFiles('packages')
      .filter((file) => /^packages\/[^/]+\/src\//.test(file))
      .flatMap((file) => {
        const home = file.split('/').slice(0, 2).join('/');
        return importsOf(file)
          .filter((specifier) =>
            specifier.startsWith('.')
              ? !resolveImport(file, specifier).startsWith(`${home}/`)
              : /^@rdf-worlds\/[^/]+\//.test(specifier) && !isExported(specifier),
          )
          .map((specifier) => `${file} imports ${specifier}`);
      });
    expect(inside.filter((line) => !INSIDES.some(({ file }) => line.startsWith(`${file} imports `)))).toEqual([]);
  });
});
