export type * from './engine/sparql-results.ts';
export type { TripleSearchResult } from './engine/triple-search-result.ts';
export type { World, WorldSource, WorldSourceFlags } from './engine/world.ts';
export { dataFactory } from './model/term.ts';
export {
  ERROR_CODES,
  type TextLocation,
  WorldsError,
  type WorldsErrorCode,
  type WorldsErrorOptions,
} from './model/worlds-error.ts';
export type { Changes, QuadColumns } from './storage/changes.ts';
export type { DocId, DocSet } from './storage/doc-set.ts';
export type { Embedder, EmbedOptions } from './storage/embedder.ts';
export { QuadBatch, type QuadCursor, type QuadSource } from './storage/quad-source.ts';
export type {
  BindingsBatch,
  EvaluateOptions,
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  QuadsBatch,
  SolutionRow,
  SparqlEngine,
  SparqlResult,
  UpdateView,
} from './storage/sparql-engine.ts';
export {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TermKind,
  type TermSource,
} from './storage/term-source.ts';
export type { TextHit, TextIndex, TextIndexFactory, TextSearchOptions } from './storage/text-index.ts';
export type { VectorHit, VectorIndex, VectorIndexFactory, VectorSearchOptions } from './storage/vector-index.ts';
