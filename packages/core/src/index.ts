export type { CanonicalHash } from './canonical/canonical-work.ts';
export type { Changes, QuadColumns } from './contracts/changes.ts';
export type { DocId, DocSet } from './contracts/doc-set.ts';
export type {
  Embedder,
  EmbedderModel,
  EmbedOptions,
  TrainableEmbedder,
  TrainedEmbedder,
  TrainingText,
  TrainingTexts,
  TrainOptions,
} from './contracts/embedder.ts';
export { MemoryContents } from './contracts/memory-namespace.ts';
export { MemoryStorage } from './contracts/memory-storage.ts';
export { QuadBatch } from './contracts/quad-batch.ts';
export type { QuadCursor, QuadSource } from './contracts/quad-source.ts';
export type { PlanNode, QueryPlan } from './contracts/query-plan.ts';
export {
  type GroupAlgebra,
  type GroupOperation,
  readSearchGroup,
  type SearchGroup,
  variableOfSearch,
} from './contracts/search-group.ts';
export {
  SEARCH_SERVICE,
  SEARCH_VOCABULARY,
  type SearchPattern,
} from './contracts/search-pattern.ts';
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
export { checkLogRecords, checkSegmentName, NO_HEAD, sameHead, storageErrors } from './contracts/storage-arguments.ts';
export {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TermKind,
  type TermSource,
} from './contracts/term-source.ts';
export type {
  TermScore,
  TextExplainOptions,
  TextFeedback,
  TextHit,
  TextIndex,
  TextIndexFactory,
  TextRange,
  TextScope,
  TextSearchOptions,
} from './contracts/text-index.ts';
export { assignCaller, type Caller } from './contracts/turns.ts';
export type { VectorHit, VectorIndex, VectorIndexFactory, VectorSearchOptions } from './contracts/vector-index.ts';
export type {
  BackgroundActivity,
  BackgroundProblem,
  EngineHealth,
  OnBackgroundError,
} from './engine/background-failures.ts';
export type { CanonicalForm } from './engine/canonicalize-world.ts';
export type { DeleteGraphResult } from './engine/delete-graph.ts';
export { type BackupInput, backupToken } from './engine/durable/backup-chain.ts';
export { ChangedQuads, type WorldChange } from './engine/durable/change-feed.ts';
export { rdfPatchOf } from './engine/durable/change-patch.ts';
export type { Problem } from './engine/durable/check.ts';
export type { ChangeKind } from './engine/durable/commit-record.ts';
export type { CommitStatus } from './engine/durable/commit-status.ts';
export type { EngineMemory, EngineMetrics } from './engine/engine-metrics.ts';
export type { WorldsEngineOptions } from './engine/engine-options.ts';
export type * from './engine/engine-requests.ts';
export type { EngineStats } from './engine/engine-stats.ts';
export type { Entity } from './engine/entity.ts';
export type { GraphName } from './engine/graph-name.ts';
export type { ImportData, JsonLdDocument } from './engine/import-data.ts';
export type { ImportResult } from './engine/import-world.ts';
export type { Logger } from './engine/logger.ts';
export type { CheckResult, CompactResult } from './engine/maintenance.ts';
export type { NamespaceRecord } from './engine/namespace-record.ts';
export { PreparedSparql, type SparqlForm } from './engine/prepared-sparql.ts';
export { QuadsResult, type QueryResult, SelectResult, type UpdateResult } from './engine/query-results.ts';
export type { NamespaceQuotaUse, QuotaUse, WorldQuotaUse } from './engine/quota-use.ts';
export type { NamespaceQuota, QuotaName, QuotaPolicy, Quotas, QuotaTable, WorldQuota } from './engine/quotas.ts';
export type { ImportProgress } from './engine/read-documents.ts';
export type { SalvagedWorld, SalvageReport } from './engine/salvage-namespace.ts';
export type * from './engine/sparql-results.ts';
export { SparqlText, sparql } from './engine/sparql-text.ts';
export type { TermValue } from './engine/term-value.ts';
export type { TripleSearchResult } from './engine/triple-search-result.ts';
export type { World, WorldSource, WorldSourceFlags } from './engine/world.ts';
export { WorldDataset } from './engine/world-dataset.ts';
export { WorldHandle } from './engine/world-handle.ts';
export {
  DEFAULT_NAMESPACE_MARK,
  NAME_PATTERN,
  NAME_RULE,
  type ResolvedSource,
  resolveNamespace,
  resolveSource,
} from './engine/world-name.ts';
export { WorldStore } from './engine/world-store.ts';
export * from './engine/worlds-engine.ts';
export type { WriteResult } from './engine/write-quads.ts';
export { type WriteQueryResultOptions, writeQueryResult } from './engine/write-query-result.ts';
export { RDF_DIRECTIONS, type RdfDirection } from './formats/rdf-direction.ts';
export type { RdfFormat, ReadOptions, WriteOptions } from './formats/rdf-format.ts';
export { findFormat, mediaTypeOfFile, RDF_FORMATS } from './formats/rdf-formats.ts';
export { isAbsoluteIri } from './model/iri.ts';
export { fieldsOf, nearestName, requireKnownFields } from './model/known-fields.ts';
export type { MemoryBudget, RequestMemory } from './model/memory-budget.ts';
export { MemoryPool } from './model/memory-pool.ts';
export type { PlainTriple, PlainValue } from './model/plain-value.ts';
export {
  DEFAULT_REQUEST_LIMITS,
  type RequestLimitName,
  type RequestLimits,
} from './model/request-limits.ts';
export { dataFactory } from './model/term.ts';
export {
  ERROR_CODES,
  type ExceededQuota,
  type TextLocation,
  throwIfAborted,
  WorldsError,
  type WorldsErrorCode,
  type WorldsErrorOptions,
} from './model/worlds-error.ts';
export { docSetHas } from './search/doc-set.ts';
export { EmbedderFailure } from './search/embedder-failure.ts';
export {
  type AiSdkEmbedderOptions,
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from './search/embedders/ai-sdk-embedder.ts';
export type { EmbedderSettings } from './search/embedders/embedding-call.ts';
export { type FunctionEmbedderOptions, functionEmbedder } from './search/embedders/function-embedder.ts';
export {
  type LangChainEmbedderOptions,
  type LangChainEmbeddings,
  langChainEmbedder,
} from './search/embedders/langchain-embedder.ts';
export { type LsaEmbedderOptions, lsaEmbedder } from './search/embedders/lsa/lsa-embedder.ts';
export type { TermAnalyzer, TermAnalyzerOf } from './search/embedders/lsa/term-analyzer.ts';
export { type OllamaEmbedderOptions, ollamaEmbedder } from './search/embedders/ollama-embedder.ts';
export { type OpenAiEmbedderOptions, openAiEmbedder } from './search/embedders/openai-embedder.ts';
export {
  type TransformersEmbedderOptions,
  type TransformersPipeline,
  type TransformersTensor,
  transformersEmbedder,
} from './search/embedders/transformers-embedder.ts';
export type { FieldScore } from './search/fields/field-index.ts';
export type { FieldOptions, FieldWeights, SearchField } from './search/fields/field-weights.ts';
export type { HitExplanation, MatchedTerm } from './search/hit-explanation.ts';
export type { OnEmbedderFailure } from './search/literal-vectors.ts';
export type { FusionMethod } from './search/rank-fusion.ts';
export type { FeedbackOptions, Fusion, FusionOptions } from './search/ranking-options.ts';
export {
  type NumberRule,
  numberRuleText,
  obeysRule,
  SEARCH_SETTINGS,
  type SearchSetting,
  type SettingGroup,
} from './search/search-settings.ts';
export type { Snippet } from './search/snippet.ts';
export { type Bm25TextIndexOptions, bm25TextIndex } from './search/text/bm25-text-index.ts';
export { defaultVectorIndex, exactVectorIndex } from './search/vector/default-vector-index.ts';
export { nativeEngine } from './sparql/native-engine.ts';
export type { NativeEngineOptions } from './sparql/native-engine-options.ts';
export { ResultRow } from './sparql/result-row.ts';
export type { ResultFormat, ResultWriteOptions } from './sparql/results/result-format.ts';
export { findResultFormat, RESULT_FORMATS } from './sparql/results/result-formats.ts';
