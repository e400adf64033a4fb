/**
 * `@rdf-worlds/ai`: the tools of `@rdf-worlds/memory` for the AI SDK.
 *
 * @module @rdf-worlds/ai
 */
export type { MemoryToolsOptions } from './memory-tools.ts';
export { type MemoryTool, type ToolsOptions, tools } from './tools.ts';
