import { expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const at = ['--world', 'w', '--data', folder.at('data')];
const graph = ['--graph', 'urn:g'];
const exported = async () => (await callCommand(['export', ...at])).stdout.trimEnd().split('\n').sort();

it('imports into a graph, replaces it, resolves IRIs, and checks the revision', async () => {
  const one = folder.write('one.ttl', '<a> <p> <b> .');
  const other = folder.write('other.ttl', '<c> <p> <b> .');
  expect((await callCommand(['import', one, '--create', ...at])).stderr).toMatch(/relative/);
  const base = ['--base-iri', 'http://example.org/x'];
  expect((await callCommand(['import', one, ...at, ...base])).code).toBe(0);
  expect((await callCommand(['import', one, ...at, ...base, ...graph])).code).toBe(0);
  const replaced = await callCommand(['import', other, ...at, ...base, ...graph, '--mode', 'replace']);
  expect(replaced.stderr).toContain('1 quad inserted, 1 deleted');
  expect(await exported()).toEqual([
    '<http://example.org/a> <http://example.org/p> <http://example.org/b> .',
    '<http://example.org/c> <http://example.org/p> <http://example.org/b> <urn:g> .',
  ]);
  const stale = await callCommand(['import', other, ...at, ...base, '--if-revision', '0']);
  expect([stale.code, stale.stderr]).toEqual([1, expect.stringMatching(/other\.ttl: .*revision/)]);
  for (const option of [
    ['--mode', 'replace'],
    ['--if-revision', '1'],
  ])
    expect(await callCommand(['import', one, other, ...at, ...option])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('takes one file'),
    });
});

it('reads JSON as JSON-LD with a context', async () => {
  // Long enough for several chunks, whose lengths are no multiples of three.
  const names = Array.from({ length: 20_000 }, (_, i) => `name ${i}`);
  const data = folder.write('data.json', JSON.stringify({ name: names }));
  const context = folder.write('context.json', '{ "name": "http://example.org/name" }');
  const imported = await callCommand(['import', data, ...at, '--context', context]);
  expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('20000 quads inserted') });
  const turtle = folder.write('data.ttl', '');
  expect((await callCommand(['import', turtle, ...at, '--context', context])).stderr).toContain('is not JSON-LD');
});
