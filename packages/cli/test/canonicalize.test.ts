import { createHash } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);
const ONE = folder.write('one.ttl', '<urn:a> <urn:p> [ <urn:q> 1 ; <urn:r> 2 ] .');
const OTHER = folder.write(
  'other.nt',
  '_:x <urn:r> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .\n<urn:a> <urn:p> _:x .\n_:x <urn:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n',
);
const NAMED = folder.write('named.nq', '_:b <urn:p> <urn:o> <urn:g> .\n<urn:s> <urn:p> <urn:o> .\n');

it('writes the same canonical N-Quads for isomorphic files, and their hash', async () => {
  const { code, stdout } = await runCommand(['canonicalize', '--load', ONE]);
  expect([code, stdout.split('\n')]).toEqual([
    0,
    [
      '<urn:a> <urn:p> _:c14n0 .',
      '_:c14n0 <urn:q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
      '_:c14n0 <urn:r> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .',
      '',
    ],
  ]);
  for (const [algorithm, name] of [
    ['SHA-256', 'sha256'],
    ['SHA-384', 'sha384'],
  ]) {
    const hash = await callCommand(['canonicalize', '--load', OTHER, '--hash', '--algorithm', algorithm]);
    expect(hash.stdout).toBe(`${createHash(name).update(stdout).digest('hex')}\n`);
  }
});

it('writes one graph, or all, of a world in a directory', async () => {
  const at = ['--data', folder.at('data'), '--world', 'w'];
  await callCommand(['import', NAMED, '--create', ...at]);
  expect((await callCommand(['canonicalize', ...at, '--graph', 'default'])).stdout).toBe('<urn:s> <urn:p> <urn:o> .\n');
  expect((await callCommand(['canonicalize', ...at, '--graph', 'urn:g'])).stdout).toBe('_:c14n0 <urn:p> <urn:o> .\n');
  expect((await callCommand(['canonicalize', ...at])).stdout.split('\n')).toHaveLength(3);
});
