import type { Head } from '@rdf-worlds/core/plugin';
import type { Manifest } from './manifest.ts';

/** Returns the head of a namespace at a position. */
export function headAt({ incarnation, generation = 0 }: HeadIdentity, position: number): Head {
  return { incarnation, position, generation };
}

/** The parts of a head that do not change with the position. */
export type HeadIdentity = Pick<Manifest, 'incarnation' | 'generation'>;
