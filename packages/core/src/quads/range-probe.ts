import { CursorProbe } from '../contracts/cursor-probe.ts';
import {
  NO_PROBE_OPTIONS,
  type ProbeBatch,
  type ProbeKey,
  type ProbeKeys,
  type ProbeOptions,
  type QuadProbe,
} from '../contracts/quad-probe.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { gallop, lowerBound, upperBound } from './bounds.ts';
import { MAX_SECTIONED } from './context-map.ts';
import { fillRows } from './copy-rows.ts';
import { DirectIndex } from './direct-index.ts';
import type { KeyFilter } from './key-filter.ts';
import { subjectIndexName } from './lookup-index.ts';
import {
  boundBits,
  OBJECT,
  PERMUTATION_OF_PATTERN,
  PERMUTATIONS,
  POS,
  PREDICATE,
  PREFIX_OF_PATTERN,
  SPO,
  SUBJECT,
} from './permutation.ts';
import { predicateRows, type RowRange } from './predicate-rows.ts';
import { contextOf, type Section, sectionOf, separate, useDirect, useIndex } from './probe-section.ts';
import { RangeCursor } from './range-cursor.ts';
import { objectsApart, objectsInAll } from './single-objects.ts';
import type { ViewedDataset } from './viewed-dataset.ts';

/**
 * Up to this many rows of all contexts are tested for those of one graph; the graph alone is
 * searched for more.
 */
const FEW_CONTEXTS = 32;
/** Lookups of a pattern before small runs are told apart from the largest one. */
const LOOKUPS_BEFORE_FILTER = 512;

/**
 * Probes one graph directly: a graph of few contexts, or the default graph of many contexts through
 * the permutations over all contexts; likewise many named graphs, any of them or one given per row,
 * if each has one context. Leading constants are searched once; each row's key is then
 * galloped to from where the previous row's search ended. With many lookups a {@link LookupIndex}
 * replaces the search, and most rows are looked up in one of the large runs alone, because a
 * {@link KeyFilter} tells which keys the small runs of recent commits have. Rows whose matches meet
 * tombstones, or lie in several contexts, go through a cursor; so do patterns over other sets of
 * graphs.
 */
export class RangeProbe implements QuadProbe {
  private readonly view: ViewedDataset;
  private cursorProbe: CursorProbe | undefined;
  private isGeneral = false;
  private sections: Section[] = [];
  /** Whether all rows of the sections are quads: insertions in one context. */
  private arePlain = false;
  /**
   * Sections of insertions that have no key in common: a row is looked up in that whose keys are
   * about its own, unless {@link others} has the key. None as long as that is not known.
   */
  private apart: readonly Section[] = [];
  /** The one of them that the last row was looked up in. */
  private section: Section | undefined;
  /** The keys of all other sections; undefined if there are none. */
  private others: KeyFilter | undefined;
  /** Lookups since the sections were opened, or one of them has an index. */
  private lookups = 0;
  /** Whether the current row was looked up in all sections, although most are not. */
  private isSearched = false;
  /** Indexed by position. */
  private keys: readonly [ProbeKey, ProbeKey, ProbeKey] = [NO_TERM, NO_TERM, NO_TERM];
  private options: ProbeOptions = NO_PROBE_OPTIONS;
  private permutation = 0;
  private prefix = 0;
  /** The graph of all rows, or ANY_NAMED_GRAPH. */
  private graph: TermId = NO_TERM;
  /** The graph of each row, where these differ. */
  private graphs: Uint32Array | undefined;
  private length = 0;
  private row = 0;
  /**
   * The matches of the current row not yet returned: rows `at .. until - 1` of a section.
   */
  private current: Section | undefined;
  private at = 0;
  private until = 0;
  /** Matches of the current row in further sections, returned after those of `current`. */
  private readonly more: { section: Section; at: number; until: number }[] = [];
  /**
   * The last match returned for the current row, or -1. The same triple may follow in another
   * context.
   */
  private shown = -1;
  /** Indexed by context: 1 if it belongs to the default graph. */
  private isDefault: Uint8Array = NO_CONTEXTS;
  /** Indexed by context: its named graph, where these are probed. */
  private namedGraph: Uint32Array | undefined;
  /** True while one row is answered by the general probe. */
  private viaCursor = false;

  constructor(view: ViewedDataset) {
    this.view = view;
  }

