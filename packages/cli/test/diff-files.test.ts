import { afterAll, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterAll(killCommands);
const ONE = folder.write('one.ttl', '<urn:a> <urn:p> 1, [ <urn:q> "x" ] .');
const OTHER = folder.write('other.nq', '<urn:a> <urn:p> _:b .\n_:b <urn:q> "x" .\n<urn:a> <urn:p> "2" <urn:g> .\n');
const REMOVED = 'D <urn:a> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .';
const ADDED = 'A <urn:a> <urn:p> "2" <urn:g> .';

const changes = (patch: string) => patch.split('\n').filter((line) => /^[AD] /.test(line));

it('diff FILE FILE writes what changes the first into the second, and import applies it', async () => {
  const { code, stdout } = await callCommand(['diff', ONE, OTHER]);
  expect([code, changes(stdout)]).toEqual([0, [REMOVED, ADDED]]);
  const same = await callCommand(['diff', ONE, ONE]);
  expect([same.code, changes(same.stdout)]).toEqual([0, []]);

  // Without blank nodes, which a patch can only name in the worlds that it compared.
  const [first, second] = [
    folder.write('1.nt', '<urn:a> <urn:p> "1" .'),
    folder.write('2.nt', '<urn:a> <urn:p> "2" .'),
  ];
  const patch = folder.at('changes.rdfp');
  await callCommand(['diff', first, second, '--output', patch]);
  const at = ['--world', 'w', '--data', folder.at('applied')];
  await callCommand(['import', first, '--create', ...at]);
  expect((await callCommand(['import', patch, ...at])).code).toBe(0);
  expect((await callCommand(['export', ...at])).stdout).toBe('<urn:a> <urn:p> "2" .\n');
});

it('diff FILE --world compares a file with a world of a directory or a server', async () => {
  const at = ['--world', 'w', '--data', folder.at('data')];
  await callCommand(['import', OTHER, '--create', ...at]);
  expect(changes((await callCommand(['diff', ONE, ...at])).stdout)).toEqual([REMOVED, ADDED]);

  const server = new CommandProcess(['serve', '--port', '0', '--memory', '--insecure-no-auth']);
  const [, url] = await server.printed(/^Listening on (http:.*)$/m);
  await callCommand(['import', OTHER, '--create', '--world', 'w', '--url', url]);
  const remote = await callCommand(['diff', ONE, '--world', 'w', '--url', url, '--max-memory-bytes', '100000000']);
  expect(changes(remote.stdout), remote.stderr).toEqual([REMOVED, ADDED]);
});

it.each([
  [['diff', ONE, OTHER, ONE], 2, 'two files'],
  [['diff', ONE, OTHER, '--from', '1'], 2, '--from'],
  [['diff', ONE, OTHER, '--world', 'w'], 2, '--world'],
  [['diff', ONE], 2, '--data DIR'],
  [['diff', ONE, folder.at('missing.ttl')], 1, 'missing.ttl'],
  [['diff', '--world', 'w'], 2, 'two files'],
] as const)('%j exits with %i', async (args, code, name) => {
  expect(await callCommand(args)).toMatchObject({ code, stderr: expect.stringContaining(name) });
});
