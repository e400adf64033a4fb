/** What the triples in one kind of place may contain. */
export interface TripleMode {
  readonly paths: boolean;
  readonly variables: boolean;
  /**
   * What blank nodes become: variables in patterns (section 4.1.4), nodes in templates, or an error
   * (section 19.8, note 7).
   */
  readonly blankNodes: 'variables' | 'nodes' | 'refused';
  /** Whether the triples form a pattern to match, so that they count against the pattern limit. */
  readonly isPattern: boolean;
  /**
   * Most constants of a text whose places are remembered. Texts with more are not compared with
   * others.
   */
  readonly maxConstants: number;
  /** Used in messages: "... in a CONSTRUCT template". */
  readonly place: string;
}

/** Of data without variables, which need no plan. */
const MAX_CONSTANTS_OF_DATA = 64;

const mode = (place: string, blankNodes: TripleMode['blankNodes'], allowed: Partial<TripleMode> = {}): TripleMode => ({
  paths: false,
  variables: true,
  isPattern: false,
  maxConstants: 32,
  blankNodes,
  place,
  ...allowed,
});

export const WHERE_TRIPLES = mode('a pattern', 'variables', { paths: true, isPattern: true });
/** `CONSTRUCT WHERE { ... }`: a pattern that is its own template. */
export const SHORT_CONSTRUCT_TRIPLES = mode('the short form of CONSTRUCT', 'variables', { isPattern: true });
export const CONSTRUCT_TRIPLES = mode('a CONSTRUCT template', 'nodes');
export const INSERT_TRIPLES = mode('an INSERT template', 'nodes');
export const INSERT_DATA_TRIPLES = mode('INSERT DATA', 'nodes', {
  variables: false,
  maxConstants: MAX_CONSTANTS_OF_DATA,
});
export const DELETE_TRIPLES = mode('a DELETE template', 'refused');
export const DELETE_WHERE_TRIPLES = mode('DELETE WHERE', 'refused', { isPattern: true });
export const DELETE_DATA_TRIPLES = mode('DELETE DATA', 'refused', {
  variables: false,
  maxConstants: MAX_CONSTANTS_OF_DATA,
});
