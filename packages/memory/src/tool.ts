import type { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';

/** How far a long call is. */
export interface ToolProgress {
  readonly done: number;
  /** Undefined while it is unknown. */
  readonly total?: number | undefined;
  readonly message: string;
}

/** One call of a tool, besides its input. */
export interface ToolCall {
  readonly memory: AgentMemory;
  readonly signal?: AbortSignal | undefined;
  /** Receives progress of long calls. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined;
  /** Who pays for the processor time, by name and weight. Default: nobody in particular. */
  readonly caller?: { readonly name: string; readonly weight?: number | undefined } | undefined;
}

/** A result in two forms: text for a model, data for a program. Both are bounded by the limits. */
export interface ToolResult<Data = unknown> {
  readonly text: string;
  readonly data: Data;
}

/** Hints for those who decide whether a call needs a person's consent, by the names of MCP. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  /** Always false: no tool reaches beyond the worlds. */
  readonly openWorldHint: false;
}

/** A row of the table of tools. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  /** For the model: when to call it, in as few tokens as possible. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** Right arguments, which the errors for wrong ones show. */
  readonly example: object;
  /**
   * Runs the tool on an input that `input` has parsed. Throws `WorldsError`s whose messages say
   * what to do next.
   */
  readonly run: (input: never, call: ToolCall) => Promise<ToolResult>;
}

/** Keeps the types of a tool's schemas and of its function together. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly annotations: ToolAnnotations;
  readonly example: z.input<Input>;
  readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolResult<z.output<Output>>>;
}): Tool {
  return tool as unknown as Tool;
}

const HINTS = { destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const READS: ToolAnnotations = { ...HINTS, readOnlyHint: true };
/** Adds, and never takes away; called twice, it does nothing more. */
export const ADDS: ToolAnnotations = { ...HINTS, readOnlyHint: false };
export const DESTROYS: ToolAnnotations = { ...HINTS, readOnlyHint: false, destructiveHint: true };
