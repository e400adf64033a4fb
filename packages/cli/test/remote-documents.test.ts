import { afterAll, beforeAll, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const DATA = folder.write('data.ttl', '<urn:a> <urn:p> ( "1" "2" ) ; <urn:q> [ <urn:r> "x" ] .');
let at: readonly string[];
beforeAll(async () => {
  const server = new CommandProcess(['serve', '--port', '0', '--memory', '--insecure-no-auth']);
  const [, url] = await server.printed(/^Listening on (http:.*)$/m);
  at = ['--world', 'w', '--url', url];
  await callCommand(['import', DATA, '--create', ...at]);
});
afterAll(killCommands);

it('canonicalize writes the same form and hash of a world on a server as of the file, within limits', async () => {
  for (const options of [[], ['--hash'], ['--graph', 'default']]) {
    const remote = await callCommand(['canonicalize', ...at, ...options]);
    const local = await callCommand(['canonicalize', '--load', DATA, ...options]);
    expect(remote).toEqual(local);
    expect(remote).toMatchObject({ code: 0, stdout: expect.stringMatching(/./) });
  }
  const limited = await callCommand(['canonicalize', ...at, '--max-memory-bytes', '1']);
  expect([limited.code, limited.stderr]).toEqual([1, expect.stringContaining('raise --max-memory-bytes')]);
});

it('import and export take a --context with a server', async () => {
  const context = { name: 'urn:name', id: '@id' };
  const file = folder.write('context.jsonld', JSON.stringify({ '@context': context }));
  const input = folder.write('plain.jsonld', JSON.stringify({ id: 'urn:b', name: 'Ada' }));
  const named = ['--world', 'named', ...at.slice(2)];
  expect(await callCommand(['import', input, '--create', '--context', file, ...named])).toMatchObject({ code: 0 });
  expect((await callCommand(['export', ...named])).stdout).toBe('<urn:b> <urn:name> "Ada" .\n');
  const { stdout } = await callCommand(['export', '--context', file, ...named]);
  expect(JSON.parse(stdout)).toEqual({ '@context': context, '@graph': [{ id: 'urn:b', name: 'Ada' }] });
});

it('a collection survives a round trip through expanded JSON-LD', async () => {
  const { stdout } = await callCommand(['export', '--format', 'jsonld', ...at]);
  const written = folder.write('written.jsonld', stdout);
  expect((await callCommand(['canonicalize', '--load', written])).stdout).toBe(
    (await callCommand(['canonicalize', '--load', DATA])).stdout,
  );
});