  begin(keys: ProbeKeys, length: number, options: ProbeOptions = NO_PROBE_OPTIONS): void {
    const { subject, predicate, object, graph } = keys;
    this.viaCursor = false;
    this.isGeneral = !this.isDirect(keys, length);
    this.options = options;
    if (this.isGeneral) {
      this.general.begin(keys, length, options);
      return;
    }
    const before = this.keys;
    this.keys = [subject, predicate, object];
    // A join probes the same pattern batch after batch, mostly with keys that keep ascending.
    const common = typeof graph === 'number' ? graph : ANY_NAMED_GRAPH;
    const isSame = this.graph === common && this.keys.every((key, position) => isSameKind(key, before[position]));
    this.graph = common;
    this.graphs = typeof graph === 'number' ? undefined : graph;
    this.length = length;
    this.row = -1;
    this.current = undefined;
    this.isSearched = false;
    this.more.length = 0;
    if (!isSame) {
      const bound = boundBits(isBound(subject), isBound(predicate), isBound(object));
      this.permutation = PERMUTATION_OF_PATTERN[bound];
      this.prefix = PREFIX_OF_PATTERN[bound];
      this.namedGraph = undefined;
      this.sections = this.view.usesCollection(this.graph) ? this.collectionSections() : this.contextSections();
      this.lookups = 0;
      this.arePlain = arePlain(this.sections);
      this.setApart(this.sections.length === 1 && this.sections[0].sign > 0 ? this.sections : []);
    }
    for (const section of this.sections) {
      if (section.index || section.direct) continue;
      this.findIndex(section);
      if (section.index || section.direct) this.lookups = Math.max(0, this.lookups);
    }
    this.lookups += length;
    if (this.sections.length > 1 && this.lookups >= LOOKUPS_BEFORE_FILTER) this.separate();
  }

  next(out: ProbeBatch): number {
    out.length = 0;
    if (this.isGeneral) return this.general.next(out);
    if (this.options.done?.[this.row] === 1) this.endRow();
    do {
      if (this.viaCursor) {
        // The general probe was given a single row, so its matches are numbered row 0.
        if (this.general.next(out) > 0) {
          out.row.fill(this.row, 0, out.length);
          return out.length;
        }
        this.viaCursor = false;
      }
      if (this.section) this.fillFromApart(out);
      else this.fillFromMany(out);
    } while (this.viaCursor && out.length === 0);
    if (!this.namedGraph) fillRows(out.graph, this.graph, 0, out.length);
    return out.length;
  }

  objects(out: Uint32Array): number | undefined {
    if (this.isGeneral) return undefined;
    const { keys, length } = this;
    const object = keys[OBJECT];
    let count = this.findObjects(keys[SUBJECT] as Uint32Array, out);
    if (count === undefined || object === NO_TERM) return count;
    for (let row = 0; row < length; row++) {
      if (out[row] === NO_TERM || out[row] === (typeof object === 'number' ? object : object[row])) continue;
      out[row] = NO_TERM;
      count--;
    }
    return count;
  }

  /** Does {@link objects} for unbound objects. */
  private findObjects(subjects: Uint32Array, out: Uint32Array): number | undefined {
    const { sections, apart, others, length } = this;
    if (apart.length < sections.length && this.arePlain) {
      const all = indexesOf(sections);
      if (all) return objectsInAll(all, subjects, length, out);
    }
    if (others) for (let row = 0; row < length; row++) if (others.mayHave(subjects[row])) return undefined;
    const indexes = apart.length > 0 ? indexesOf(apart) : undefined;
    return indexes && objectsApart(indexes, subjects, length, out);
  }

  /** Leaves out what remains of the current row. */
  private endRow(): void {
    this.viaCursor = false;
    this.current = undefined;
    this.more.length = 0;
  }

  private get general(): CursorProbe {
    this.cursorProbe ??= new CursorProbe(new RangeCursor(this.view));
    return this.cursorProbe;
  }

