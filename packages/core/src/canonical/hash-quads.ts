import type { CanonicalWork } from './canonical-work.ts';
import { type BlankNodeQuad, lineOf } from './dataset-lines.ts';
import { sortTexts } from './sort-texts.ts';

const STRIDE = 256;

/** Hashes the sorted lines of some quads, with these labels of their blank nodes. A kernel. */
export function* hashQuads(
  quads: readonly BlankNodeQuad[],
  label: (node: number) => string,
  work: CanonicalWork,
): Generator<void, string> {
  const lines: string[] = [];
  for (const quad of quads) if (lines.push(lineOf(quad, label)) % STRIDE === 0) yield;
  const hash = work.newHash();
  let hashed = 0;
  for (const line of yield* sortTexts(lines)) {
    hash.update(line);
    if (++hashed % STRIDE === 0) yield;
  }
  return hash.digest();
}
