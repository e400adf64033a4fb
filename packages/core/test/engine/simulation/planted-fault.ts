import type { SimulationCheck, SimulationOptions } from '@rdf-worlds/testkit';
import type { NamespaceStorage, Storage } from '../../../src/plugin.ts';

/** One thing done wrong on purpose, to see whether the simulation notices. */
export interface PlantedFault {
  readonly name: string;
  /** The checks of which one must fail. */
  readonly checks: readonly SimulationCheck[];
  /** Changes the options of the simulation. */
  readonly options?: Partial<SimulationOptions>;
  /** Puts the fault where the engine finds it; returns what takes it away again. */
  plant?(): () => void;
}

const NOTHING_ELSE = {
  ...{ create: 1, delete: 0, deleteNamespace: 0, label: 0, fork: 0, write: 0, insertData: 0, deleteWhere: 0 },
  ...{ increment: 0, incrementIf: 0, import: 0, read: 0, search: 0, roam: 0, checkpoint: 0, compact: 0, forget: 0 },
  ...{ patch: 0, dropGraph: 0, past: 0 },
};

const CALM = {
  ...{ failure: 0, lostAnswer: 0, doubt: 0, slow: 0 },
  ...{ crashEveryMs: Number.POSITIVE_INFINITY, pauseEveryMs: Number.POSITIVE_INFINITY },
  partitionEveryMs: Number.POSITIVE_INFINITY,
};

/** Terms are deleted, freed and used again, in one world. */
export const TERMS_AGAIN: Partial<SimulationOptions> = {
  processes: 3,
  operations: 150,
  workload: {
    ...{ namespaces: ['a'], slugs: ['x'], thinkMs: 10 },
    weights: { ...NOTHING_ELSE, write: 30, deleteWhere: 6, forget: 8, read: 10 },
  },
  faults: { ...CALM, delayMs: 10 },
};

/** One namespace is deleted and created again. */
export const NAMESPACES_AGAIN: Partial<SimulationOptions> = {
  processes: 3,
  workload: {
    ...{ namespaces: ['a'], slugs: ['x', 'y'], thinkMs: 10 },
    weights: { ...NOTHING_ELSE, create: 20, delete: 10, deleteNamespace: 6, write: 10, increment: 10, read: 10 },
  },
  faults: { ...CALM, delayMs: 10 },
};

/** The outcome of many appends is unknown. */
export const DOUBTS: Partial<SimulationOptions> = {
  faults: { ...CALM, doubt: 0.3, delayMs: 3, pollMs: 1000, lostNotice: 1 },
};

/** The same, and then the log cannot be read, while watches tell of heads at once. */
export const UNREADABLE_DOUBTS: Partial<SimulationOptions> = {
  workload: { namespaces: ['a'], slugs: ['x'], thinkMs: 50, weights: { ...NOTHING_ELSE, increment: 1 } },
  faults: { ...CALM, lostAnswer: 0.4, failure: 0.4, delayMs: 10, pollMs: 50, lostNotice: 0, doubleNotice: 0 },
  operations: 30,
};

/** Many commits wait behind appends whose outcome is unknown. */
export const DOUBTFUL_GROUPS: Partial<SimulationOptions> = {
  workload: { namespaces: ['a'], slugs: ['x'], thinkMs: 1, weights: { ...NOTHING_ELSE, write: 1, increment: 1 } },
  faults: { ...CALM, doubt: 0.4, failure: 0.1, delayMs: 10 },
};

const TAKING_TURNS = {
  ...{ processes: 4, operations: 160, hasTurns: true },
  workload: {
    ...{ namespaces: ['a'], slugs: ['x'], thinkMs: 1 },
    weights: { ...NOTHING_ELSE, write: 1, increment: 2 },
  },
};

/** Processes overtake each other until they take turns, and crash while they do. */
export const CRASHED_TURNS: Partial<SimulationOptions> = {
  ...TAKING_TURNS,
  faults: { ...CALM, delayMs: 40, crashEveryMs: 1500 },
};

/** The same, with pauses for longer than a turn lasts. */
export const PAUSED_TURNS: Partial<SimulationOptions> = {
  ...TAKING_TURNS,
  faults: { ...CALM, delayMs: 40, pauseEveryMs: 1000, outageMs: 20_000 },
};

/** `memory` is empty at first, and the same for all handles of a namespace in one process. */
type Change = (namespace: NamespaceStorage, memory: Map<string, unknown>) => Partial<NamespaceStorage>;

/** A storage whose namespaces do something else, except for the one of the engine's own. */
export function changedStorage(change: Change): (storage: Storage) => Storage {
  return (storage) => {
    const memories = new Map<string, Map<string, unknown>>();
    return {
      capabilities: storage.capabilities,
      open: () => storage.open(),
      close: () => storage.close(),
      namespaces: () => storage.namespaces(),
      namespace(name) {
        const inner = storage.namespace(name);
        const bound: NamespaceStorage = {
          head: () => inner.head(),
          append: (expected, records) => inner.append(expected, records),
          read: (after, signal) => inner.read(after, signal),
          checkpoint: () => inner.checkpoint(),
          writeCheckpoint: (at, segments, confirm) => inner.writeCheckpoint(at, segments, confirm),
          truncate: (upTo) => inner.truncate(upTo),
          watch: (signal) => inner.watch!(signal),
          stats: () => inner.stats(),
          drop: (expected) => inner.drop(expected),
          remains: () => inner.remains!(),
          ...(inner.reserve && { reserve: (forMs: number) => inner.reserve!(forMs) }),
        };
        if (name === '_') return bound;
        const memory = memories.get(name) ?? new Map<string, unknown>();
        memories.set(name, memory);
        return { ...bound, ...change(bound, memory) };
      },
    };
  };
}

/** A fault of the storage, as each process sees it. */
export function storageFault(
  name: string,
  checks: readonly SimulationCheck[],
  change: Change,
  options: Partial<SimulationOptions> = {},
): PlantedFault {
  return { name, checks, options: { ...options, changeStorage: changedStorage(change) } };
}

/** A fault that is a method of a class. Methods may be private, so they are named by text. */
export function methodFault<Method extends (...values: never[]) => unknown>(
  name: string,
  checks: readonly SimulationCheck[],
  [type, method]: readonly [type: { readonly prototype: object }, method: string],
  make: (right: Method) => unknown,
  options: Partial<SimulationOptions> = {},
): PlantedFault {
  return {
    ...{ name, checks, options },
    plant() {
      const right = Object.getOwnPropertyDescriptor(type.prototype, method);
      if (!right) throw new Error(`${name}: there is no ${method} to change.`);
      Object.defineProperty(type.prototype, method, { ...right, value: make(right.value as Method) });
      return () => Object.defineProperty(type.prototype, method, right);
    },
  };
}
