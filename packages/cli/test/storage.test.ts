import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { NO_SERVER, PostgresServer, serverPrograms } from '../../storage-postgres/test/postgres-server.ts';
import { callCommand } from './command-call.ts';
import { CommandProcess, type Finished, killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(() => vi.unstubAllEnvs());
afterAll(killCommands);

/** In every URL: no message and no log may have it. */
const PASSWORD = 'the-secret-of-the-database';
const ADA = folder.write('ada.nt', '<urn:ada> <urn:name> "Ada" .\n');

if (!serverPrograms()) console.warn(`--storage is not tested: ${NO_SERVER}`);

describe.skipIf(!serverPrograms())('--storage', () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  /** Tries for ten seconds, while the other tests run. */
  let unreachable: Promise<Finished>;
  beforeAll(async () => {
    server = await PostgresServer.start();
    pool = server.pool({ max: 2 });
    // One of the tests kills the server.
    pool.on('error', () => undefined);
    await pool.query("CREATE ROLE guest LOGIN; CREATE ROLE locked LOGIN PASSWORD 'another one'");
    const rules = join(server.directory, 'data', 'pg_hba.conf');
    writeFileSync(rules, `local all locked scram-sha-256\n${readFileSync(rules, 'utf8')}`);
    await pool.query('SELECT pg_reload_conf()');
    unreachable = serve(urlOf('s', { host: folder.at('') }));
  });
  afterAll(async () => {
    await pool?.end();
    await server?.dispose();
  });

  const urlOf = (schema: string, { host = server.directory, user = 'postgres', database = 'postgres' } = {}) =>
    `postgres:///${database}?host=${host}&user=${user}&password=${PASSWORD}&schema=${schema}`;

  const serve = (url: string) =>
    runCommand(['serve', '--port', '0', '--insecure-no-auth'], { environment: { RDF_WORLDS_STORAGE: url } });

  const connections = async () =>
    (await pool.query("SELECT pid FROM pg_stat_activity WHERE application_name = 'rdf-worlds'")).rows.length;

  /** A command that works; gives what it prints. */
  async function printed(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await callCommand(args);
    expect([code, stderr.replace(/^Imported .*\n/gm, '')]).toEqual([0, '']);
    return stdout;
  }

  it('moves worlds from a directory to a database and back', async () => {
    const [data, back] = [folder.at('worlds'), folder.at('back')];
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    await printed('backup', '--data', data, '--output', folder.at('one.backup'));
    const url = urlOf('moved');
    await printed('restore', folder.at('one.backup'), '--storage', url);
    expect((await callCommand(['restore', folder.at('one.backup'), '--storage', url])).stderr).toMatch(/already/);

    vi.stubEnv('RDF_WORLDS_STORAGE', url);
    expect(await printed('export', '--world', 'a')).toBe('<urn:ada> <urn:name> "Ada" .\n');
    expect(await printed('update', '--world', 'a', 'INSERT DATA { <urn:ada> <urn:knows> <urn:bob> }')).toBe(
      '1 quad inserted, 0 deleted\n',
    );
    expect(await printed('check')).toBe('1 namespaces, no problems.\n');
    expect(await printed('compact')).toMatch(/^1 namespaces, /);
    expect(JSON.parse(await printed('stats', '--format', 'json'))).toMatchObject([{ worlds: 1, quads: 2 }]);
    const exported = await printed('export', '--world', 'a');
    await printed('backup', '--since', folder.at('one.backup'), '--output', folder.at('two.backup'));
    vi.stubEnv('RDF_WORLDS_STORAGE', '');
    await printed('restore', folder.at('one.backup'), folder.at('two.backup'), '--data', back);
    expect(await printed('export', '--world', 'a', '--data', back)).toBe(exported);
    expect(await connections()).toBe(0);
  });

  it('is no place for commands that create nothing until there are worlds', async () => {
    const url = urlOf('untouched');
    for (const args of [['check'], ['query', 'ASK {}'], ['import', ADA, '--world', 'a']]) {
      const { code, stderr } = await callCommand([...args, '--storage', url]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/has no worlds in the schema "untouched"/)]);
    }
    const { rows } = await pool.query("SELECT 1 FROM information_schema.schemata WHERE schema_name = 'untouched'");
    expect(rows).toEqual([]);
    const config = folder.write('config.json', JSON.stringify({ storage: url }));
    await printed('worlds', 'create', 'a', '--config', config);
    expect(await printed('import', ADA, '--world', 'a', '--config', config)).toBe('');
  });

  it('lets three servers write and read the same worlds, whatever dies: a server, connections, the database', async () => {
    const url = urlOf('shared');
    const start = async () => {
      const process = new CommandProcess(['serve', '--port', '0', '--insecure-no-auth'], { RDF_WORLDS_STORAGE: url });
      const [, origin] = await process.printed(/^Listening on (http:\S+)$/m);
      return { process, origin: origin! };
    };
    type Served = Awaited<ReturnType<typeof start>>;
    const insert = async ({ origin }: Served, value: number) => {
      const { status } = await fetch(`${origin}/worlds/a/sparql`, {
        method: 'POST',
        headers: { 'content-type': 'application/sparql-update' },
        body: `INSERT DATA { <urn:s> <urn:p> ${value} }`,
      });
      expect(status).toBe(204);
    };
    const query = encodeURIComponent('SELECT ?o { ?s ?p ?o } ORDER BY ?o');
    const values = async ({ origin }: Served) => {
      const answer = await fetch(`${origin}/worlds/a/sparql?query=${query}`, { headers: { accept: 'text/csv' } });
      return (await answer.text()).trim().split('\r\n').slice(1).map(Number);
    };
    /** Readers follow; the writer itself is never behind. */
    const seen = (servers: readonly Served[], expected: readonly number[]) =>
      vi.waitFor(async () => expect(await Promise.all(servers.map(values))).toEqual(servers.map(() => expected)), {
        timeout: 30_000,
        interval: 20,
      });

    const [one, two, three] = await Promise.all([start(), start(), start()]);
    const created = await fetch(`${one.origin}/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"slug":"a"}',
    });
    expect(created.status).toBe(201);
    for (const [at, each] of [one, two, three].entries()) {
      await insert(each, at);
      expect(await values(each)).toContain(at);
    }
    await seen([one, two, three], [0, 1, 2]);

    two.process.child.kill('SIGKILL');
    await Promise.all([insert(one, 3), insert(three, 4), two.process.finish()]);
    await seen([one, three], [0, 1, 2, 3, 4]);

    // Every connection of every server is lost at once.
    await pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'rdf-worlds'");
    await Promise.all([insert(one, 5), insert(three, 6)]);
    const four = await start();
    await insert(four, 7);
    await seen([one, three, four], [0, 1, 2, 3, 4, 5, 6, 7]);

    // So does the database itself: reads go on, and writes wait for it.
    await server.kill();
    await seen([one, three, four], [0, 1, 2, 3, 4, 5, 6, 7]);
    const waiting = Promise.all([insert(one, 8), insert(four, 9)]);
    await server.run();
    await waiting;
    await seen([one, three, four], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

    for (const { process } of [one, three, four]) {
      process.child.kill('SIGTERM');
      const { code, stderr } = await process.finish();
      expect(code).toBe(0);
      expect(stderr).not.toContain(PASSWORD);
    }
    expect(await connections()).toBe(0);
  });

  it('that cannot be opened says why, without its password', async () => {
    const cases = [
      [unreachable, /is the server running\?/],
      [serve(urlOf('s', { user: 'locked' })), /password authentication failed .* check user and password/],
      [serve(urlOf('s', { user: 'guest' })), /CREATE SCHEMA "s" AUTHORIZATION/],
      [serve(urlOf('s', { database: 'missing' })), /There is no such database/],
    ] as const;
    const ended = await Promise.all(cases.map(([process]) => process));
    for (const [at, { code, stdout, stderr }] of ended.entries()) {
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(cases[at]![1]);
      expect(stderr).not.toContain(PASSWORD);
    }
  });
});
