/**
 * `@rdf-worlds/core/plugin`: the interfaces behind which storages, text indexes, vector indexes and
 * SPARQL engines are exchanged, and what those who implement them need.
 *
 * @module @rdf-worlds/core/plugin
 */
export type { Changes, QuadColumns } from './contracts/changes.ts';
export type { DocId, DocSet } from './contracts/doc-set.ts';
export { publishConfirmed } from './contracts/publish-confirmed.ts';
export { QuadBatch } from './contracts/quad-batch.ts';
export type { QuadCursor, QuadSource } from './contracts/quad-source.ts';
export {
  type GroupAlgebra,
  type GroupOperation,
  readSearchGroup,
  type SearchGroup,
  variableOfSearch,
} from './contracts/search-group.ts';
export type { SearchPattern } from './contracts/search-pattern.ts';
export type { FoundTriple, SearchSource, TripleSearch } from './contracts/search-source.ts';
export type {
  BindingsBatch,
  EvaluateOptions,
  ExplainOptions,
  PreparedQuery,
  PreparedUpdate,
  PrepareOptions,
  QuadsBatch,
  SolutionRow,
  SparqlEngine,
  SparqlResult,
  UpdateView,
} from './contracts/sparql-engine.ts';
export type {
  Checkpoint,
  CheckpointClaim,
  ConfirmHead,
  Head,
  LogRecord,
  NamespaceStorage,
  NamespaceStorageStats,
  Remains,
  Segment,
  Storage,
  StorageCapabilities,
  StorageErrorListener,
  StoredRecord,
  StoredSegment,
} from './contracts/storage.ts';
export {
  checkLogRecords,
  checkSegmentName,
  NO_HEAD,
  sameHead,
  samePlace,
  storageErrors,
} from './contracts/storage-arguments.ts';
export {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TermKind,
  type TermSource,
  type TripleTermIndex,
  type TripleTermPart,
} from './contracts/term-source.ts';
export type {
  StoredTextIndexPart,
  TermScore,
  TextExplainOptions,
  TextFeedback,
  TextHit,
  TextIndex,
  TextIndexDocument,
  TextIndexFactory,
  TextIndexPart,
  TextRange,
  TextScope,
  TextSearchOptions,
  WordHits,
  WordWeight,
} from './contracts/text-index.ts';
export type { VectorHit, VectorIndex, VectorIndexFactory, VectorSearchOptions } from './contracts/vector-index.ts';
export { requireKnownFields } from './model/known-fields.ts';
export type { MemoryBudget, RequestMemory } from './model/memory-budget.ts';
export { requireOptions } from './model/passed-value.ts';
export { throwIfAborted } from './model/worlds-error.ts';
export { docSetHas } from './search/doc-set.ts';
