import type { ToolResult } from '@rdf-worlds/memory';
import { type BoundTool, type MemoryToolsOptions, memoryTools, requireToolsOptions } from './memory-tools.ts';

/** A tool with JSON schemas. */
export interface PlainTool extends Omit<BoundTool, 'call'> {
  /**
   * Validates the arguments and runs the tool. Returns a `text` for the model, and `data` for the
   * program. Throws `WorldsError`s whose messages say what to do next: return them to the model.
   */
  readonly call: (input: unknown, options?: { readonly signal?: AbortSignal | undefined }) => Promise<ToolResult>;
}

/**
 * Returns the tools of a memory with JSON schemas, for any API of a model. Throws
 * `INVALID_ARGUMENT` for invalid options.
 */
export function plainTools(options: MemoryToolsOptions): readonly PlainTool[] {
  requireToolsOptions(options, 'plainTools');
  return memoryTools(options).map(({ call, ...tool }) => ({
    ...tool,
    call: (input, { signal } = {}) => call(input, signal),
  }));
}
