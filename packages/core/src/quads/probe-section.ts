import type { ProbeKey } from '../contracts/quad-probe.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import type { DirectIndex } from './direct-index.ts';
import { KeyFilter } from './key-filter.ts';
import type { LookupIndex } from './lookup-index.ts';
import { PREDICATE, SPO } from './permutation.ts';
import { predicateRowsOf, subjectsOf } from './predicate-rows.ts';
import type { Run, TripleColumns } from './run.ts';

/**
 * The searched rows of one run: those of one context, or of all, that match the leading constant
 * keys.
 */
export interface Section {
  readonly run: Run;
  /** The number of the context in the run; -1 if the rows are of all contexts. */
  readonly entry: number;
  readonly sign: number;
  /**
   * The context of each row, in permutations over all contexts; undefined if all rows share one.
   */
  contexts: Uint32Array | undefined;
  /** The position that each column holds. */
  order: readonly [number, number, number];
  columns: TripleColumns;
  start: number;
  end: number;
  /** Number of leading columns with a constant key, which all rows share. */
  leading: number;
  /**
   * The smallest and largest key in the first column after the leading ones. Used to skip sections:
   * worlds imported together have ids of their own, so most keys occur in few sections.
   */
  low: number;
  high: number;
  /** Index of the first column after the leading ones, once it pays. */
  index: LookupIndex | undefined;
  /** Object by subject, instead of `index`; a row of the section is then a subject. */
  direct: DirectIndex | undefined;
  /**
   * The last key searched and its first row; the next search resumes there if its key is not
   * smaller.
   */
  lastKey: number;
  position: number;
}

/** Keys of small runs that may be collected: as many as go into a filter in a millisecond. */
const MAX_FILTERED = 1 << 16;
/** Rows that the large runs must have for each of these keys: otherwise many lookups need all. */
const ROWS_PER_KEY = 4;

/** What a probe looks up: its keys by position, as a prefix of the columns of a permutation. */
export interface SectionKeys {
  readonly keys: readonly [ProbeKey, ProbeKey, ProbeKey];
  readonly permutation: number;
  readonly prefix: number;
}

/** The sections of a pattern by the keys that they have. */
export interface Separated {
  /** All sections that have rows of the pattern. */
  readonly sections: Section[];
  /**
   * Those whose ranges of keys do not overlap, some without the ends of their ranges: a key is in
   * one of them at most. Undefined if there are too many other keys, or these are not known.
   */
  readonly apart: readonly Section[] | undefined;
  /** All keys that are not in their ranges; undefined if there are none. */
  readonly others: KeyFilter | undefined;
}

/**
 * Finds large sections whose ranges of keys do not overlap, or nearly so, and collects the keys of
 * all others.
 *
 * @param sections the largest first
 */
export function separate(sections: Section[], pattern: SectionKeys): Separated {
  if (sections.some(({ contexts, leading }) => contexts || leading >= pattern.prefix))
    return { sections, apart: undefined, others: undefined };
  const apart: Section[] = [];
  const used: Section[] = [];
  const keys: Uint32Array[] = [];
  let count = 0;
  let rows = 0;
  for (const section of sections) {
    const rowsOfOne = countRows(section, pattern);
    if (rowsOfOne === 0) continue;
    used.push(section);
    const part = section.sign > 0 ? partBeside(section, apart) : undefined;
    const outside = part && keysOutside(section, part, pattern);
    const isApart = outside !== undefined && outside.length * ROWS_PER_KEY <= rowsOfOne;
    if (isApart) {
      apart.push(part!);
      rows += rowsOfOne;
    }
    const filtered = isApart ? outside : keysOf(section, pattern);
    count += filtered.length;
    keys.push(filtered);
  }
  if (count > MAX_FILTERED || count * ROWS_PER_KEY > rows)
    return { sections: used, apart: undefined, others: undefined };
  const others = count > 0 ? new KeyFilter(count) : undefined;
  for (const keysOfOne of keys) others?.add(keysOfOne);
  return { sections: used, apart, others };
}

/**
 * Returns the section, or the part of it whose keys are outside of the ranges of others; undefined
 * if that is not one range. Worlds often share the few entities at the ends of their ranges.
 */
function partBeside(section: Section, others: readonly Section[]): Section | undefined {
  let { low, high } = section;
  for (const other of others) {
    if (other.high < low || other.low > high) continue;
    if (other.low <= low) low = other.high + 1;
    else if (other.high >= high) high = other.low - 1;
    else return undefined;
    if (low > high) return undefined;
  }
  if (low === section.low && high === section.high) return section;
  return { ...section, low, high, direct: section.direct?.between(low, high) };
}

/**
 * Returns the keys of a section that a part of it leaves out; undefined if it would take too long
 * to find them.
 */
function keysOutside(section: Section, part: Section, pattern: SectionKeys): Uint32Array | undefined {
  if (part === section) return NO_COLUMN;
  const index = section.direct ?? section.index;
  if (index) {
    const below = index.keysBetween(section.low, part.low - 1);
    const above = index.keysBetween(part.high + 1, section.high);
    const outside = new Uint32Array(below.length + above.length);
    outside.set(below);
    outside.set(above, below.length);
    return outside;
  }
  const keys = keysOf(section, pattern);
  if (keys.length > MAX_FILTERED) return undefined;
  return keys.filter((key) => key < part.low || key > part.high);
}

function countRows({ run, entry, start, end }: Section, { keys, permutation }: SectionKeys): number {
  const predicate = keys[PREDICATE];
  if (permutation !== SPO || typeof predicate !== 'number' || predicate === NO_TERM) return end - start;
  const rows = predicateRowsOf(run, entry, predicate);
  return rows.end - rows.start;
}

/** Returns the keys that a section has in the first column after the leading ones. */
function keysOf(section: Section, { keys, permutation }: SectionKeys): Uint32Array {
  const { run, entry, columns, leading, start, end } = section;
  const predicate = keys[PREDICATE];
  if (permutation !== SPO || typeof predicate !== 'number' || predicate === NO_TERM)
    return columns[leading].subarray(start, end);
  // Of the subjects only those of the predicate.
  return subjectsOf(run, entry, predicate);
}

/** Returns the context of all rows of a section. */
export function contextOf({ run, entry }: Section): number {
  return run.contexts[entry];
}

/** Returns the section whose keys a key is among. */
export function sectionOf(key: number, sections: readonly Section[]): Section | undefined {
  for (const section of sections) if (key >= section.low && key <= section.high) return section;
  return undefined;
}

/** Makes a section search its rows through an index of (key, value) pairs of one predicate. */
export function useIndex(section: Section, index: LookupIndex, order: readonly [number, number, number]): void {
  section.order = order;
  section.columns = [NO_COLUMN, index.keys, index.values];
  section.contexts = index.contexts;
  section.start = section.position = section.lastKey = 0;
  section.end = index.keys.length;
  section.low = index.lowest;
  section.high = index.highest;
  section.leading = 1;
  section.index = index;
}

/** Makes a section find its rows, of one predicate, through the objects by subject. */
export function useDirect(section: Section, direct: DirectIndex): void {
  section.direct = direct;
  section.start = direct.lowest;
  section.end = direct.highest + 1;
  section.low = direct.lowest;
  section.high = direct.highest;
}

const NO_COLUMN = new Uint32Array(0);
