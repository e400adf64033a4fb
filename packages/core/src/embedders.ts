/**
 * `@rdf-worlds/core/embedders`: embedders that turn texts into vectors for hybrid search, and the
 * interfaces for an embedder of your own.
 *
 * @module @rdf-worlds/core/embedders
 */
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