  /**
   * Returns whether the graph has few contexts (or is the default graph in the collection, or one
   * of many plain ones there) and no key column contains a wildcard.
   */
  private isDirect({ subject, predicate, object, graph }: ProbeKeys, length: number): boolean {
    const { view } = this;
    if (graph === NO_TERM) return false;
    if (typeof graph !== 'number' || graph === ANY_NAMED_GRAPH) {
      if (!view.usesCollection(ANY_NAMED_GRAPH) || !view.contexts.hasPlainGraphs) return false;
      // The same rows for all keys, of all graphs, would be tested again and again.
      if ([subject, predicate, object].every((key) => typeof key === 'number')) return false;
      if (hasWildcard(graph, length)) return false;
    } else {
      const areFew = (view.contexts.contextsOf(graph)?.length ?? 0) <= MAX_SECTIONED;
      if (!areFew && !(graph === DEFAULT_GRAPH && view.usesCollection(graph))) return false;
    }
    return !hasWildcard(subject, length) && !hasWildcard(predicate, length) && !hasWildcard(object, length);
  }

  private contextSections(): Section[] {
    const sections: Section[] = [];
    const { runs, signs } = this.view.snapshot;
    for (const context of this.view.contexts.contextsOf(this.graph) ?? []) {
      for (let i = 0; i < runs.length; i++) {
        const run = runs[i];
        const entry = run.indexOfContext(context);
        if (entry < 0) continue;
        const columns = run.columnsOf(this.permutation);
        const rows = { start: run.starts[entry], end: run.starts[entry + 1] };
        this.addSection(sections, { run, entry, sign: signs[i], columns, contexts: undefined }, rows);
      }
    }
    return largestFirst(sections);
  }

  private collectionSections(): Section[] {
    const { view, permutation } = this;
    const sections: Section[] = [];
    if (this.graph === DEFAULT_GRAPH) this.isDefault = view.contexts.defaultByContext(view.contextCount);
    else this.namedGraph = view.contexts.namedGraphByContext(view.contextCount);
    view.snapshot.runs.forEach((run, i) => {
      const [first, second, third, contexts] = run.collection![permutation];
      const of = { run, entry: -1, sign: view.snapshot.signs[i], columns: [first, second, third] as const, contexts };
      this.addSection(sections, of, { start: 0, end: contexts.length });
    });
    return largestFirst(sections);
  }

  /** Finds out which sections most rows need not be looked up in. */
  private separate(): void {
    // Not again before a section has an index, by which its keys are known better.
    this.lookups = Number.NEGATIVE_INFINITY;
    const { keys, permutation, prefix } = this;
    const { sections, apart, others } = separate(this.sections, { keys, permutation, prefix });
    this.sections = sections;
    this.arePlain = arePlain(sections);
    if (apart) this.setApart(apart, others);
  }

  private setApart(sections: readonly Section[], others?: KeyFilter): void {
    this.apart = sections;
    this.section = sections[0];
    this.others = others;
  }

  /** Adds those of some rows of a run that match the leading constants, if there are any. */
  private addSection(
    sections: Section[],
    { run, entry, sign, columns, contexts }: Pick<Section, 'run' | 'entry' | 'sign' | 'columns' | 'contexts'>,
    { start, end }: RowRange,
  ): void {
    const { keys, prefix } = this;
    const { order } = PERMUTATIONS[this.permutation];
    let leading = 0;
    for (; leading < prefix && start < end; leading++) {
      const key = keys[order[leading]];
      if (typeof key !== 'number') break;
      start = lowerBound(columns[leading], start, end, key);
      end = upperBound(columns[leading], start, end, key);
    }
    if (start === end) return;
    const lead = columns[Math.min(leading, 2)];
    sections.push({
      run,
      entry,
      sign,
      order,
      columns,
      contexts,
      start,
      end,
      leading,
      low: lead[start],
      high: lead[end - 1],
      index: undefined,
      direct: undefined,
      lastKey: 0,
      position: start,
    });
  }

  /**
   * Uses the index of a constant predicate's rows, by subject or by object, once there have been
   * enough lookups.
   */
  private findIndex(section: Section): void {
    const { permutation, prefix, keys, length } = this;
    const predicate = keys[PREDICATE];
    if (typeof predicate !== 'number' || predicate === NO_TERM) return;
    const { run, columns, contexts, start, end, leading } = section;
    const scope = contexts ? 'all' : 'one';
    if (permutation === POS && prefix >= 2 && leading === 1) {
      const range = { columns: { keys: columns[1], values: columns[2], contexts }, start, end, isSorted: true };
      const index = run.lookupIndexes.get(`${scope} object ${start}`, range, length);
      if (index && !(index instanceof DirectIndex)) useIndex(section, index, PERMUTATIONS[POS].order);
    } else if (permutation === SPO && leading === 0) {
      const [predicates, values, keys, context]: readonly Uint32Array[] = contexts
        ? run.collection![POS]
        : run.columnsOf(POS);
      const rows = predicateRows(predicates, section, predicate);
      const range = { columns: { keys, values, contexts: contexts && context }, ...rows, isSorted: false };
      const index = run.lookupIndexes.get(subjectIndexName(scope, start, predicate), range, length);
      if (index instanceof DirectIndex) useDirect(section, index);
      else if (index) useIndex(section, index, [PREDICATE, SUBJECT, OBJECT]);
    }
  }

