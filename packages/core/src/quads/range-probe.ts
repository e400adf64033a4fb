import { CursorProbe } from '../storage/cursor-probe.ts';
import type { ProbeBatch, ProbeKey, ProbeKeys, QuadProbe } from '../storage/quad-probe.ts';
import { ANY_NAMED_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import { gallop, lowerBound, upperBound } from './bounds.ts';
import type { DatasetView } from './dataset-view.ts';
import { boundBits, PERMUTATION_OF_PATTERN, PERMUTATIONS, PREFIX_OF_PATTERN } from './permutation.ts';
import { RangeCursor } from './range-cursor.ts';

/** One run's rows of the probed context, and where the last search in them ended. */
interface Section {
  first: Uint32Array;
  second: Uint32Array;
  third: Uint32Array;
  start: number;
  end: number;
  sign: number;
  position: number;
}

/**
 * Probes one context directly: a galloping search in each run, from where the search of the row before ended. Rows whose matches lie in
 * several runs, or under tombstones, take the way of the cursor; so do patterns over several contexts.
 */
export class RangeProbe implements QuadProbe {
  private readonly view: DatasetView;
  private readonly general: CursorProbe;
  private isGeneral = false;
  private sections: Section[] = [];
  private keys: [ProbeKey, ProbeKey, ProbeKey] = [NO_TERM, NO_TERM, NO_TERM];
  private permutation = 0;
  private prefix = 0;
  private graph: TermId = NO_TERM;
  private length = 0;
  private row = 0;
  /** The matches of the current row that are still to be given out. */
  private current: Section | undefined;
  private at = 0;
  private until = 0;
  private lastKey = 0;
  /** Set while one row goes through the general probe. */
  private viaCursor = false;
  private readonly rowKeys = { subject: NO_TERM, predicate: NO_TERM, object: NO_TERM, graph: NO_TERM };

  constructor(view: DatasetView) {
    this.view = view;
    this.general = new CursorProbe(new RangeCursor(view));
  }

  begin(keys: ProbeKeys, length: number): void {
    const { subject, predicate, object, graph } = keys;
    this.viaCursor = false;
    this.isGeneral = !this.isDirect(keys, length);
    if (this.isGeneral) {
      this.general.begin(keys, length);
      return;
    }
    const bound = boundBits(isBound(subject), isBound(predicate), isBound(object));
    this.permutation = PERMUTATION_OF_PATTERN[bound];
    this.prefix = PREFIX_OF_PATTERN[bound];
    const positions = [subject, predicate, object];
    const [first, second, third] = PERMUTATIONS[this.permutation].order;
    this.keys = [positions[first], positions[second], positions[third]];
    this.graph = graph as TermId;
    this.length = length;
    this.row = -1;
    this.current = undefined;
    this.lastKey = 0;
    this.openSections(this.view.contexts.contextsOf(this.graph)?.[0]);
  }

  next(out: ProbeBatch): number {
    out.length = 0;
    if (this.isGeneral) return this.general.next(out);
    for (;;) {
      if (this.viaCursor) {
        // One row alone: its matches come under row 0.
        if (this.general.next(out) > 0) {
          out.row.fill(this.row, 0, out.length);
          return out.length;
        }
        this.viaCursor = false;
      }
      if (this.current) this.emit(out, this.current);
      if (out.length === out.capacity) return out.length;
      if (++this.row >= this.length) {
        this.row = this.length;
        return out.length;
      }
      this.search(this.row);
      // What is gathered goes out first, so that rows stay in order.
      if (this.viaCursor && out.length > 0) return out.length;
    }
  }

  /** One context, and no wildcard in a column of keys. */
  private isDirect({ subject, predicate, object, graph }: ProbeKeys, length: number): boolean {
    const { view } = this;
    if (typeof graph !== 'number' || graph === NO_TERM || graph === ANY_NAMED_GRAPH) return false;
    if ((view.contexts.contextsOf(graph)?.length ?? 0) > 1) return false;
    return [subject, predicate, object].every((key) => typeof key === 'number' || !hasWildcard(key, length));
  }

  private openSections(context: number | undefined): void {
    this.sections = [];
    if (context === undefined) return;
    const { runs, signs } = this.view.snapshot;
    for (let i = 0; i < runs.length; i++) {
      const run = runs[i];
      const entry = run.indexOfContext(context);
      if (entry < 0) continue;
      const [first, second, third] = run.columns[this.permutation];
      const start = run.starts[entry];
      this.sections.push({ first, second, third, start, end: run.starts[entry + 1], sign: signs[i], position: start });
    }
  }

  /** Finds the matches of a row: in one section, in none, or, where it is not that simple, through the cursor. */
  private search(row: number): void {
    const { keys, prefix, sections } = this;
    const [first, second, third] = keys;
    const a = typeof first === 'number' ? first : first[row];
    const b = typeof second === 'number' ? second : second[row];
    const c = typeof third === 'number' ? third : third[row];
    this.current = undefined;
    if (a < this.lastKey) for (const section of sections) section.position = section.start;
    for (let i = 0; i < sections.length; i++) {
      const section = sections[i];
      let at = section.start;
      let until = section.end;
      if (prefix > 0) {
        const column = section.first;
        at = gallop(column, section.position, until, a);
        section.position = at;
        if (at === until || column[at] !== a) continue;
        until = upperBound(column, at, until, a);
        if (prefix > 1) {
          at = lowerBound(section.second, at, until, b);
          if (at === until || section.second[at] !== b) continue;
          until = upperBound(section.second, at, until, b);
          if (prefix > 2) {
            at = lowerBound(section.third, at, until, c);
            if (at === until || section.third[at] !== c) continue;
            until = at + 1;
          }
        }
      }
      if (at === until) continue;
      if (this.current || section.sign < 0) {
        this.searchByCursor(row);
        break;
      }
      this.current = section;
      this.at = at;
      this.until = until;
    }
    // A section behind the break keeps an older position, which is not beyond the next larger key either.
    this.lastKey = a;
  }

  private searchByCursor(row: number): void {
    const { order } = PERMUTATIONS[this.permutation];
    const values = [NO_TERM, NO_TERM, NO_TERM];
    this.keys.forEach((key, i) => {
      values[order[i]] = typeof key === 'number' ? key : key[row];
    });
    const [subject, predicate, object] = values;
    Object.assign(this.rowKeys, { subject, predicate, object, graph: this.graph });
    this.general.begin(this.rowKeys, 1);
    this.current = undefined;
    this.viaCursor = true;
  }

  private emit(out: ProbeBatch, { first, second, third }: Section): void {
    const { order } = PERMUTATIONS[this.permutation];
    const columns = [out.subject, out.predicate, out.object];
    const [one, two, three] = [columns[order[0]], columns[order[1]], columns[order[2]]];
    const count = Math.min(this.until - this.at, out.capacity - out.length);
    let to = out.length;
    let from = this.at;
    for (const end = from + count; from < end; from++, to++) {
      out.row[to] = this.row;
      one[to] = first[from];
      two[to] = second[from];
      three[to] = third[from];
      out.graph[to] = this.graph;
    }
    this.at = from;
    out.length = to;
    if (from === this.until) this.current = undefined;
  }
}

function isBound(key: ProbeKey): number {
  return typeof key === 'number' ? key : 1;
}

function hasWildcard(column: Uint32Array, length: number): boolean {
  for (let row = 0; row < length; row++) if (column[row] === NO_TERM) return true;
  return false;
}
