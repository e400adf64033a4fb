import { Buffer } from '#platform';
import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { viewOf } from './byte-arena.ts';
import type { Dictionary } from './dictionary.ts';
import type { Overlay } from './overlay.ts';
import { kindOf, LOCAL_BIT, metaWith, referenceOf, SCOPE_KIND, type TermMeta } from './term-meta.ts';

/** Scratch for the parts of one triple term, within one step. */
const TRIPLE = Buffer.alloc(12);
const TRIPLE_VIEW = viewOf(TRIPLE);

/** Number of terms per step of a kernel. */
const STEP = 4096;
/** Bytes of a text that take about as long as one more term. */
const BYTES_PER_STEP = 256;

/**
 * Shared ids indexed by local number, the result of {@link commitTerms}; 0 for an unused local
 * term.
 */
export type TermRenaming = Uint32Array;

/**
 * Maps ids of the overlay's dictionary to new ids, for terms that a compaction freed meanwhile and
 * the commit adds again: see `moved-terms.ts`.
 */
export type MovedTerms = ReadonlyMap<TermId, TermId>;

export const STORED = 1;
export const FOUND = 2;

/** Returns the shared id for any id of the overlay. */
export function renamed(id: TermId, renaming: TermRenaming): TermId {
  return id >= LOCAL_BIT ? renaming[id - LOCAL_BIT] : id;
}

/**
 * Appends the used local terms to the shared dictionary in order of creation, so that each follows
 * the terms it refers to. A kernel: yields every few thousand terms, or a megabyte of text.
 * Requires the namespace's write lock; readers need none, since no snapshot mentions the new ids
 * yet.
 *
 * @param used indexed by local number: STORED for a local term that the commit stores, FOUND for
 *   one that gets a shared id only if the dictionary has it, 0 for others
 * @param moved required if the dictionary is not the overlay's
 */
export function* commitTerms(
  overlay: Overlay,
  used: Uint8Array,
  dictionary: Dictionary,
  moved?: MovedTerms,
): Generator<void, TermRenaming, void> {
  const { local } = overlay;
  const { table } = dictionary;
  yield* markReferences(overlay, used);
  const renaming = new Uint32Array(local.size + 1);
  // Without a commit in the meantime, a term that the overlay did not find then is still absent.
  const mayBeShared = moved !== undefined || table.size !== overlay.sharedAtStart;
  const shared = (id: TermId): TermId => (id >= LOCAL_BIT ? renaming[id - LOCAL_BIT] : (moved?.get(id) ?? id));
  let steps = 0;
  for (let number = 1; number <= local.size; number++) {
    if (used[number]) steps += local.lengthOf(number) / BYTES_PER_STEP;
    if (++steps >= STEP) {
      steps = 0;
      yield;
    }
    if (!used[number]) continue;
    if (used[number] === FOUND && !refersToShared(overlay, number, renaming)) continue;
    const meta = sharedMeta(local.metaOf(number), shared);
    let view = local.viewOf(number);
    let start = local.startOf(number);
    let end = start + local.lengthOf(number);
    if (kindOf(meta) === TERM_KIND.triple) {
      for (let at = 0; at < 12; at += 4) TRIPLE.writeUInt32LE(shared(view.getUint32(start + at, true)), at);
      view = TRIPLE_VIEW;
      start = 0;
      end = 12;
    }
    const hash = table.hash(view, start, end);
    const known = mayBeShared ? table.find(meta, view, start, end, hash) : 0;
    renaming[number] = known || (used[number] === FOUND ? 0 : table.add(meta, view, start, end, hash));
  }
  return renaming;
}

/**
 * Marks the terms that used terms refer to. References point backwards, so one pass from the end
 * suffices.
 */
function* markReferences(overlay: Overlay, used: Uint8Array): Generator<void, void, void> {
  const { local } = overlay;
  const mark = (id: TermId, as: number) => {
    if (id >= LOCAL_BIT && used[id - LOCAL_BIT] !== STORED) used[id - LOCAL_BIT] = as;
  };
  for (let number = local.size; number >= 1; number--) {
    if (number % STEP === 0) yield;
    if (!used[number]) continue;
    const meta = local.metaOf(number);
    const kind = kindOf(meta);
    if (kind === TERM_KIND.triple) {
      for (const id of overlay.tripleOf(number + LOCAL_BIT)) mark(id, used[number]);
    } else if (kind !== SCOPE_KIND) {
      mark(referenceOf(meta), used[number]);
    }
  }
}

/** Returns whether everything that a local term refers to has a shared id. */
function refersToShared(overlay: Overlay, number: number, renaming: TermRenaming): boolean {
  const isShared = (id: TermId) => id < LOCAL_BIT || renaming[id - LOCAL_BIT] !== 0;
  const meta = overlay.local.metaOf(number);
  const kind = kindOf(meta);
  if (kind === TERM_KIND.triple) return overlay.tripleOf(number + LOCAL_BIT).every(isShared);
  return kind === SCOPE_KIND || isShared(referenceOf(meta));
}

/** Returns a meta word with its reference mapped to a shared id; a scope keeps its world number. */
export function sharedMeta(meta: TermMeta, shared: (id: TermId) => TermId): TermMeta {
  const kind = kindOf(meta);
  return kind === SCOPE_KIND ? meta : metaWith(kind, shared(referenceOf(meta)));
}