  /**
   * Most rows have all their matches in one section. Those whose key may be in another one are
   * searched in all of them.
   */
  private fillFromApart(out: ProbeBatch): void {
    for (let section: Section | undefined; ; ) {
      if (this.isSearched) {
        this.emitSearched(out);
        if (this.viaCursor || out.length === out.capacity) return;
        this.isSearched = false;
      }
      section = this.section!;
      this.fillFromOne(section, out);
      if (this.isSearched) this.search(this.row);
      else if (section === this.section) return;
    }
  }

  /** Emits the matches of the current row that were found by {@link search}. */
  private emitSearched(out: ProbeBatch): void {
    while (this.current && out.length < out.capacity) this.emit(out, this.current);
  }

  /**
   * The fast path of most probes: all matches lie in one run. Stops at a row whose key may be in
   * another one, and sets `isSearched` or `section`.
   */
  private fillFromOne(section: Section, out: ProbeBatch): void {
    if (section.direct) {
      this.fillDirectly(section.direct, out);
      return;
    }
    const { keys, prefix, length: rows, others, apart } = this;
    const { firstOnly, done } = this.options;
    const { order, columns, contexts, start, end, leading, index } = section;
    const wanted = [out.subject, out.predicate, out.object];
    const [first, second, third] = columns;
    const [one, two, three] = [wanted[order[0]], wanted[order[1]], wanted[order[2]]];
    const hasOne = one.length > 0 && !index;
    const hasTwo = two.length > 0;
    const hasThree = three.length > 0;
    const lead = columns[Math.min(leading, 2)];
    const key = leading < prefix ? (keys[order[leading]] as Uint32Array) : undefined;
    const isDeep = leading + 1 < prefix;
    const { capacity, row: rowOut, graph: graphOut } = out;
    const named = graphOut.length > 0 ? this.namedGraph : undefined;
    let { row } = this;
    let { position, lastKey } = section;
    let [at, until] = this.current ? [this.at, this.until] : [0, 0];
    let { length } = out;
    for (;;) {
      for (; at < until && length < capacity; at++) {
        if (contexts !== undefined && !this.isShown(section, at, row)) continue;
        if (named) graphOut[length] = named[contexts![at]];
        rowOut[length] = row;
        if (hasOne) one[length] = first[at];
        if (hasTwo) two[length] = second[at];
        if (hasThree) three[length] = third[at];
        length++;
        if (firstOnly) until = at;
      }
      if (length === capacity) break;
      if (++row >= rows) {
        row = rows;
        break;
      }
      this.shown = -1;
      if (done?.[row] === 1) {
        at = until;
        continue;
      }
      if (key === undefined) {
        at = start;
        until = end;
        continue;
      }
      const wantedKey = key[row];
      if (others?.mayHave(wantedKey)) {
        this.isSearched = true;
        break;
      }
      if (apart.length > 1 && (wantedKey < section.low || wantedKey > section.high)) {
        const other = sectionOf(wantedKey, apart);
        if (other === undefined) continue;
        this.section = other;
        // The row is looked up there.
        row--;
        break;
      }
      if (index) {
        at = index.start(wantedKey);
      } else {
        if (wantedKey < lastKey) position = start;
        lastKey = wantedKey;
        at = position = gallop(lead, position, end, wantedKey);
      }
      if (at === end || lead[at] !== wantedKey) {
        at = until = 0;
        continue;
      }
      until = index ? index.end(wantedKey, at) : upperBound(lead, at, end, wantedKey);
      if (isDeep) [at, until] = this.narrow(section, row, at, until);
      if (this.needsOwnGraph(row, until - at)) {
        this.searchByCursor(row);
        at = until = 0;
        break;
      }
    }
    // An index has no predicate column.
    if (index) fillRows(out.predicate, keys[PREDICATE] as TermId, 0, length);
    section.position = position;
    section.lastKey = lastKey;
    this.row = row;
    this.at = at;
    this.until = until;
    this.current = at < until ? section : undefined;
    out.length = length;
  }

