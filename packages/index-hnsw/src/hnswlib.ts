import { WorldsError } from '@rdf-worlds/core';

const PACKAGE = 'hnswlib-node';

/**
 * The parts of hnswlib-node's graph that are used. Declared here because the package may not be
 * installed.
 */
export interface HnswGraph {
  initIndex(options: {
    maxElements: number;
    m: number;
    efConstruction: number;
    randomSeed: number;
    allowReplaceDeleted: boolean;
  }): void;
  resizeIndex(maxElements: number): void;
  addPoint(point: number[], label: number, replaceDeleted: boolean): void;
  markDelete(label: number): void;
  setEf(ef: number): void;
  searchKnn(point: number[], count: number, filter?: (label: number) => boolean): { neighbors: number[] };
}

export type MakeGraph = (dimensions: number) => HnswGraph;

interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dimensions: number) => HnswGraph;
}

/** Loads hnswlib-node. Throws UNSUPPORTED if it is not installed or was not compiled. */
export async function loadHnswlib(): Promise<MakeGraph> {
  let loaded: Partial<Hnswlib> & { default?: Partial<Hnswlib> };
  try {
    // Not a literal, so that bundlers do not try to resolve an optional package.
    loaded = await import(PACKAGE as string);
  } catch (cause) {
    throw new WorldsError(
      'UNSUPPORTED',
      `${PACKAGE} cannot be loaded: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}. Install it (npm install ${PACKAGE}), ` +
        'which compiles native code in an install script; or use the built-in vector index, which needs neither.',
      { cause },
    );
  }
  const Graph = loaded.HierarchicalNSW ?? loaded.default?.HierarchicalNSW;
  if (!Graph)
    throw new WorldsError('UNSUPPORTED', `${PACKAGE} does not export HierarchicalNSW; install a supported version.`);
  return (dimensions) => new Graph('ip', dimensions);
}
