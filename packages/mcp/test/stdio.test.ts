import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { expect, it, onTestFinished } from 'vitest';
import { anEngine, callTool, textOf } from './a-client.ts';
import { aCommandClient, aFolder, COMMAND } from './a-command.ts';

const ada = { facts: [{ subject: 'Ada', predicate: 'age', value: 36 }] };

it('remembers across processes', async () => {
  const data = aFolder();
  const first = await aCommandClient(['--data', data]);
  expect(textOf(await callTool(first.client, 'list_worlds'))).toBe('memory');
  expect((await callTool(first.client, 'remember', ada)).isError).toBeUndefined();
  await first.client.close();
  const second = await aCommandClient(['--data', data, '--world', 'memory']);
  expect(textOf(await callTool(second.client, 'look', { entity: 'Ada' }))).toContain('v:age 36');
});

it('loses nothing that it has acknowledged when it is killed', async () => {
  const data = aFolder();
  const { client, transport } = await aCommandClient(['--data', data]);
  let acknowledged = 0;
  const remembering = (async () => {
    for (;;) {
      const facts = [{ subject: 'Ada', predicate: 'seen', value: acknowledged }];
      const result = await callTool(client, 'remember', { facts });
      if (result.isError) throw new Error(textOf(result));
      acknowledged++;
      if (acknowledged === 40) process.kill(transport.pid!, 'SIGKILL');
    }
  })();
  await expect(remembering).rejects.toThrow();
  const again = await aCommandClient(['--data', data]);
  const count = await callTool(again.client, 'query', { query: 'SELECT (COUNT(*) AS ?n) { e:Ada v:seen ?n0 }' });
  expect(Number(textOf(count).split('\n')[1])).toBeGreaterThanOrEqual(acknowledged);
});

it('tells the second client of a directory what to do', async () => {
  const data = aFolder();
  await aCommandClient(['--data', data]);
  await expect(aCommandClient(['--data', data])).rejects.toThrow(/is in use by process .*rdf-worlds serve --data/s);
  const reader = await aCommandClient(['--data', data, '--read-only']);
  const { tools } = await reader.client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('remember');
});

it('answers what was asked before its input ended', async () => {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [COMMAND, 'mcp', '--memory']);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const request = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const clientInfo = { name: 'test', version: '1.0.0' };
  child.stdin.end(
    request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }) +
      request(2, 'tools/call', { name: 'remember', arguments: ada }),
  );
  const code = await new Promise((resolve) => child.once('close', resolve));
  const answers = Buffer.concat(chunks)
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  expect(answers[1].result.content[0].text).toContain('Recorded 1 fact');
  expect(code).toBe(0);
});

it('says where the memory must be', async () => {
  await expect(aCommandClient([])).rejects.toThrow();
});

it('is a drop-in for the reference memory server, with its file', async () => {
  const data = aFolder();
  const file = join(data, 'memory.jsonl');
  writeFileSync(file, '{"type":"entity","name":"Ada","entityType":"person","observations":["Likes tea"]}\n');
  const args = ['--data', join(data, 'worlds'), '--compat', 'memory', '--import', file];
  const first = await aCommandClient(args);
  expect((await callTool(first.client, 'read_graph')).structuredContent).toEqual({
    entities: [{ name: 'Ada', entityType: 'person', observations: ['Likes tea'] }],
    relations: [],
  });
  await callTool(first.client, 'delete_entities', { entityNames: ['Ada'] });
  await first.client.close();
  const second = await aCommandClient(args);
  expect((await callTool(second.client, 'read_graph')).structuredContent).toEqual({ entities: [], relations: [] });
});

it('serves the worlds of a server over stdio, to several clients', async () => {
  const engine = await anEngine();
  const token = 'token-of-acme-0123456789';
  const handler = createWorldsHandler(engine, { authenticate: staticTokens([{ token, namespace: 'acme' }]) });
  const server = createServer(nodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const args = ['--url', url, '--token', token, '--namespace', 'acme'];
  const [one, two] = [await aCommandClient(args), await aCommandClient([...args, '--world', 'memory', '--read-only'])];
  await callTool(one.client, 'remember', ada);
  expect(textOf(await callTool(two.client, 'look', { entity: 'Ada' }))).toContain('v:age 36');
  await expect(
    aCommandClient(['--url', url, '--token', 'another-token-0123456789', '--namespace', 'acme']),
  ).rejects.toThrow('credentials are not valid');
});
