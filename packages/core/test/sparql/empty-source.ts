import { NaiveUpdateView } from '@rdf-worlds/testkit';
import type { QuadSource } from '../../src/contracts/quad-source.ts';

/** A dataset without quads. */
export function emptySource(): QuadSource {
  return new NaiveUpdateView([[]]).source;
}
