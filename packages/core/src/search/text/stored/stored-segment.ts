import { encodePart, PartReader, sizeOf } from '../../stored-part.ts';
import { Segment } from '../postings/segment.ts';

interface SegmentHead {
  /** Number of documents. */
  readonly size: number;
  readonly firstDoc: number;
  /** Length of the column of document numbers: 0 if they are consecutive. */
  readonly docs: number;
  readonly terms: number;
  readonly blocks: number;
  readonly postings: number;
  readonly bytes: number;
}

/** Encodes a segment, without its dead documents, as it is in memory. */
export function encodeSegment(segment: Segment): Uint8Array[] {
  const { docs, firstDoc, size, lengths, terms, starts, bytes, blocks, postings } = segment;
  const { last, start, shortest, frequent, frequentShortest } = blocks;
  const head: SegmentHead = {
    ...{ size, firstDoc, docs: docs?.length ?? 0, terms: terms.length },
    ...{ blocks: last.length, postings, bytes: bytes.length },
  };
  const columns = [...(docs ? [docs] : []), terms, starts, last, start];
  return encodePart(head, [...columns, lengths, shortest, frequent, frequentShortest, bytes]);
}

/**
 * Decodes a segment that shares the memory of `part`. Throws a RangeError if numbers in it exceed
 * what they count or point to.
 *
 * @param words terms are below this
 */
export function decodeSegment(part: Uint8Array, words: number): Segment {
  const reader = new PartReader(part);
  const head = reader.head<SegmentHead>();
  const docs = reader.column(head.docs);
  const terms = reader.column(head.terms);
  const starts = reader.column(head.terms);
  const last = reader.column(head.blocks);
  const start = reader.column(head.blocks);
  const lengths = reader.byteColumn(head.size);
  const shortest = reader.byteColumn(head.blocks);
  const frequent = reader.byteColumn(head.blocks);
  const frequentShortest = reader.byteColumn(head.blocks);
  const bytes = reader.byteColumn(head.bytes);
  reader.end();
  const firstDoc = sizeOf(head.firstDoc);
  const size = lengths.length;
  const isSound =
    size > 0 &&
    (docs.length === 0 || (docs.length === size && docs[0] === firstDoc && isAscending(docs))) &&
    isAscending(terms) &&
    (terms.length === 0 || terms[terms.length - 1] < words) &&
    isAscending(starts) &&
    (starts.length === 0 || starts[starts.length - 1] < bytes.length) &&
    last.every((local) => local < size) &&
    start.every((at) => at < bytes.length);
  if (!isSound) throw new RangeError('A stored segment of postings is inconsistent.');
  return new Segment({
    ...{ docs: docs.length === 0 ? null : docs, firstDoc, lengths, terms, starts, bytes },
    blocks: { last, start, shortest, frequent, frequentShortest },
    postings: sizeOf(head.postings),
  });
}

function isAscending(column: Uint32Array): boolean {
  for (let at = 1; at < column.length; at++) if (column[at] <= column[at - 1]) return false;
  return true;
}
