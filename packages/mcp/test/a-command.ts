import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { inject, onTestFinished } from 'vitest';

/** The command, made of the sources. */
export const COMMAND = `${inject('programs')}/main.js`;

/** A folder that is removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client that starts `rdf-worlds mcp` itself, as every MCP client does. */
export async function aCommandClient(
  args: readonly string[],
): Promise<{ client: Client; transport: StdioClientTransport }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [COMMAND, 'mcp', ...args],
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  // Anything but protocol on standard output would be an error here.
  client.onerror = (error) => {
    throw error;
  };
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, transport };
}

/** A process of `rdf-worlds serve --mcp`. */
export interface ServedCommand {
  readonly child: ChildProcess;
  /** Connects a client with a token. */
  connect(token: string): Promise<Client>;
  /** Stops the process as a supervisor does, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `rdf-worlds serve --mcp` with the entries of a tokens file. */
export async function aServedCommand(args: readonly string[], tokens: readonly object[]): Promise<ServedCommand> {
  const file = join(aFolder(), 'tokens.json');
  writeFileSync(file, JSON.stringify(tokens), { mode: 0o600 });
  const child = spawn(process.execPath, [COMMAND, 'serve', '--port', '0', '--mcp', '--tokens', file, ...args]);
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const url = await mcpUrl(child);
  return {
    child,
    async connect(token) {
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
      onTestFinished(() => client.close());
      return client;
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
  };
}

async function mcpUrl(child: ChildProcess): Promise<URL> {
  let printed = '';
  let failure = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    failure += chunk;
  });
  for await (const chunk of child.stdout! as AsyncIterable<Buffer>) {
    printed += chunk;
    const address = /^MCP at (\S+)$/m.exec(printed)?.[1];
    if (address !== undefined) return new URL(address);
  }
  throw new Error(`rdf-worlds serve ended without an address: ${printed}${failure}`);
}
