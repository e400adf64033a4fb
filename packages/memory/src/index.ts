/**
 * `@rdf-worlds/memory`: facts with provenance and two times, and what an agent does with worlds, as
 * one table of tools.
 *
 * @module @rdf-worlds/memory
 */
export { AgentMemory, type AgentMemoryOptions, type MemoryEngine } from './agent-memory.ts';
export { labelOf } from './entity-labels.ts';
export { estimateTokens } from './estimate-tokens.ts';
export { type Fact, type FactContext, type FactStatus, factStatus, heldAt, type NewFact, type Triple } from './fact.ts';
export { type Candidate, type FindOptions, type FoundEntities, findEntities } from './find-entity.ts';
export { jsonSchemaOf, type ObjectSchema } from './json-schema.ts';
export { DEFAULT_MEMORY_LIMITS, type MemoryLimits } from './memory-limits.ts';
export {
  DOCUMENT_CLASS,
  DOCUMENT_PROPERTIES,
  DOCUMENTS_GRAPH,
  ENTITY_IRIS,
  FACT_IRIS,
  FACT_PROPERTIES,
  FACTS_GRAPH,
  LABEL_PREDICATES,
  MEMORY_NAMESPACE,
  OBSERVATION,
  PASSAGE_CLASS,
  PASSAGE_IRIS,
  TIMED_GRAPH,
  VOCABULARY_IRIS,
} from './memory-vocabulary.ts';
export { entityIri, vocabularyIri } from './minted-iri.ts';
export { DEFAULT_PREFIXES, PrefixTable } from './prefix-table.ts';
export type { FactReadingEngine, FactReadOptions } from './read-facts.ts';
export {
  type ReferenceEngine,
  type ReferenceEntity,
  type ReferenceGraph,
  ReferenceMemory,
  type ReferenceMemoryOptions,
  type ReferenceRelation,
} from './reference-memory.ts';
export { REFERENCE_TOOLS } from './reference-tools.ts';
export { runTool } from './run-tool.ts';
export { type Passage, type SplitOptions, splitPassages } from './split-passages.ts';
export type { Tool, ToolAnnotations, ToolCall, ToolProgress, ToolResult } from './tool.ts';
export { MEMORY_TOOLS, toolsFor } from './tools.ts';
export {
  type DocumentChange,
  type NewDocument,
  type StoredDocument,
  type StoredPassage,
  WorldDocuments,
  type WorldDocumentsOptions,
} from './world-documents.ts';
export {
  type Correction,
  type FactChange,
  type FactDraft,
  type FactEngine,
  type FactSelector,
  type FactWriteOptions,
  WorldFacts,
  type WorldFactsOptions,
} from './world-facts.ts';
export type { WorldName } from './world-name.ts';
export { type Permits, WorldScope, type WorldScopeOptions } from './world-scope.ts';
