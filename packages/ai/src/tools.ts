import { WorldsError } from '@rdf-worlds/core';
import type { ToolResult } from '@rdf-worlds/memory';
import { jsonSchema, type Tool } from 'ai';
import { type MemoryToolsOptions, memoryTools, requireToolsOptions } from './memory-tools.ts';

const APPROVALS = ['none', 'destructive', 'writes'] as const;

/** A tool of the AI SDK. Its output has a `text` for the model, and `data` for the program. */
export type MemoryTool = Tool<Record<string, unknown>, ToolResult>;

/** Options of {@link tools}. Unknown ones throw `INVALID_ARGUMENT`. */
export interface ToolsOptions extends MemoryToolsOptions {
  /**
   * Which calls wait for the consent of a person (`needsApproval` of the AI SDK): of tools that
   * may destroy, of all that write, or none. Default: `none`.
   */
  readonly approval?: (typeof APPROVALS)[number] | undefined;
}

/**
 * Returns the tools of a memory by name, as `generateText`, `streamText` and agents of the AI SDK
 * take them. A call that fails is told to the model as the message of its `WorldsError`, which says
 * what to do next. Throws `INVALID_ARGUMENT` for invalid options.
 */
export function tools(given: ToolsOptions): Record<string, MemoryTool> {
  requireToolsOptions(given, 'tools');
  const { approval = 'none', ...options } = given;
  if (!APPROVALS.includes(approval))
    throw new WorldsError('INVALID_ARGUMENT', `tools: approval: expected one of ${APPROVALS.join(', ')}.`);
  return Object.fromEntries(
    memoryTools(options).map(({ name, title, description, annotations, inputSchema, call }) => {
      const { readOnlyHint, destructiveHint } = annotations;
      const tool: MemoryTool = {
        title,
        description,
        // `call` validates the arguments, with messages that tell the model what to correct.
        inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
        needsApproval: approval === 'writes' ? !readOnlyHint : approval === 'destructive' && destructiveHint,
        execute: (input, { abortSignal }) => call(input, abortSignal),
        // The data repeats the text for programs; the model pays for one of them.
        toModelOutput: ({ output }) => ({ type: 'text', value: output.text }),
      };
      return [name, tool];
    }),
  );
}
