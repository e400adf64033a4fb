import { DEFAULT_GRAPH, type TermId } from '../../storage/term-source.ts';
import { CONSTANT } from '../exec/quad-pattern.ts';

/**
 * Where patterns look: the default graph, a named one, or every named one with a variable for its
 * name.
 */
export interface ActiveGraph {
  /** CONSTANT, or the slot of the graph's variable. */
  readonly slot: number;
  readonly id: TermId;
}

export const DEFAULT_ACTIVE_GRAPH: ActiveGraph = { slot: CONSTANT, id: DEFAULT_GRAPH };

/** A graph that the dataset does not know: no pattern matches in it. */
export const UNKNOWN_GRAPH: TermId = -1;
