import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PostgresServer, serverPrograms } from '../../storage-postgres/test/postgres-server.ts';
import { loadCommits, loadRaw } from '../src/shared/commit-load.ts';
import { followWrites, writePaced } from '../src/shared/lag.ts';
import { fillShared, loadReads, measureOpening, pairReads } from '../src/shared/read-load.ts';
import { nowMs, poolOf, type SharedPlace } from '../src/shared/shared-place.ts';

const source = 'bench/read';
const folder = mkdtempSync(join(tmpdir(), 'rdf-worlds-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!serverPrograms())('the tasks of several processes', () => {
  let server: PostgresServer;
  let database: SharedPlace;
  const directory: SharedPlace = { kind: 'directory', path: join(folder, 'worlds') };
  beforeAll(async () => {
    server = await PostgresServer.start();
    database = { kind: 'postgres', server: server.address, schema: 'bench' };
    for (const place of [database, directory])
      expect((await fillShared({ task: 'fill', place, source, quads: 500, seed: 1 })).quads).toBe(500);
  });
  afterAll(async () => {
    await server?.dispose();
  });

  it('commit and insert', async () => {
    const times = { startMs: nowMs(), milliseconds: 100 };
    const commits = await loadCommits({
      task: 'commits',
      place: database,
      source: 'bench/notes',
      first: 1e6,
      ...times,
    });
    expect(commits.done).toBeGreaterThan(0);
    const pool = poolOf(server.address);
    await pool.query('CREATE TABLE raw (data bytea)');
    const raw = await loadRaw({
      ...{ task: 'raw', server: server.address, table: 'raw', bytes: 100 },
      ...{ startMs: nowMs(), milliseconds: 100 },
    });
    expect((await pool.query('SELECT count(*) AS n FROM raw')).rows).toEqual([{ n: `${raw.done}` }]);
    await pool.end();
  });

  it.each(['postgres', 'follower'] as const)('see every commit: %s', async (kind) => {
    const place = kind === 'postgres' ? database : directory;
    const reader: SharedPlace = kind === 'postgres' ? database : { kind, path: join(folder, 'worlds') };
    const before = await fillShared({ task: 'fill', place, source: `${kind}/read`, quads: 10, seed: 1 });
    const last = before.revision + 40;
    const following = followWrites({ task: 'follow', place: reader, namespace: kind, last });
    // It follows from where it begins.
    const startMs = nowMs() + 500;
    const acknowledged = await writePaced({
      task: 'paced',
      place,
      source: `${kind}/notes`,
      startMs,
      first: 0,
      writes: 40,
    });
    const seen = await following;
    expect(acknowledged).toHaveLength(40);
    expect(seen.at(-1)![0]).toBe(last);
    expect(acknowledged.map(([revision]) => revision)).toEqual(
      expect.arrayContaining(seen.map(([revision]) => revision)),
    );
  });

  it('read, and open', async () => {
    const reads = await loadReads({ task: 'reads', place: database, source, startMs: nowMs(), milliseconds: 50 });
    expect(reads.reads).toBeGreaterThan(0);
    const places = [directory, database];
    const paired = await pairReads({ task: 'paired', places, source, rounds: 3, reads: 2 });
    expect(paired.map((each) => each.length)).toEqual([3, 3]);
    expect((await measureOpening({ task: 'open', place: database, source })).wallMs).toBeGreaterThan(0);
  });
});
