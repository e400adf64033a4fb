import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { WorldsEngine } from '@rdf-worlds/core';
import type { MemoryEngine } from '@rdf-worlds/memory';
import { onTestFinished } from 'vitest';
import { createMcpServer, type McpServerOptions } from '../src/index.ts';

/** An engine in memory with some worlds, closed at the end of the test. */
export async function anEngine(...slugs: readonly string[]): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  for (const slug of slugs) await engine.createWorld({ slug });
  return engine;
}

/** The SDK's own client, connected to a server over an engine. */
export async function aClient(engine: MemoryEngine, options: McpServerOptions = {}): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = createMcpServer(engine, options);
  await server.connect(serverSide);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(clientSide);
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool, and returns the result as the protocol has it today. */
export async function callTool(client: Client, name: string, input: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: input as Record<string, unknown> })) as CallToolResult;
}

/** The text of a result. */
export function textOf(result: CallToolResult): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
