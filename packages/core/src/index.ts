/**
 * `@rdf-worlds/core`: what an application uses. Plug-ins are written against `./plugin.ts`,
 * embedders come from `./embedders.ts`.
 *
 * @module @rdf-worlds/core
 */
export type { CanonicalHash } from './canonical/canonical-work.ts';
export { MemoryContents } from './contracts/memory-namespace.ts';
export { MemoryStorage } from './contracts/memory-storage.ts';
export type { PlanNode, QueryPlan } from './contracts/query-plan.ts';
export { SEARCH_SERVICE, SEARCH_VOCABULARY } from './contracts/search-pattern.ts';
export type {
  BackgroundActivity,
  BackgroundProblem,
  EngineHealth,
  OnBackgroundError,
} from './engine/background-failures.ts';
export type { CanonicalForm } from './engine/canonicalize-world.ts';
export type { DeleteGraphResult } from './engine/delete-graph.ts';
export type { DiffQuads, DiffRow, WorldDiff } from './engine/diff-worlds.ts';
export { type BackupInput, backupToken } from './engine/durable/backup-chain.ts';
export { ChangedQuads, type WorldChange } from './engine/durable/change-feed.ts';
export { type PatchOptions, rdfPatchOf } from './engine/durable/change-patch.ts';
export type { Problem } from './engine/durable/check.ts';
export type { ChangeKind } from './engine/durable/commit-record.ts';
export type { CommitStatus } from './engine/durable/commit-status.ts';
export type { EngineMemory, EngineMetrics, NamespaceInMemory } from './engine/engine-metrics.ts';
export type { WorldsEngineOptions } from './engine/engine-options.ts';
export type * from './engine/engine-requests.ts';
export type { EngineStats, HistorySize } from './engine/engine-stats.ts';
export type { Entity } from './engine/entity.ts';
export type { GraphName } from './engine/graph-name.ts';
export type { HistoryOptions } from './engine/history/history-options.ts';
export type { Moment } from './engine/history/moment.ts';
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
export type { FacetCount, SearchFacets } from './engine/search-facets.ts';
export type * from './engine/sparql-results.ts';
export { SparqlText, sparql } from './engine/sparql-text.ts';
export type { TermValue } from './engine/term-value.ts';
export type { TripleSearchResult } from './engine/triple-search-result.ts';
export type { SparqlProblem, SparqlValidation } from './engine/validate-text.ts';
export type { World, WorldSource, WorldSourceFlags } from './engine/world.ts';
export { WorldDataset } from './engine/world-dataset.ts';
export { WorldHandle } from './engine/world-handle.ts';
export type { SchemaClass, SchemaLink, SchemaPredicate, WorldSchema } from './engine/world-schema.ts';
export { WorldStore } from './engine/world-store.ts';
export type { Worlds } from './engine/worlds.ts';
export { WorldsEngine } from './engine/worlds-engine.ts';
export type { WriteResult } from './engine/write-quads.ts';
export { type WriteQueryResultOptions, writeQueryResult } from './engine/write-query-result.ts';
export type { Embed, FramingOptions } from './formats/jsonld/frame.ts';
export { type RemoteContextsOptions, remoteContexts } from './formats/jsonld/remote-contexts.ts';
export { RDF_DIRECTIONS, type RdfDirection } from './formats/rdf-direction.ts';
export type { RdfFormat, ReadOptions, WriteOptions } from './formats/rdf-format.ts';
export { findFormat, mediaTypeOfFile, RDF_FORMATS } from './formats/rdf-formats.ts';
export { MemoryPool } from './model/memory-pool.ts';
export type { PlainTriple, PlainValue } from './model/plain-value.ts';
export { DEFAULT_REQUEST_LIMITS, type RequestLimitName, type RequestLimits } from './model/request-limits.ts';
export { dataFactory } from './model/term.ts';
export {
  ERROR_CODES,
  type ExceededQuota,
  type TextLocation,
  WorldsError,
  type WorldsErrorCode,
  type WorldsErrorOptions,
} from './model/worlds-error.ts';
export type { FieldScore } from './search/fields/field-ranking.ts';
export type { FieldOptions, FieldWeights, SearchField } from './search/fields/field-weights.ts';
export type { HitExplanation, MatchedTerm } from './search/hit-explanation.ts';
export type { OnEmbedderFailure } from './search/literal-vectors.ts';
export type { FusionMethod } from './search/rank-fusion.ts';
export type { FeedbackOptions, Fusion, FusionOptions } from './search/ranking-options.ts';
export type { Snippet } from './search/snippet.ts';
export { type Bm25TextIndexOptions, bm25TextIndex } from './search/text/bm25-text-index.ts';
export { defaultVectorIndex, exactVectorIndex } from './search/vector/default-vector-index.ts';
export { nativeEngine } from './sparql/native-engine.ts';
export type { NativeEngineOptions } from './sparql/native-engine-options.ts';
export { ResultRow } from './sparql/result-row.ts';
export type { ResultFormat, ResultWriteOptions } from './sparql/results/result-format.ts';
export { findResultFormat, RESULT_FORMATS } from './sparql/results/result-formats.ts';
