import { runAtOnce } from '../contracts/slicer.ts';
import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { XSD_STRING_ID } from './dictionary.ts';
import type { Run } from './run.ts';
import type { Snapshot } from './snapshot.ts';
import { kindOf, LOCAL_BIT, referenceOf } from './term-meta.ts';
import type { TermTable } from './term-table.ts';
import type { WorldGraphs } from './world-graphs.ts';

/**
 * Measures the size of quads for quotas. A quad counts its row plus the texts of its three terms at
 * every mention, so a world's size depends on nothing but its quads: it survives a restart, a
 * compaction or a restore unchanged and does not reveal which terms other worlds have.
 */

/**
 * Bytes per quad: three columns in each of three orders. A named graph counts the same plus its
 * name.
 */
export const ROW_BYTES = 36;
/** Bytes per blank node, whatever its label: its scope and its ordinal. */
const BLANK_NODE_BYTES = 20;
/** Bytes per triple term, in addition to its parts. */
const TRIPLE_BYTES = 12;
/** Number of rows measured per step of a kernel. */
const STEP = 1 << 14;

/** The tables that resolve ids: the dictionary's, and optionally the private terms above it. */
export interface MeasuredTerms {
  readonly shared: TermTable;
  readonly local?: TermTable;
}

/** A number of quads and their size in bytes. */
export interface DataSize {
  readonly quads: number;
  readonly bytes: number;
}

export const NO_DATA: DataSize = { quads: 0, bytes: 0 };

/** Cached sizes of large runs. Ids keep their meaning during the lifetime of a run. */
const measured = new WeakMap<Run, number>();

/**
 * Returns the bytes of a term: UTF-8 of its IRI, or of its lexical form and its datatype or
 * language tag.
 */
export function bytesOfTerm(id: TermId, terms: MeasuredTerms): number {
  const isLocal = id >= LOCAL_BIT;
  const table = isLocal ? terms.local! : terms.shared;
  const number = isLocal ? id - LOCAL_BIT : id;
  const meta = table.metaOf(number);
  switch (kindOf(meta)) {
    case TERM_KIND.blankNode:
      return BLANK_NODE_BYTES;
    case TERM_KIND.literal: {
      const datatype = referenceOf(meta);
      return table.lengthOf(number) + (datatype === XSD_STRING_ID ? 0 : bytesOfTerm(datatype, terms));
    }
    case TERM_KIND.languageLiteral:
      return table.lengthOf(number) + bytesOfTerm(referenceOf(meta), terms);
    case TERM_KIND.triple: {
      const view = table.viewOf(number);
      const start = table.startOf(number);
      let bytes = TRIPLE_BYTES;
      for (let at = 0; at < 12; at += 4) bytes += bytesOfTerm(view.getUint32(start + at, true), terms);
      return bytes;
    }
    default:
      return table.lengthOf(number);
  }
}

/** Returns the bytes of a run's quads. */
export function bytesOfRun(run: Run, terms: MeasuredTerms): number {
  if (run.length === 0) return 0;
  if (run.length <= STEP) return bytesOfRows(run, 0, run.length, terms);
  return measured.get(run) ?? runAtOnce(measureRun(run, terms));
}

/** Measures a large run in steps and caches the result for {@link bytesOfRun}. A kernel. */
export function* measureRun(run: Run, terms: MeasuredTerms): Generator<void, number, void> {
  let bytes = 0;
  for (let from = 0; from < run.length; from += STEP) {
    if (from > 0) yield;
    bytes += bytesOfRows(run, from, Math.min(from + STEP, run.length), terms);
  }
  if (run.length > STEP) measured.set(run, bytes);
  return bytes;
}

/** Returns the quads and bytes of each context of a snapshot. A kernel. */
export function* sizesByContext(
  snapshot: Snapshot,
  terms: MeasuredTerms,
): Generator<void, ReadonlyMap<number, DataSize>, void> {
  const sizes = new Map<number, DataSize>();
  let rest = STEP;
  for (const [i, run] of snapshot.runs.entries()) {
    const sign = snapshot.signs[i];
    for (const [entry, context] of run.contexts.entries()) {
      const end = run.starts[entry + 1];
      let bytes = 0;
      for (let from = run.starts[entry]; from < end; ) {
        const to = Math.min(end, from + rest);
        bytes += bytesOfRows(run, from, to, terms);
        rest -= to - from;
        from = to;
        if (rest > 0) continue;
        yield;
        rest = STEP;
      }
      const known = sizes.get(context) ?? { quads: 0, bytes: 0 };
      const quads = end - run.starts[entry];
      sizes.set(context, { quads: known.quads + sign * quads, bytes: known.bytes + sign * bytes });
    }
  }
  return sizes;
}

/** Returns the growth in bytes of the names of the named graphs, empty graphs included. */
export function growthOfGraphs(before: WorldGraphs | undefined, after: WorldGraphs, terms: MeasuredTerms): number {
  if (before === after) return 0;
  const old = before?.graphs ?? NO_GRAPHS;
  const { graphs } = after;
  let bytes = 0;
  // Both lists ascend, so one merge scan finds the differences.
  for (let i = 0, j = 0; i < old.length || j < graphs.length; ) {
    const gone = j === graphs.length || (i < old.length && old[i] < graphs[j]);
    if (gone) bytes -= ROW_BYTES + bytesOfTerm(old[i++], terms);
    else if (i === old.length || graphs[j] < old[i]) bytes += ROW_BYTES + bytesOfTerm(graphs[j++], terms);
    else {
      i++;
      j++;
    }
  }
  return bytes;
}

const NO_GRAPHS = new Uint32Array(0);

/**
 * Each order sorts by a different position first, so each term is looked up about once, in table
 * order.
 */
function bytesOfRows({ columns }: Run, from: number, to: number, terms: MeasuredTerms): number {
  let bytes = (to - from) * ROW_BYTES;
  for (const [keys] of columns) {
    let last = 0;
    let lastBytes = 0;
    for (let row = from; row < to; row++) {
      const id = keys[row];
      if (id !== last) {
        last = id;
        lastBytes = bytesOfTerm(id, terms);
      }
      bytes += lastBytes;
    }
  }
  return bytes;
}
