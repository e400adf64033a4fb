import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { runExample } from './example-process.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-agent-'));
  // The environment of the tests may have a key.
  vi.stubEnv('AI_GATEWAY_API_KEY', '');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function agent(...args: string[]): string {
  const { status, stdout, stderr } = runExample('agent/agent.mjs', ...args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

it('the agent remembers across conversations, and keeps what was true before', () => {
  const path = join(folder, 'memory');
  const first = agent(path);
  expect(first).toContain('The model is a mock');
  const [, answer] = /3\. Where does [\s\S]*The memory says: (.*)/.exec(first)!;
  expect(answer).toMatch(/Acme/);
  expect(answer).toMatch(/Globex/);
  // The next process finds the entity instead of storing it twice.
  expect(agent(path)).toMatch(/find_entity\(.*\n.*Ada Lovelace.*exact/);
});
