import { createHash, type Hash } from 'node:crypto';
import type { FileSystem } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import type { DiskEvent } from './disk-event.ts';
import { DiskModel, type PowerCut } from './disk-model.ts';
import { type SimulatedDirectory, SimulatedFileSystem } from './simulated-file-system.ts';

/** Everything that happened to a disk while a program worked with it. */
export interface History {
  readonly seed: number;
  /** The disk before. */
  readonly start: DiskModel;
  readonly events: readonly DiskEvent[];
}

/** A disk after a power cut, and what the program had said of itself until then. */
export interface AfterCut<Mark> {
  /** What there is, for a program that opens it; nothing of what that does is recorded. */
  readonly fileSystem: FileSystem;
  /** The same, as the start of another history. */
  readonly disk: DiskModel;
  readonly marks: readonly Mark[];
  /** Which cut of which history it was, for messages. */
  readonly name: string;
}

export interface PowerCutOptions<Mark = unknown> {
  /**
   * How many disks behind an event have some of what was not synced; beside the one that has none
   * and the one that has all. 2 by default.
   */
  readonly byChance?: number;
  /**
   * Behind how many events of the history the power is cut once. 1 by default: behind every one.
   */
  readonly stride?: number;
  /**
   * Which marks are promises. When given, a disk that is the same as one before, behind the same
   * promises, is left out.
   */
  readonly isPromise?: (mark: Mark) => boolean;
}

/**
 * Runs a program on a simulated disk and records what it does. The program says with `mark` what it
 * asked for and was promised, in the moment in which it did and was. Its `fileSystem` has the root
 * directory `/` and nothing in it, or what `start` has.
 */
export async function recordHistory<Mark>(
  seed: number,
  program: (fileSystem: FileSystem, mark: (mark: Mark) => void) => Promise<void>,
  start: DiskModel = new DiskModel(),
): Promise<History> {
  const events: DiskEvent[] = [];
  const random = new SeededRandom(seed);
  const next = () => random.next();
  const fileSystem = new SimulatedFileSystem(
    next,
    (event) => events.push(event),
    start.afterPowerCut('keeps all', next),
    start.lastNode,
  );
  await program(fileSystem, (mark) => events.push({ kind: 'mark', mark }));
  return { seed, start, events };
}

/** The power is cut behind the events of a history, one after the other. */
export function* powerCuts<Mark>(
  { seed, start, events }: History,
  { byChance = 2, stride = 1, isPromise }: PowerCutOptions<Mark> = {},
): Generator<AfterCut<Mark>> {
  const model = start.copy();
  const marks: Mark[] = [];
  const random = new SeededRandom(seed + 1);
  const next = () => random.next();
  const known = new Set<string>();
  let promises = 0;
  const cuts: PowerCut[] = ['drops all', 'keeps all', ...Array.from({ length: byChance }, () => 'by chance' as const)];
  for (const [at, event] of events.entries()) {
    model.apply(event);
    if (event.kind === 'mark') {
      marks.push(event.mark as Mark);
      if (isPromise?.(event.mark as Mark)) promises++;
    }
    if ((at + seed) % stride !== 0) continue;
    for (const [number, cut] of cuts.entries()) {
      const root = model.afterPowerCut(cut, next);
      if (isPromise) {
        const fingerprint = `${promises} ${fingerprintOf(root)}`;
        if (known.has(fingerprint)) continue;
        known.add(fingerprint);
      }
      const disk = DiskModel.of(root);
      yield {
        fileSystem: new SimulatedFileSystem(next, undefined, root, disk.lastNode),
        disk,
        marks: [...marks],
        name: `seed ${seed}, behind event ${at} (${event.kind}), cut ${number} that ${cut}`,
      };
    }
  }
}

/**
 * The program is killed behind the events of a history, one after the other, and the power stays
 * on: what was not synced is there, but may still be lost.
 */
export function* kills<Mark>(
  { seed, start, events }: History,
  { stride = 1 }: PowerCutOptions = {},
): Generator<AfterCut<Mark>> {
  const model = start.copy();
  const marks: Mark[] = [];
  const random = new SeededRandom(seed + 2);
  const next = () => random.next();
  for (const [at, event] of events.entries()) {
    model.apply(event);
    if (event.kind === 'mark') marks.push(event.mark as Mark);
    if ((at + seed) % stride !== 0) continue;
    yield {
      fileSystem: new SimulatedFileSystem(next, undefined, model.afterPowerCut('keeps all', next), model.lastNode),
      disk: model.copy(),
      marks: [...marks],
      name: `seed ${seed}, killed behind event ${at} (${event.kind})`,
    };
  }
}

/** The same for two disks with the same names and bytes. */
function fingerprintOf(root: SimulatedDirectory): string {
  const hash = createHash('sha1');
  addTo(hash, root);
  return hash.digest('base64');
}

function addTo(hash: Hash, { names }: SimulatedDirectory): void {
  for (const [name, node] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0`);
    if ('names' in node) addTo(hash.update('['), node);
    else hash.update(`${node.bytes.byteLength}\0`).update(node.bytes);
  }
  hash.update(']');
}
