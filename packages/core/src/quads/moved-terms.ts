import { Buffer } from '#platform';
import { TERM_KIND } from '../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { viewOf } from './byte-arena.ts';
import { type MovedTerms, sharedMeta } from './commit-terms.ts';
import { type Dictionary, FIXED_TERMS } from './dictionary.ts';
import type { Overlay } from './overlay.ts';
import type { Run } from './run.ts';
import { kindOf, LOCAL_BIT, referenceOf, SCOPE_KIND } from './term-meta.ts';

const STEP = 1 << 14;

/**
 * Re-adds terms that an import found in the dictionary it started with but that are free in the
 * current one, because another commit removed their last mention, and a compaction ran before the
 * import finished; or that were withdrawn from it, because their commit was not the next one of the
 * log. They get new ids. A kernel; requires the write lock.
 */
export function* moveTerms(
  overlay: Overlay,
  run: Run,
  graphs: Iterable<TermId>,
  dictionary: Dictionary,
): Generator<void, MovedTerms, void> {
  const { table } = dictionary;
  const common = Math.max(FIXED_TERMS, overlay.dictionary.succession.commonWith(dictionary.succession));
  const moved = new Map<TermId, TermId>();
  const move = (id: TermId): TermId => {
    if (id === NO_TERM || id >= LOCAL_BIT || (id <= common && !table.isFree(id))) return id;
    const known = moved.get(id);
    if (known !== undefined) return known;
    const old = overlay.dictionary.table;
    const meta = sharedMeta(old.metaOf(id), move);
    let view = old.viewOf(id);
    let start = old.startOf(id);
    let end = start + old.lengthOf(id);
    if (kindOf(meta) === TERM_KIND.triple) {
      const parts = Buffer.alloc(12);
      overlay.tripleOf(id).forEach((part, i) => {
        parts.writeUInt32LE(move(part), 4 * i);
      });
      view = viewOf(parts);
      start = 0;
      end = parts.length;
    }
    const hash = table.hash(view, start, end);
    const next = table.find(meta, view, start, end, hash) || table.add(meta, view, start, end, hash);
    moved.set(id, next);
    return next;
  };
  for (const graph of graphs) move(graph);
  for (const column of run.columnsOf(0)) {
    for (let row = 0; row < column.length; row++) {
      if (row % STEP === STEP - 1) yield;
      move(column[row]);
    }
  }
  const { local } = overlay;
  for (let number = 1; number <= local.size; number++) {
    if (number % STEP === 0) yield;
    const meta = local.metaOf(number);
    if (kindOf(meta) === TERM_KIND.triple) for (const part of overlay.tripleOf(number + LOCAL_BIT)) move(part);
    else if (kindOf(meta) !== SCOPE_KIND) move(referenceOf(meta));
  }
  return moved;
}

/** Writes the new ids into a run, in place; the run is no longer sorted afterwards. A kernel. */
export function* applyMoves(run: Run, moved: MovedTerms): Generator<void, void, void> {
  for (const columns of run.columns) {
    for (const column of columns) {
      for (let row = 0; row < column.length; row++) {
        if (row % STEP === STEP - 1) yield;
        const next = moved.get(column[row]);
        if (next !== undefined) column[row] = next;
      }
    }
  }
}
