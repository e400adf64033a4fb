// Measures the tools of the reference memory server with 10,000 observations on disk:
// `npx tsx packages/mcp/scripts/measure-reference.ts`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { WorldsEngine } from '@rdf-worlds/core';
import { createMcpServer } from '@rdf-worlds/mcp';
import { fileStorage } from '@rdf-worlds/storage-file';

const ENTITIES = 1_000;
const OBSERVATIONS = 10;
const RUNS = 100;

const path = mkdtempSync(join(tmpdir(), 'rdf-worlds-measure-'));
const engine = await WorldsEngine.open({ storage: fileStorage({ path }) });
try {
  await engine.createWorld({ slug: 'memory' });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await createMcpServer(engine, { compat: 'memory', worlds: ['memory'] }).connect(serverSide);
  const client = new Client({ name: 'measure', version: '1.0.0' });
  await client.connect(clientSide);

  const entities = Array.from({ length: ENTITIES }, (_, i) => ({
    name: `Person ${i}`,
    entityType: 'person',
    observations: Array.from(
      { length: OBSERVATIONS },
      (_, k) => `Note ${k} about number ${i}: prefers morning meetings`,
    ),
  }));
  const started = performance.now();
  await client.callTool({ name: 'create_entities', arguments: { entities } });
  console.log(
    `create_entities, ${ENTITIES * OBSERVATIONS} observations in one commit: ${(performance.now() - started).toFixed(0)} ms`,
  );

  const measure = async (name: string, input: (i: number) => Record<string, unknown>) => {
    const times: number[] = [];
    const cpu = process.cpuUsage();
    for (let i = 0; i < RUNS; i++) {
      const from = performance.now();
      const result = await client.callTool({ name, arguments: input(i) });
      times.push(performance.now() - from);
      if (result.isError) throw new Error(JSON.stringify(result.content));
    }
    const { user, system } = process.cpuUsage(cpu);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
    console.log(
      `${name}: median ${at(0.5)} ms, 95% ${at(0.95)} ms, CPU ${((user + system) / 1000 / RUNS).toFixed(2)} ms a call`,
    );
  };
  await measure('open_nodes', (i) => ({ names: [`Person ${i * 7}`] }));
  await measure('search_nodes', (i) => ({ query: `about number ${i * 7}:` }));
  await measure('add_observations', (i) => ({ observations: [{ entityName: `Person ${i}`, contents: [`new ${i}`] }] }));
  await measure('delete_observations', (i) => ({
    deletions: [{ entityName: `Person ${i}`, observations: [`new ${i}`] }],
  }));
  await client.close();
} finally {
  await engine.close();
  rmSync(path, { recursive: true, force: true });
}