  /** Each row has at most one match. */
  private fillDirectly(index: DirectIndex, out: ProbeBatch): void {
    const { lowest, highest } = index;
    const { keys, length: rows, others, apart } = this;
    const { done } = this.options;
    const subjects = keys[SUBJECT] as Uint32Array;
    const object = keys[OBJECT];
    const objects = typeof object === 'number' ? undefined : object;
    const { capacity, row: rowOut } = out;
    const hasSubject = out.subject.length > 0;
    const hasObject = out.object.length > 0;
    let { row } = this;
    let { length } = out;
    while (length < capacity && ++row < rows) {
      const subject = subjects[row];
      if (others?.mayHave(subject) && done?.[row] !== 1) {
        this.isSearched = true;
        break;
      }
      if (subject < lowest || subject > highest) {
        const other = sectionOf(subject, apart);
        if (other === undefined) continue;
        this.section = other;
        row--;
        break;
      }
      const value = index.get(subject);
      if (value === NO_TERM) continue;
      const wanted = objects ? objects[row] : (object as TermId);
      if ((wanted !== NO_TERM && wanted !== value) || done?.[row] === 1) continue;
      rowOut[length] = row;
      if (hasSubject) out.subject[length] = subject;
      if (hasObject) out.object[length] = value;
      length++;
    }
    fillRows(out.predicate, keys[PREDICATE] as TermId, 0, length);
    this.row = Math.min(row, rows);
    out.length = length;
  }

  /** Whether the graph of a row is given, and not that of all rows. */
  private hasOwnGraph(row: number): boolean {
    return this.graphs !== undefined && this.graphs[row] !== ANY_NAMED_GRAPH;
  }

  /** Whether the graph of a row is to be searched alone: too many matches are in all graphs. */
  private needsOwnGraph(row: number, matches: number): boolean {
    return matches > FEW_CONTEXTS && this.hasOwnGraph(row);
  }

  /**
   * Returns whether a match over all contexts is in the graph of its row and, in the default graph,
   * the first occurrence of its triple.
   */
  private isShown({ columns, contexts }: Section, at: number, row: number): boolean {
    const { namedGraph } = this;
    if (namedGraph) {
      const graph = namedGraph[contexts![at]];
      return graph !== NO_TERM && (!this.hasOwnGraph(row) || this.graphs![row] === graph);
    }
    if (this.isDefault[contexts![at]] === 0) return false;
    const { shown } = this;
    const [first, second, third] = columns;
    // An index has no predicate column; both sides are then undefined.
    if (shown >= 0 && third[at] === third[shown] && second[at] === second[shown] && first[at] === first[shown])
      return false;
    this.shown = at;
    return true;
  }

  /**
   * Narrows a range to the rows that also match the row's keys in the columns after the first
   * searched one.
   */
  private narrow({ order, columns, leading }: Section, row: number, at: number, until: number): [number, number] {
    for (let level = leading + 1; level < this.prefix && at < until; level++) {
      const key = this.keys[order[level]];
      const wanted = typeof key === 'number' ? key : key[row];
      at = lowerBound(columns[level], at, until, wanted);
      until = upperBound(columns[level], at, until, wanted);
    }
    return [at, until];
  }

  private fillFromMany(out: ProbeBatch): void {
    while (!this.viaCursor) {
      this.emitSearched(out);
      if (out.length === out.capacity) return;
      if (++this.row >= this.length) {
        this.row = this.length;
        return;
      }
      this.shown = -1;
      if (this.options.done?.[this.row] !== 1) this.search(this.row);
    }
  }

