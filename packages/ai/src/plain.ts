/**
 * `@rdf-worlds/ai/plain`: the tools of `@rdf-worlds/memory` with JSON schemas, for any API of a
 * model. It needs no AI SDK.
 *
 * @module @rdf-worlds/ai/plain
 */
export { type PlainTool, plainTools } from './plain-tools.ts';
