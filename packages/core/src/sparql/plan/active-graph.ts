import { DEFAULT_GRAPH, type TermId } from '../../contracts/term-source.ts';
import { CONSTANT } from '../exec/quad-pattern.ts';

/**
 * The graph that patterns match in: the default graph, a named graph, or all named graphs bound to
 * a variable.
 */
export interface ActiveGraph {
  /** Slot of the graph variable, or CONSTANT. */
  readonly slot: number;
  readonly id: TermId;
}

export const DEFAULT_ACTIVE_GRAPH: ActiveGraph = { slot: CONSTANT, id: DEFAULT_GRAPH };

/** A graph that is not in the dataset: no pattern matches in it. */
export const UNKNOWN_GRAPH: TermId = -1;
