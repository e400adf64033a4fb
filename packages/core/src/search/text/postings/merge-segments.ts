import { grown, grownBytes } from '../grown.ts';
import { PostingReader } from './posting-reader.ts';
import type { Segment } from './segment.ts';
import { SegmentWriter } from './segment-writer.ts';

/** New local number of a dead document. */
const DROPPED = 0xffff_ffff;
/** Documents or postings between two yields: a fraction of a millisecond. */
const STRIDE = 2048;

/**
 * Merges the live documents of several segments into one; returns undefined if there are none.
 * Yields the number of documents and postings processed since the last yield. Documents that die
 * during the merge are still in the result: the caller must kill them there.
 */
export function* mergeSegments(segments: readonly Segment[]): Generator<number, Segment | undefined> {
  const renumbered = yield* renumber(segments);
  const { docs, lengths, locals } = renumbered;
  if (docs.length === 0) return undefined;
  const sizes = {
    terms: Math.max(...segments.map(({ terms }) => terms.length)),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes.length, 0),
  };
  const writer = new SegmentWriter(docs, lengths, sizes);
  const list = new MergedList();
  const at = segments.map(() => 0);
  let work = 0;
  for (;;) {
    let term = Number.POSITIVE_INFINITY;
    for (let from = 0; from < segments.length; from++) {
      const { terms } = segments[from];
      if (at[from] < terms.length && terms[at[from]] < term) term = terms[at[from]];
    }
    if (term === Number.POSITIVE_INFINITY) break;
    list.clear();
    for (let from = 0; from < segments.length; from++) {
      if (at[from] >= segments[from].terms.length || segments[from].terms[at[from]] !== term) continue;
      list.addSource(segments[from], segments[from].starts[at[from]++], locals[from]);
    }
    work += yield* list.fill();
    if (list.length > 0) {
      writer.begin(term, list.length);
      for (let posting = 0; posting < list.length; posting++) {
        writer.append(list.local[posting], list.frequency[posting]);
        if (posting % STRIDE === STRIDE - 1) yield STRIDE;
      }
      writer.end();
    }
    work += 1 + (list.length % STRIDE);
    if (work >= STRIDE) {
      yield work;
      work = 0;
    }
  }
  return writer.finish();
}

/** Returns the live documents in order, and the new local number of every old one. */
function* renumber(segments: readonly Segment[]) {
  const total = segments.reduce((sum, { size, deadCount }) => sum + size - deadCount, 0);
  const docs = new Uint32Array(total);
  const lengths = new Uint8Array(total);
  const locals = segments.map(({ size }) => new Uint32Array(size));
  const at = segments.map(() => 0);
  let length = 0;
  let work = 0;
  // Each document's liveness is checked once, in document order. `total` may include documents that
  // die meanwhile.
  for (;;) {
    let from = -1;
    let doc = Number.POSITIVE_INFINITY;
    let second = Number.POSITIVE_INFINITY;
    for (let each = 0; each < segments.length; each++) {
      if (at[each] === segments[each].size) continue;
      const next = segments[each].docAt(at[each]);
      if (next < doc) {
        second = doc;
        doc = next;
        from = each;
      } else if (next < second) second = next;
    }
    if (from < 0) break;
    const segment = segments[from];
    // Take all documents before the next one of another segment.
    for (; at[from] < segment.size; at[from]++) {
      const local = at[from];
      if (segment.docAt(local) > second) break;
      if (segment.isDead(local)) locals[from][local] = DROPPED;
      else {
        docs[length] = segment.docAt(local);
        lengths[length] = segment.lengths[local];
        locals[from][local] = length++;
      }
      if (++work === STRIDE) {
        yield work;
        work = 0;
      }
    }
  }
  yield work;
  if (length === total) return { docs, lengths, locals };
  return { docs: docs.slice(0, length), lengths: lengths.slice(0, length), locals };
}

/** Merges one term's posting lists from several segments; each is ascending by new numbers too. */
class MergedList {
  local = new Uint32Array(256);
  frequency = new Uint8Array(256);
  length = 0;
  private readonly readers: PostingReader[] = [];
  private readonly maps: Uint32Array[] = [];
  private readonly heads: number[] = [];
  private sources = 0;

  clear(): void {
    this.length = 0;
    this.sources = 0;
  }

  addSource(segment: Segment, start: number, locals: Uint32Array): void {
    const reader = (this.readers[this.sources] ??= new PostingReader());
    reader.open(segment, start);
    this.maps[this.sources++] = locals;
  }

  /** Merges the lists. Returns the work done since the last yield. */
  *fill(): Generator<number, number> {
    const { readers, heads } = this;
    for (let each = 0; each < this.sources; each++) heads[each] = this.advance(each);
    let work = 0;
    for (;;) {
      let from = -1;
      let least = DROPPED;
      let second = DROPPED;
      for (let each = 0; each < this.sources; each++) {
        if (heads[each] < least) {
          second = least;
          least = heads[each];
          from = each;
        } else if (heads[each] < second) second = heads[each];
      }
      if (from < 0) return work;
      let head = least;
      while (head < second) {
        if (this.length === this.local.length) {
          this.local = grown(this.local, this.length + 1);
          this.frequency = grownBytes(this.frequency, this.length + 1);
        }
        this.local[this.length] = head;
        this.frequency[this.length++] = readers[from].frequency;
        head = this.advance(from);
        if (++work === STRIDE) {
          yield work;
          work = 0;
        }
      }
      heads[from] = head;
    }
  }

  /** Returns the new number of a source's next live posting, or DROPPED at its end. */
  private advance(source: number): number {
    const reader = this.readers[source];
    const map = this.maps[source];
    while (reader.next()) {
      const local = map[reader.local];
      if (local !== DROPPED) return local;
    }
    return DROPPED;
  }
}
