import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { academicDocument } from '../src/academic-data.ts';
import { UsageError } from '../src/arguments.ts';
import { byteChunks, CHUNK_BYTES } from '../src/byte-chunks.ts';
import { loadBenchmark, measureLoad } from '../src/load.ts';
import { chooseLoadInput, openLoadInput } from '../src/load-input.ts';
import { isPlausible } from '../src/load-memory.ts';
import { SCENARIOS } from '../src/load-responsiveness.ts';
import { measureRounds } from '../src/load-rounds.ts';
import { LOADERS } from '../src/loader.ts';

const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const quiet = () => undefined;

describe('the document to load', () => {
  const document = academicDocument({ seed: 2, quads: 40 });

  it.each([
    { name: 'plain.nt', content: document },
    { name: 'packed.nt.gz', content: gzipSync(document) },
  ])('is read from $name', async ({ name, content }) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const input = await openLoadInput(chooseLoadInput({ file: path, quads: 0, seed: 1 }));
    expect(Buffer.from(input.bytes).equals(document)).toBe(true);
    expect(input).toMatchObject({ name, contentType: 'application/n-triples' });
  });

  it('is generated if a number of quads is given', async () => {
    const choice = chooseLoadInput({ file: undefined, quads: 40, seed: 2 });
    expect(choice).toEqual({ kind: 'generated', quads: 40, seed: 2 });
    expect(Buffer.from((await openLoadInput(choice)).bytes).equals(document)).toBe(true);
  });

  it.each(['missing.nt', 'photo.png', 'missing.nt.gz'])('%s is rejected', async (name) => {
    await expect(openLoadInput({ kind: 'file', path: join(folder, name) })).rejects.toThrow(UsageError);
  });

  it('is either a file or generated data, not both', () => {
    expect(() => chooseLoadInput({ file: 'a.nt', quads: 10, seed: 1 })).toThrow(UsageError);
  });

  it('arrives in chunks that are complete together', () => {
    const bytes = academicDocument({ seed: 2, quads: 2000 });
    const chunks = [...byteChunks(bytes)];
    expect(chunks.length).toBe(Math.ceil(bytes.length / CHUNK_BYTES));
    expect(chunks.length).toBeGreaterThan(1);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  });
});

describe('load', () => {
  it('loads the same quads with every loader, and writes meanwhile', async () => {
    const { rounds, memory, responsiveness } = await measureLoad({ kind: 'generated', quads: 700, seed: 3 }, 2, quiet);
    expect(rounds.map(({ loader, quads, laps }) => [loader, quads, laps.length])).toEqual(
      LOADERS.map(({ name }) => [name, 700, 2]),
    );
    expect(rounds.filter(({ bytes }) => bytes !== undefined).map(({ loader }) => loader)).toEqual([
      'RDF Worlds',
      'RDF Worlds, stream',
    ]);
    expect(memory.map(({ quads }) => quads)).toEqual(Array.from({ length: 6 }, () => 700));
    expect(responsiveness.map(({ scenario }) => scenario)).toEqual([
      ...SCENARIOS.map(({ name }) => name),
      'Oxigraph, alone',
    ]);
    const written = responsiveness.filter(({ writes }) => writes !== undefined);
    expect(written.length).toBe(2);
    for (const { writes } of written) {
      expect(writes!.due).toBeGreaterThanOrEqual(1);
      expect(writes!.answered).toBeLessThanOrEqual(writes!.due);
      expect(writes!.latenciesMs.length).toBe(writes!.due);
    }
  });

  it('counts duplicate quads once, with every loader', async () => {
    const once = academicDocument({ seed: 3, quads: 100 });
    const input = { name: 'twice', bytes: Buffer.concat([once, once]), contentType: 'application/n-triples' };
    const results = await measureRounds(LOADERS, input, 1, quiet);
    expect(results.map(({ quads }) => quads)).toEqual(LOADERS.map(() => 100));
  });

  it('fails if two stores hold different numbers of quads', async () => {
    const input = await openLoadInput({ kind: 'generated', quads: 100, seed: 3 });
    const lossy = {
      name: 'lossy',
      load: async () => ({ count: async () => ({ quads: 99 }), release: async () => undefined }),
    };
    await expect(measureRounds([LOADERS[0], lossy], input, 1, quiet)).rejects.toThrow(
      'lossy holds 99 quads, RDF Worlds 100.',
    );
  });

  it.each([
    { bytes: 100, rssGrowth: 150, plausible: true },
    { bytes: 100, rssGrowth: 100, plausible: true },
    { bytes: 100, rssGrowth: 99, plausible: false },
    { bytes: undefined, rssGrowth: 1, plausible: true },
    { bytes: undefined, rssGrowth: 0, plausible: false },
  ])('a growth of $rssGrowth by a store of $bytes bytes: plausible is $plausible', ({ plausible, ...memory }) => {
    expect(isPlausible({ loader: 'x', quads: 1, heldGrowth: 1, peakRss: 1000, ...memory })).toBe(plausible);
  });

  it('reports every loader and every scenario', async () => {
    const { settings, tables } = await loadBenchmark.run({ file: undefined, quads: 300, rounds: 1, seed: 4 }, quiet);
    expect(settings[0]).toContain('300 generated academic quads, seed 4');
    expect(tables.map(({ rows }) => rows.length)).toEqual([LOADERS.length, 3, SCENARIOS.length + 1]);
    for (const { columns, rows } of tables) for (const row of rows) expect(row.length).toBe(columns.length);
  });
});
