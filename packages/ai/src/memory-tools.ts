import { WorldsError } from '@rdf-worlds/core';
import { requireEngine } from '@rdf-worlds/core/internal';
import { requireOptions } from '@rdf-worlds/core/plugin';
import {
  AgentMemory,
  type AgentMemoryOptions,
  jsonSchemaOf,
  MEMORY_TOOLS,
  type MemoryEngine,
  type ObjectSchema,
  runTool,
  type Tool,
  type ToolResult,
  toolsFor,
} from '@rdf-worlds/memory';

/** Options of the tools: the engine, and which of its worlds they may use. */
export interface MemoryToolsOptions extends Omit<AgentMemoryOptions, 'namespace'> {
  /** A `WorldsEngine`. The caller closes it. */
  readonly engine: MemoryEngine;
  /** The namespace of the worlds. Default: `default`. */
  readonly namespace?: string | undefined;
}

/** A row of the table of tools, bound to a memory. */
export interface BoundTool extends Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** Validates the arguments and runs the tool; see `runTool`. */
  readonly call: (input: unknown, signal: AbortSignal | undefined) => Promise<ToolResult>;
}

/** What only serves to choose among several worlds. */
const OF_SEVERAL_WORLDS = new Set(['list_worlds', 'create_world']);

/** Throws INVALID_ARGUMENT for options without an engine, and for an engine in their place. */
export function requireToolsOptions(options: MemoryToolsOptions, where: string): void {
  const example = `${where}({ engine: await WorldsEngine.open() })`;
  requireOptions(options, where, example);
  if (!('engine' in options) && 'getWorld' in options) {
    throw new WorldsError('INVALID_ARGUMENT', `${where}: the engine is an option; write ${where}({ engine }).`);
  }
  requireEngine(options.engine, where, example);
}

/** Binds the tools to a memory. Throws INVALID_ARGUMENT for invalid options. */
export function memoryTools({ engine, namespace = 'default', ...options }: MemoryToolsOptions): readonly BoundTool[] {
  const memory = new AgentMemory(engine, { ...options, namespace });
  const namesWorld = !memory.scope.isSingle;
  return toolsFor(memory, MEMORY_TOOLS)
    .filter(({ name }) => namesWorld || !OF_SEVERAL_WORLDS.has(name))
    .map((tool) => {
      const { name, title, description, annotations, input, output } = tool;
      return {
        name,
        title,
        description,
        annotations,
        inputSchema: jsonSchemaOf(input, { io: 'input', namesWorld }),
        outputSchema: jsonSchemaOf(output, { io: 'output', namesWorld }),
        call: (given, signal) => runTool(tool, given, { memory, signal }),
      };
    });
}
