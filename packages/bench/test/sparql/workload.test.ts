import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../src/arguments.ts';
import { ACADEMIC_QUERIES } from '../../src/sparql/academic-queries.ts';
import { openWorkload } from '../../src/sparql/workload.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const shared = join(folder, 'bench', 'sparql');
mkdirSync(join(shared, 'queries-lubm'), { recursive: true });
writeFileSync(join(shared, 'queries-lubm', '02-b.rq'), 'ASK { ?b ?b ?b }');
writeFileSync(join(shared, 'queries-lubm', '01-a.rq'), 'ASK { ?a ?a ?a }');
writeFileSync(join(shared, 'queries-lubm', 'notes.txt'), 'no query');
writeFileSync(join(shared, 'lubm-1m.nt.gz'), gzipSync('<urn:1m> <urn:p> "x" .\n'));
writeFileSync(join(shared, 'lubm-100k.nt.gz'), gzipSync('<urn:100k> <urn:p> "x" .\n'));
writeFileSync(join(shared, 'expected-lubm-1m.json'), '{ "quads": 1, "01-a": { "rows": 1, "chars": 0 } }');
writeFileSync(join(folder, 'own.nt'), '<urn:own> <urn:p> "x" .\n');

const SETTINGS = { quads: 0, seed: 1, size: '1m' } as const;

describe('openWorkload', () => {
  afterEach(() => vi.unstubAllEnvs());
  const open = (settings: Partial<Parameters<typeof openWorkload>[0]>, home = folder) => {
    vi.stubEnv('RDF_WORLDS_SHARED', home);
    vi.stubEnv('INIT_CWD', folder);
    return openWorkload({ ...SETTINGS, ...settings });
  };

  it('opens the shared document with its queries in order and their expected answers', async () => {
    const { input, queries, expected, origin } = await open({});
    expect(Buffer.from(input.bytes).toString()).toContain('<urn:1m>');
    expect(queries).toEqual([
      { name: '01-a', text: 'ASK { ?a ?a ?a }' },
      { name: '02-b', text: 'ASK { ?b ?b ?b }' },
    ]);
    expect([...expected]).toEqual([['01-a', { rows: 1, chars: 0 }]]);
    expect(origin).toBe('queries of queries-lubm');
  });

  it('opens the shared document of another size, without expected answers', async () => {
    const { input, expected } = await open({ size: '100k' });
    expect(Buffer.from(input.bytes).toString()).toContain('<urn:100k>');
    expect(expected.size).toBe(0);
  });

  it('opens a file, with the shared queries or those of a directory', async () => {
    const { input, queries } = await open({ file: 'own.nt' });
    expect(Buffer.from(input.bytes).toString()).toContain('<urn:own>');
    expect(queries.length).toBe(2);
    mkdirSync(join(folder, 'mine'));
    writeFileSync(join(folder, 'mine', 'only.rq'), 'ASK {}');
    expect((await open({ file: 'own.nt', queries: 'mine' })).queries).toEqual([{ name: 'only', text: 'ASK {}' }]);
  });

  it('generates quads, with our own queries', async () => {
    const { input, queries, expected } = await open({ quads: 100, seed: 5 });
    expect(input.name).toBe('100 generated academic quads, seed 5');
    expect(queries).toBe(ACADEMIC_QUERIES);
    expect(expected.size).toBe(0);
  });

  it('generates quads of that size if there is no shared document', async () => {
    const { input, queries } = await open({ size: '100k' }, join(folder, 'nowhere'));
    expect(input.name).toBe('100,000 generated academic quads, seed 1');
    expect(queries).toBe(ACADEMIC_QUERIES);
  });

  it('generates a workload with its queries', async () => {
    const { input, queries, origin } = await open({ workload: 'sensors', percent: 1, seed: 5 });
    expect(input.name).toBe('sensors, 1 % of its size, seed 5');
    expect(input.dataset?.name).toBe('sensors');
    expect(queries.length).toBe(20);
    expect(origin).toBe('queries of sensors');
  });

  it.each([
    {
      name: 'a generated workload together with a file',
      settings: { workload: 'social', file: 'own.nt' } as const,
      says: '--percent',
    },
    { name: 'a file and quads', settings: { file: 'own.nt', quads: 10 }, says: '--file and --quads' },
    { name: 'a missing file', settings: { file: 'missing.nt' }, says: 'missing.nt' },
    { name: 'a directory without queries', settings: { queries: 'bench' }, says: '--queries' },
    { name: 'a missing directory', settings: { queries: 'missing' }, says: '--queries' },
  ])('rejects $name', async ({ settings, says }) => {
    await expect(open(settings)).rejects.toThrow(UsageError);
    await expect(open(settings)).rejects.toThrow(says);
  });
});
