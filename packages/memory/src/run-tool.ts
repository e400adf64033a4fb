import { WorldsError } from '@rdf-worlds/core';
import { assignCaller } from '@rdf-worlds/core/internal';
import { throwIfAborted } from '@rdf-worlds/core/plugin';
import { inputError } from './input-error.ts';
import { missingWorld, type WorldArguments } from './missing-world.ts';
import type { Tool, ToolCall, ToolResult } from './tool.ts';

/**
 * Validates the arguments of a call and runs the tool. Throws `WorldsError`s: `INVALID_ARGUMENT`
 * that names the argument, `NOT_FOUND` with the names of worlds, `LIMIT_EXCEEDED` for arguments
 * that are too long, `PERMISSION_DENIED` for a tool that writes in a read-only memory, `TIMEOUT`
 * for reading that takes too long.
 */
export async function runTool(tool: Tool, input: unknown, call: ToolCall): Promise<ToolResult> {
  const { memory, signal } = call;
  const { limits, scope } = memory;
  throwIfAborted(signal);
  requireShort(input, limits.maxInputLength);
  const { annotations } = tool;
  if (!annotations.readOnlyHint && scope.readOnly) {
    throw new WorldsError(
      'PERMISSION_DENIED',
      `${tool.name}: this memory is read-only; nothing can be stored, changed or deleted here.`,
    );
  }
  const parsed = tool.input.safeParse(input ?? {});
  if (!parsed.success) {
    throw inputError(tool, input, parsed.error, memory);
  }
  try {
    return await runParsed(tool, parsed.data, call);
  } catch (error) {
    if (!(error instanceof WorldsError && error.code === 'NOT_FOUND')) throw error;
    throw (await missingWorld(memory, parsed.data as WorldArguments)) ?? error;
  }
}

async function runParsed(tool: Tool, input: unknown, call: ToolCall): Promise<ToolResult> {
  const { memory, signal } = call;
  const { limits } = memory;
  const { annotations } = tool;
  const { caller } = call;
  if (!annotations.readOnlyHint) {
    const own = signal ?? new AbortController().signal;
    if (caller) assignCaller(own, caller);
    return tool.run(input as never, { ...call, signal: own });
  }
  const { timeoutMs } = limits;
  const deadline = new AbortController();
  const late = new WorldsError(
    'TIMEOUT',
    `${tool.name} took longer than ${timeoutMs} ms; ask for less: name one world, add conditions, or lower the limit.`,
  );
  const timer = setTimeout(() => deadline.abort(late), timeoutMs);
  try {
    const bounded = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal;
    if (caller) assignCaller(bounded, caller);
    return await tool.run(input as never, { ...call, signal: bounded });
  } finally {
    clearTimeout(timer);
  }
}

/** Throws `LIMIT_EXCEEDED` if the texts of the arguments are too long, or are nested too deeply. */
function requireShort(input: unknown, maxLength: number): void {
  const left: { value: unknown; depth: number }[] = [{ value: input, depth: 0 }];
  let length = 0;
  while (left.length > 0) {
    const { value, depth } = left.pop()!;
    // Numbers and brackets count too: millions of them are work for the schemas.
    length += typeof value === 'string' ? value.length + 1 : 1;
    if (length > maxLength || depth > 20) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `The arguments are longer than ${maxLength} characters, or nested too deeply; split them into several calls.`,
      );
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      length += key.length;
      left.push({ value: member, depth: depth + 1 });
    }
  }
}
