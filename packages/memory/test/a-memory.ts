import { WorldsEngine } from '@rdf-worlds/core';
import { onTestFinished } from 'vitest';
import { AgentMemory, type AgentMemoryOptions, MEMORY_TOOLS, runTool, type ToolResult } from '../src/index.ts';

/** A clock that a test moves. */
export class TestClock {
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  readonly read = () => this.nowMs;

  set(time: string): void {
    this.nowMs = Date.parse(time);
  }
}

/** An engine in memory with a world `notes`, closed at the end of the test. */
export async function anEngine(...slugs: readonly string[]): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  for (const slug of slugs.length === 0 ? ['notes'] : slugs) await engine.createWorld({ slug });
  return engine;
}

/** A memory over one world, and a function that calls its tools. */
export async function aMemory(options: Partial<AgentMemoryOptions> = {}) {
  const engine = await anEngine();
  const clock = new TestClock();
  const memory = new AgentMemory(engine, {
    namespace: 'default',
    worlds: ['notes'],
    clock: clock.read,
    ...options,
  });
  return { engine, clock, memory, call: caller(memory) };
}

/**
 * Returns a function that runs a tool as a server does: arguments unchecked, data as its schema has
 * it.
 */
export function caller(memory: AgentMemory) {
  return async (name: string, input: unknown, signal?: AbortSignal): Promise<ToolResult<never>> => {
    const tool = MEMORY_TOOLS.find((each) => each.name === name);
    if (!tool) throw new Error(`There is no tool ${name}.`);
    const result = await runTool(tool, input, { memory, signal });
    // What a tool returns must be what it declares.
    tool.output.strict().parse(result.data);
    return result as ToolResult<never>;
  };
}