  /**
   * Finds the matches of a row: in one section, in several disjoint ones, or, in all other cases,
   * through the cursor.
   */
  private search(row: number): void {
    const { keys, prefix, sections } = this;
    const isOneEnough = this.options.firstOnly && this.arePlain;
    this.current = undefined;
    for (const section of sections) {
      if (isOneEnough && this.current) return;
      const { order, columns, leading, index, direct } = section;
      let at = section.start;
      let until = section.end;
      if (direct) {
        const subject = (keys[SUBJECT] as Uint32Array)[row];
        if (subject < section.low || subject > section.high) continue;
        at = subject;
        until = at + 1;
        const object = keys[OBJECT];
        const wanted = typeof object === 'number' ? object : object[row];
        const value = direct.get(subject);
        if (value === NO_TERM || (wanted !== NO_TERM && wanted !== value)) continue;
      } else if (leading < prefix) {
        const key = (keys[order[leading]] as Uint32Array)[row];
        if (key < section.low || key > section.high) continue;
        const lead = columns[leading];
        if (key < section.lastKey) section.position = section.start;
        section.lastKey = key;
        section.position = at = index ? index.start(key) : gallop(lead, section.position, until, key);
        if (at === until || lead[at] !== key) continue;
        until = index ? index.end(key, at) : upperBound(lead, at, until, key);
        [at, until] = this.narrow(section, row, at, until);
        if (at === until) continue;
      }
      const isOther = this.current && (section.contexts || contextOf(section) !== contextOf(this.current));
      if (section.sign < 0 || isOther || this.needsOwnGraph(row, until - at)) {
        this.searchByCursor(row);
        return;
      }
      if (this.current) {
        // Insertions in one context that no deletion touches are distinct quads.
        this.more.push({ section, at, until });
        continue;
      }
      this.current = section;
      this.at = at;
      this.until = until;
    }
  }

  private searchByCursor(row: number): void {
    const [subject, predicate, object] = this.keys.map((key) => (typeof key === 'number' ? key : key[row]));
    const graph = this.graphs ? this.graphs[row] : this.graph;
    this.general.begin({ subject, predicate, object, graph }, 1, { firstOnly: this.options.firstOnly });
    this.endRow();
    this.viaCursor = true;
  }

  private emit(out: ProbeBatch, section: Section): void {
    const { order, columns, contexts, index, direct } = section;
    const [first, second, third] = columns;
    const wanted = [out.subject, out.predicate, out.object];
    const [one, two, three] = [wanted[order[0]], wanted[order[1]], wanted[order[2]]];
    const { firstOnly } = this.options;
    let to = out.length;
    if (direct) {
      // At most one row, and there is room for one.
      out.row[to] = this.row;
      out.subject[to] = this.at;
      out.predicate[to] = this.keys[PREDICATE] as TermId;
      out.object[to] = direct.get(this.at);
      out.length = to + 1;
      this.emitNext();
      return;
    }
    let from = this.at;
    for (; from < this.until && to < out.capacity; from++) {
      if (contexts !== undefined && !this.isShown(section, from, this.row)) continue;
      if (this.namedGraph) out.graph[to] = this.namedGraph[contexts![from]];
      out.row[to] = this.row;
      one[to] = index ? (this.keys[PREDICATE] as TermId) : first[from];
      two[to] = second[from];
      three[to] = third[from];
      to++;
      if (firstOnly) this.until = from + 1;
    }
    this.at = from;
    out.length = to;
    if (from === this.until) this.emitNext();
  }

  /** Continues with the matches of the current row in the next section, unless one is enough. */
  private emitNext(): void {
    if (this.options.firstOnly) {
      this.endRow();
      return;
    }
    const next = this.more.shift();
    this.current = next?.section;
    if (next) ({ at: this.at, until: this.until } = next);
  }
}

const NO_CONTEXTS = new Uint8Array(0);

function arePlain(sections: readonly Section[]): boolean {
  return sections.every(({ sign, contexts }) => sign > 0 && contexts === undefined);
}

/** The first match is mostly in the largest one. */
function largestFirst(sections: Section[]): Section[] {
  return sections.sort((one, other) => other.end - other.start - (one.end - one.start));
}

/** Returns the objects by subject of all sections; undefined if one is looked up otherwise. */
function indexesOf(sections: readonly Section[]): DirectIndex[] | undefined {
  const indexes: DirectIndex[] = [];
  for (const { direct } of sections) {
    if (!direct) return undefined;
    indexes.push(direct);
  }
  return indexes;
}

/** Returns whether a key is the same constant as before, or a column as before. */
function isSameKind(key: ProbeKey, before: ProbeKey): boolean {
  return typeof key === 'number' ? key === before : typeof before !== 'number';
}

function isBound(key: ProbeKey): number {
  return typeof key === 'number' ? key : 1;
}

function hasWildcard(key: ProbeKey, length: number): boolean {
  if (typeof key === 'number') return false;
  for (let row = 0; row < length; row++) if (key[row] === NO_TERM) return true;
  return false;
}
