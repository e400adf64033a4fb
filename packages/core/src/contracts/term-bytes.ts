import { Buffer } from '#platform';
import type { PlatformBytes } from '../platform/platform.ts';
import type { TermId, TermSource } from './term-source.ts';

/** Storage kinds of terms; the values of {@link TermBytes.kind}. */
export const TERM_KIND = {
  defaultGraph: 1,
  iri: 2,
  blankNode: 3,
  /** A literal with a datatype; `reference` is the datatype's id. */
  literal: 4,
  /**
   * A literal with a language; `reference` is the id of the tag, whose bytes are the tag's text.
   */
  languageLiteral: 5,
  /** A triple term; see {@link TermBytesSource.tripleOf}. */
  triple: 6,
  /** Not an RDF term: a language tag, or a blank-node scope. */
  internal: 7,
} as const;

/**
 * Location of a term's bytes: `buffer[start .. end)`, UTF-8, unescaped. Filled by `locate`; reuse
 * one object in a loop.
 */
export class TermBytes {
  kind = 0;
  buffer: PlatformBytes = EMPTY;
  /** The same bytes as `buffer`, for multi-byte reads. */
  view: DataView = NO_BYTES;
  start = 0;
  end = 0;
  reference: TermId = 0;
}

const EMPTY = Buffer.alloc(0);
const NO_BYTES = new DataView(new ArrayBuffer(0));

/**
 * Copies bytes `start .. end - 1`, four at a time. Faster for short texts than a native copy, which
 * allocates two views.
 */
export function copyBytes(source: DataView, start: number, end: number, target: DataView, at: number): void {
  for (const last = end - 3; start < last; start += 4, at += 4) target.setInt32(at, source.getInt32(start, true), true);
  for (; start < end; start++, at++) target.setUint8(at, source.getUint8(start));
}

/**
 * A {@link TermSource} that also exposes the stored bytes, for writers that never create a string.
 */
export interface TermBytesSource extends TermSource {
  locate(id: TermId, at: TermBytes): void;
  /** Returns the label of a blank node, without `_:`; ASCII. */
  blankNodeLabel(id: TermId): string;
  /** Returns the three ids of a triple term. */
  tripleOf(id: TermId): readonly [subject: TermId, predicate: TermId, object: TermId];
}
