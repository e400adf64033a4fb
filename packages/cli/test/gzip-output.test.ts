import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { RDF_FORMATS } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const DATA = folder.write('data.nt', '<urn:a> <urn:p#q> "1" .\n<urn:a> <urn:p#q> "2" .\n');
const WRITTEN = RDF_FORMATS.filter(({ write }) => write).map(({ extensions: [extension] }) => extension);

it.each(WRITTEN)('export writes .%s.gz in gzip, in the format of the name', async (extension) => {
  const [plain, packed] = [folder.at(`out.${extension}`), folder.at(`out.${extension}.gz`)];
  for (const output of [plain, packed])
    expect(await callCommand(['export', '--load', DATA, '--output', output])).toMatchObject({ code: 0, stderr: '' });
  expect(gunzipSync(readFileSync(packed)).toString()).toBe(readFileSync(plain, 'utf8'));
  expect((await callCommand(['validate', packed])).stdout).toBe(`${packed}: well-formed, 2 quads\n`);
});

it('query, canonicalize and diff write gzip, too', async () => {
  const read = (file: string) => gunzipSync(readFileSync(file)).toString();
  const [table, canonical, patch] = [folder.at('t.csv.gz'), folder.at('c.nq.gz'), folder.at('d.rdfp.gz')];
  await callCommand(['query', '--load', DATA, 'SELECT ?o { ?s ?p ?o }', '--format', 'csv', '--output', table]);
  expect(read(table)).toBe('o\r\n1\r\n2\r\n');
  await callCommand(['canonicalize', '--load', DATA, '--output', canonical]);
  expect(read(canonical)).toBe(readFileSync(DATA, 'utf8'));
  await callCommand(['diff', DATA, DATA, '--output', patch]);
  expect(read(patch)).toContain('TC .');
});

it('a failure leaves the previous file, and a backup is refused', async () => {
  const file = folder.at('kept.nq.gz');
  writeFileSync(file, 'kept');
  const cut = folder.write('cut.nt', '<urn:a> <urn:p> .');
  expect((await callCommand(['export', '--load', cut, '--output', file])).code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('kept');
  const backup = folder.at('all.backup.gz');
  const { code, stderr } = await callCommand(['backup', '--data', folder.at('d'), '--output', backup]);
  expect([code, stderr, existsSync(backup)]).toEqual([2, expect.stringContaining('omit .gz'), false]);
});
