import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runExample } from './example-process.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-example-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function durable(...args: string[]): string {
  const { status, stdout, stderr } = runExample('durable.mjs', ...args);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

it('the durable example loses nothing, and continues where the previous run ended', () => {
  const path = join(folder, 'data');
  const first = durable(path);
  expect(first).toContain('has 0 notes');
  const [, told, there] = /told of (\d+) notes; (\d+) are there/.exec(first)!;
  expect(Number(told)).toBeGreaterThanOrEqual(100);
  expect(Number(there)).toBeGreaterThanOrEqual(Number(told));
  expect(first).toContain('is a CONFLICT');
  expect(first).toContain('elements got "all of it"');
  expect(first).toMatch(/finds ".*neptunium/i);
  expect(first).toContain(`${there} notes and 0 problems`);
  expect(durable(path)).toContain(`has ${there} notes`);
});
