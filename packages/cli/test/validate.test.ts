import { expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const good = folder.write('good.ttl', '<urn:a> <urn:p> "1", "2" .');
const bad = folder.write('bad.ttl', '<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> .');

it('reports for each file whether it is well-formed, and where not', async () => {
  const query = folder.write('q.rq', 'SELECT * { ?s <p> ?o }');
  const update = folder.write('u.ru', 'CLEAR ALL ; DROP GRAPH');
  const { code, stdout, stderr } = await callCommand(['validate', good, bad, query, update]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toEqual([
    `${good}: well-formed, 2 quads`,
    expect.stringMatching(/bad\.ttl: .*line 2/),
    `${query}: a well-formed query`,
    expect.stringMatching(/u\.ru: The SPARQL text is not well-formed: .*\(line 1, column 23\)$/),
  ]);
  expect([code, stderr]).toEqual([1, 'rdf-worlds: 2 of 4 files are not well-formed.\n']);
});

it('succeeds if all files are well-formed, and prints notes', async () => {
  const odd = folder.write('odd.jsonld', '{ "name": "nobody knows this key" }');
  const { code, stdout } = await callCommand(['validate', good, odd]);
  expect(code).toBe(0);
  expect(stdout).toContain('odd.jsonld: well-formed, 0 quads');
  // JSON-LD that says nothing is told.
  expect(stdout.split('\n').filter((line) => line.includes('odd.jsonld'))).toHaveLength(2);
});

it('accepts a format, and rejects files whose format is unknown', async () => {
  const file = folder.write('data.txt', '<urn:a> <urn:p> <urn:b> .');
  expect((await callCommand(['validate', file])).code).toBe(2);
  expect((await callCommand(['validate', file, '--format', 'nt'])).stdout).toContain('well-formed, 1 quad');
  expect((await callCommand(['validate', folder.at('missing.ttl')])).stderr).toContain('missing.ttl');
});
