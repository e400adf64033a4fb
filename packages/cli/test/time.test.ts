import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();

async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand(args);
  expect([code, stderr.replace(/^Imported .*\n/gm, '')]).toEqual([0, '']);
  return stdout;
}

it('reads the past of a directory with a history, forks it, and writes and applies differences', async () => {
  const data = folder.at('worlds');
  const engine = await WorldsEngine.open({
    storage: fileStorage({ path: data }),
    defaultNamespace: 'platform',
    history: { keepRevisions: 100 },
  });
  await engine.createWorld({ slug: 'a', label: 'A' });
  await engine.import({ source: 'a', data: '<urn:ada> <urn:name> "Ada" .\n' });
  const { revision } = (await engine.getNamespace())!;
  await engine.close();

  const at = String(revision);
  const bob = folder.write('bob.nt', '<urn:bob> <urn:name> "Bob" .\n');
  await printed('import', bob, '--world', 'a', '--data', data);
  const count = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
  expect(await printed('query', '--format', 'csv', '--data', data, count)).toBe('n\r\n2\r\n');
  expect(await printed('query', '--format', 'csv', '--data', data, '--at', at, count)).toBe('n\r\n1\r\n');
  expect(await printed('query', '--world', 'a', '--format', 'csv', '--data', data, '--at', at, count)).toBe(
    'n\r\n1\r\n',
  );
  expect(await printed('export', '--world', 'a', '--data', data, '--at', at)).toBe('<urn:ada> <urn:name> "Ada" .\n');
  expect(await printed('worlds', 'get', 'a', '--data', data, '--at', at, '--format', 'json')).toContain('"A"');

  const record = JSON.parse(await printed('fork', 'b', '--world', 'a', '--at', at, '--data', data, '--format', 'json'));
  expect(record).toMatchObject({ slug: 'b', label: 'A' });
  const patch = folder.at('b-to-a.rdfp');
  await printed('diff', '--world', 'b', '--with', 'a', '--data', data, '--output', patch);
  await printed('import', patch, '--world', 'b', '--data', data);
  expect(await printed('diff', '--world', 'a', '--with', 'b', '--data', data)).not.toMatch(/^[AD] /m);
  expect(await printed('diff', '--world', 'a', '--from', at, '--data', data)).toContain(
    'A <urn:bob> <urn:name> "Bob" .',
  );

  await printed('compact', '--forget-history', '--forget-changes', '--data', data);
  expect(await callCommand(['export', '--world', 'a', '--data', data, '--at', at])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no longer kept'),
  });
});

it('writes a difference that is larger than the memory of the request', async () => {
  const data = folder.at('large');
  const engine = await WorldsEngine.open({ storage: fileStorage({ path: data }), defaultNamespace: 'platform' });
  for (const slug of ['empty', 'large']) await engine.createWorld({ slug });
  const lines = Array.from({ length: 100_000 }, (_, i) => `<urn:s${i}> <urn:p> "x" .`);
  await engine.import({ source: 'large', data: lines.join('\n') });
  await engine.close();
  // The rows alone would take 1.2 MB.
  const limit = ['--max-memory-bytes', '1000000'];
  const patch = await printed('diff', '--world', 'empty', '--with', 'large', '--data', data, ...limit);
  expect(patch.split('\nA ').length - 1).toBe(lines.length);
});

it('refuses what is not a moment, and a difference of nothing', async () => {
  const place = ['--data', folder.at('worlds')];
  for (const at of ['yesterday', '2026-01-31', '-1'])
    expect(await callCommand(['export', '--world', 'a', '--at', at, ...place])).toMatchObject({ code: 2 });
  expect(await callCommand(['diff', '--world', 'a', ...place])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--from'),
  });
});
