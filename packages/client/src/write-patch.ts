import { WorldsError } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';
import { quadLine } from './n-quads-text.ts';

const BLOCK_UNITS = 1 << 16;

/**
 * Yields an RDF Patch that deletes, then inserts quads. The labels of blank nodes that this library
 * issued denote these nodes; any other label denotes a new node, the same throughout the patch.
 */
export async function* patchOf(remove: unknown, insert: unknown): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode('TX .\n');
  for (const [code, quads, field] of [
    ['D', remove, 'write: delete'],
    ['A', insert, 'write: insert'],
  ] as const) {
    let lines = '';
    for (const quad of iterable(quads, field)) {
      if (typeof quad !== 'object' || quad === null)
        throw new WorldsError('INVALID_ARGUMENT', `${field}: expected RDF/JS quads.`);
      lines += `${code} ${quadLine(quad)}`;
      if (lines.length < BLOCK_UNITS) continue;
      yield encoder.encode(lines);
      lines = '';
    }
    if (lines !== '') yield encoder.encode(lines);
  }
  yield encoder.encode('TC .\n');
}

function iterable(quads: unknown, field: string): Iterable<RDF.Quad> {
  if (quads === undefined) return [];
  if (typeof quads === 'object' && quads !== null && Symbol.iterator in quads) return quads as Iterable<RDF.Quad>;
  throw new WorldsError('INVALID_ARGUMENT', `${field}: expected an iterable of RDF/JS quads.`);
}
