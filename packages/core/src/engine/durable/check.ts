import type { Slicer } from '../../contracts/slicer.ts';
import { mergeDeltas } from '../../quads/merge-runs.ts';
import { PERMUTATIONS, SPO } from '../../quads/permutation.ts';
import { completeRun, type Run } from '../../quads/run.ts';
import type { TermTable } from '../../quads/term-table.ts';
import type { Namespace } from '../namespace.ts';
import { contextsOf } from '../world-state.ts';

/** A problem found in a namespace. */
export interface Problem {
  /** Null if the problem concerns the storage as a whole or an unknown namespace. */
  readonly namespace: string | null;
  /** Description for people: what is wrong, and where. */
  readonly problem: string;
}

const STEP = 4096;

/**
 * Verifies the data in memory: all indexes contain the same quads, the search contains their texts,
 * every id denotes a term, and every term is found by its text.
 */
export async function checkMemory(namespace: Namespace, slicer: Slicer): Promise<string[]> {
  const { dictionary, snapshot } = namespace.store;
  const problems: string[] = [];
  for (const run of snapshot.runs) {
    if (!(await slicer.run(hasEqualPermutations(run))))
      problems.push('The sort orders of a run do not contain the same quads.');
    if (!(await slicer.run(hasKnownTerms(run, dictionary.table)))) problems.push('A quad has an unknown term.');
  }
  const { inserted, deleted } = await slicer.run(mergeDeltas(snapshot.deltas, () => false));
  if (deleted.length > 0) problems.push('More quads were deleted than existed.');
  const living = new Set([...namespace.worlds.values()].flatMap(contextsOf));
  let counted = 0;
  for (const context of living) counted += snapshot.countContext(context);
  let there = 0;
  inserted.contexts.forEach((context, i) => {
    if (living.has(context)) there += inserted.starts[i + 1] - inserted.starts[i];
  });
  if (there !== counted) problems.push(`The worlds have ${there} quads, but their counts say ${counted}.`);
  if (!(await slicer.run(findsEveryTerm(dictionary.table)))) problems.push('A term cannot be found by its text.');
  return [...problems, ...(await namespace.search.problems(slicer))];
}

/**
 * Compares a namespace in memory with one that was just read from storage. Both must use the same
 * ids.
 */
export async function checkSame(namespace: Namespace, stored: Namespace, slicer: Slicer): Promise<string[]> {
  const problems: string[] = [];
  const worlds = [...namespace.worlds.values()];
  const isSameWorlds =
    stored.revision === namespace.revision &&
    stored.worlds.size === worlds.length &&
    worlds.every(({ record, graphs }) => {
      const other = stored.worlds.get(record.slug);
      return (
        other !== undefined &&
        JSON.stringify(sorted(other.record)) === JSON.stringify(sorted(record)) &&
        other.graphs.world === graphs.world &&
        other.graphs.defaultContext === graphs.defaultContext &&
        other.graphs.equals(graphs)
      );
    });
  if (!isSameWorlds) problems.push('The worlds in the storage differ from those in memory.');
  const living = new Set(worlds.flatMap(contextsOf));
  const isDead = (context: number) => !living.has(context);
  const [mine, theirs] = [
    await slicer.run(mergeDeltas(namespace.store.snapshot.deltas, isDead)),
    await slicer.run(mergeDeltas(stored.store.snapshot.deltas, isDead)),
  ];
  if (!isSameRun(mine.inserted, theirs.inserted))
    problems.push('The quads in the storage differ from those in memory.');
  return problems;
}

function sorted(record: object): [string, unknown][] {
  return Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
}

function* hasEqualPermutations(run: Run): Generator<void, boolean, void> {
  return isSameRun(run, yield* completeRun(run.contexts, run.starts, run.columnsOf(SPO)));
}

function isSameRun(a: Run, b: Run): boolean {
  return (
    isSameColumn(a.contexts, b.contexts) &&
    isSameColumn(a.starts, b.starts) &&
    PERMUTATIONS.every((_, p) => a.columnsOf(p).every((column, i) => isSameColumn(column, b.columnsOf(p)[i])))
  );
}

function isSameColumn(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

function* hasKnownTerms(run: Run, table: TermTable): Generator<void, boolean, void> {
  for (const column of run.columnsOf(SPO)) {
    for (let row = 0; row < column.length; row++) {
      if (row % STEP === 0) yield;
      if (column[row] === 0 || column[row] > table.size || table.isFree(column[row])) return false;
    }
  }
  return true;
}

function* findsEveryTerm(table: TermTable): Generator<void, boolean, void> {
  const { size } = table;
  for (let number = table.nextLiving(1, size); number <= size; number = table.nextLiving(number + 1, size)) {
    if (number % STEP === 0) yield;
    const view = table.viewOf(number);
    const start = table.startOf(number);
    const end = start + table.lengthOf(number);
    if (table.find(table.metaOf(number), view, start, end, table.hash(view, start, end)) !== number) return false;
  }
  return true;
}
