import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AuditEntry, createWorldsHandler, staticTokens, type WorldsHandlerOptions } from '../../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'a', namespace: 'acme' });
  await engine.createWorld({ slug: 'b', namespace: 'acme' });
});
afterEach(() => engine.close());

const TOKEN = 'the-token-of-acme';
const authenticate = staticTokens([{ token: TOKEN, id: 'ada', namespace: 'acme' }]);

class Lines {
  readonly lines: { level: string; message: string; details: Record<string, unknown> }[] = [];
  private readonly add = (level: string) => (details: object, message: string) =>
    void this.lines.push({ level, message, details: JSON.parse(JSON.stringify(details)) });
  readonly debug = this.add('debug');
  readonly warn = this.add('warn');
  readonly error = this.add('error');

  of(message: string): Record<string, unknown>[] {
    return this.lines.filter((line) => line.message === message).map(({ details }) => details);
  }
}

function started(options: Partial<WorldsHandlerOptions> = {}) {
  const log = new Lines();
  const handler = createWorldsHandler(engine, { authenticate, logger: log, ...options });
  const ask = async (method: string, path: string, { body, type = 'application/json', token = TOKEN }: Asked = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'x-request-id': 'id-1', 'content-type': type };
    return handler(new Request(`http://x${path}`, { method, headers, body }));
  };
  return { log, ask };
}

interface Asked {
  readonly body?: string;
  readonly type?: string;
  readonly token?: string;
}

const UPDATE = 'application/sparql-update';
const QUERY = 'application/sparql-query';

describe('the entry of a request', () => {
  it('has who, what, which worlds, and what it came to', async () => {
    const { log, ask } = started();
    const body = 'INSERT DATA { <urn:a> <urn:p> 1, 2, 3 }';
    expect((await ask('POST', '/worlds/a/sparql', { type: UPDATE, body })).status).toBe(204);
    const sources = ['a', 'acme/b'];
    const answer = await ask('POST', '/worlds/a/sparql', {
      body: JSON.stringify({ query: 'SELECT * { ?s ?p ?o }', sources }),
    });
    const text = await answer.text();
    expect(log.of('request')).toEqual([
      expect.objectContaining({
        requestId: 'id-1',
        method: 'POST',
        operation: 'sparqlWorld',
        path: '/worlds/{slug}/sparql',
        principal: 'ada',
        namespace: 'acme',
        world: 'a',
        worlds: ['acme/a'],
        status: 204,
        rows: 3,
        bytes: 0,
        durationMs: expect.any(Number),
      }),
      expect.objectContaining({ worlds: ['acme/a', 'acme/b'], status: 200, rows: 3, bytes: text.length }),
    ]);
    expect(JSON.stringify(log.lines)).not.toContain('urn:');
  });

  it('comes when a stream has ended, and says how', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `<urn:s${n}> <urn:p> "${'x'.repeat(40)}" .`).join('\n');
    await engine.import({ source: 'acme/a', data: rows, contentType: 'application/n-quads' });
    const { log, ask } = started();
    const whole = await ask('POST', '/worlds/a/export');
    expect(log.of('request')).toEqual([]);
    const { length } = await whole.text();
    const given = await ask('POST', '/worlds/a/export');
    await given.body!.cancel();
    const broken = await started({ limits: { maxRows: 15_000 } });
    const answer = await broken.ask('POST', '/worlds/a/sparql', { type: QUERY, body: 'SELECT * { ?s ?p ?o }' });
    await expect(answer.text()).rejects.toThrow();
    expect(log.of('request')).toEqual([
      expect.objectContaining({ status: 200, bytes: length }),
      expect.objectContaining({ status: 200, outcome: 'abandoned' }),
    ]);
    expect(log.of('request')[0]).not.toHaveProperty('outcome');
    expect(broken.log.of('request')).toEqual([
      expect.objectContaining({ status: 200, outcome: 'broken', code: 'LIMIT_EXCEEDED' }),
    ]);
  });

  it('names a few of very many worlds, and cuts names that are absurd', async () => {
    const { log, ask } = started();
    const sources = Array.from({ length: 500 }, (_, n) => `w${n}`);
    await ask('POST', '/worlds/a/search', { body: JSON.stringify({ query: 'x', sources }) });
    await ask('GET', `/namespaces/beta/worlds/${'x'.repeat(5_000)}`);
    const [many, long] = log.of('request') as { worlds: string[] }[];
    expect(many.worlds).toHaveLength(21);
    expect(many.worlds[20]).toBe('and 481 more');
    expect(JSON.stringify(long).length).toBeLessThan(1_200);
  });
});

describe('the audit log', () => {
  it('has 401, 403 and writes, whatever became of them, and nothing else', async () => {
    const entries: AuditEntry[] = [];
    const { ask } = started({ auditLog: (entry) => void entries.push(entry) });
    await ask('GET', '/worlds/a');
    await ask('GET', '/worlds/nothing');
    await ask('POST', '/worlds/a/sparql', { type: QUERY, body: 'ASK {}' });
    await ask('GET', '/worlds/a', { token: 'a-token-that-is-wrong' });
    await ask('GET', '/namespaces/beta/worlds/secret');
    await ask('POST', '/worlds/a/search', { body: '{"query":"x","sources":["beta/plans"]}' });
    await ask('POST', '/worlds/a/sparql', { type: UPDATE, body: 'INSERT DATA { <urn:a> <urn:p> 1 }' });
    await ask('POST', '/worlds/a/sparql', { type: UPDATE, body: 'INSERT DATA { broken' });
    await ask('DELETE', '/worlds/b');
    await ask('POST', '/worlds', { body: '{"slug":"a"}' });
    const short = entries.map(({ event, status, operation, worlds, principal, rows, code }) => {
      return [event, status, operation, worlds?.at(-1), principal, rows, code];
    });
    expect(short).toEqual([
      ['unauthenticated', 401, 'getWorld', undefined, undefined, undefined, 'UNAUTHENTICATED'],
      ['denied', 403, 'getWorld', 'beta/secret', 'ada', undefined, 'PERMISSION_DENIED'],
      ['denied', 403, 'searchWorld', 'beta/plans', 'ada', undefined, 'PERMISSION_DENIED'],
      ['write', 204, 'sparqlWorld', 'acme/a', 'ada', 1, undefined],
      ['write', 400, 'sparqlWorld', 'acme/a', 'ada', undefined, 'INVALID_SPARQL'],
      ['write', 204, 'deleteWorld', 'acme/b', 'ada', undefined, undefined],
      ['write', 409, 'createWorld', 'acme/a', 'ada', undefined, 'ALREADY_EXISTS'],
    ]);
    expect(entries.every(({ requestId, time }) => requestId === 'id-1' && time > 0)).toBe(true);
    expect(JSON.stringify(entries)).not.toMatch(/token|urn:/);
  });
});

describe('the log of slow queries', () => {
  const SECRET = 'SELECT ?s { ?s <urn:name> ?name FILTER(?name = "the secret") } LIMIT 12345';

  it('has text and plan without literals', async () => {
    const { log, ask } = started({ slowQueries: { thresholdMs: 0 } });
    await (await ask('POST', '/worlds/a/sparql', { type: QUERY, body: SECRET })).text();
    const [entry] = await vi.waitFor(
      () => {
        expect(log.of('slow query')).toHaveLength(1);
        return log.of('slow query');
      },
      { timeout: 30_000 },
    );
    expect(entry).toMatchObject({
      requestId: 'id-1',
      principal: 'ada',
      worlds: ['acme/a'],
      status: 200,
      queryLength: SECRET.length,
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      query: 'SELECT ?s { ?s <urn:name> ?name FILTER(?name = ?) } LIMIT ?',
      plan: expect.stringContaining('<urn:name>'),
    });
    expect(JSON.stringify(log.lines)).not.toMatch(/the secret|12345/);
  });

  it('shows literals on request, and never more than a few kilobytes', async () => {
    const { log, ask } = started({ slowQueries: { thresholdMs: 0, literals: true } });
    const body = `ASK { ?s ?p "the secret" } # ${'x'.repeat(100_000)}`;
    await ask('POST', '/worlds/a/sparql', { type: QUERY, body });
    await vi.waitFor(() => expect(log.of('slow query')).toHaveLength(1), { timeout: 30_000 });
    const [{ query, plan }] = log.of('slow query') as { query: string; plan: string }[];
    expect(query).toContain('"the secret"');
    expect(query.length + plan.length).toBeLessThan(10_000);
  });

  it('has updates, those that fail, and none below the threshold', async () => {
    const { log, ask } = started({ slowQueries: { thresholdMs: 0 } });
    await ask('POST', '/worlds/a/sparql', { type: UPDATE, body: 'DELETE WHERE { ?s ?p "secret" }' });
    await ask('POST', '/worlds/a/sparql', { type: UPDATE, body: 'DELETE WHERE { "secret' });
    await ask('GET', '/worlds/a');
    await vi.waitFor(() => expect(log.of('slow query')).toHaveLength(2), { timeout: 30_000 });
    expect(
      log
        .of('slow query')
        .map(({ query }) => query)
        .sort(),
    ).toEqual(['DELETE WHERE { ?', 'DELETE WHERE { ?s ?p ? }']);
    const quick = started({ slowQueries: { thresholdMs: 1e9 } });
    await (await quick.ask('POST', '/worlds/a/sparql', { type: QUERY, body: 'ASK {}' })).text();
    expect(quick.log.of('slow query')).toEqual([]);
  });

  it('says why there is no plan', async () => {
    const { log, ask } = started({ slowQueries: { thresholdMs: 0 } });
    engine.explain = () => Promise.reject(new Error('no plan for "the secret"'));
    await ask('POST', '/worlds/a/sparql', { type: QUERY, body: 'ASK {}' });
    await vi.waitFor(() => expect(log.of('slow query')).toHaveLength(1), { timeout: 30_000 });
    expect(log.of('slow query')[0]).toMatchObject({ plan: 'none: no plan for ?' });
  });

  it('is refused without a logger, and with fields that do not exist', () => {
    const options = (slowQueries: object, logger?: Lines) => () =>
      createWorldsHandler(engine, { authenticate, logger, slowQueries: slowQueries as { thresholdMs: number } });
    expect(options({ thresholdMs: 1 })).toThrow(/logger/);
    expect(options({ thresholdMs: 1, literal: true }, new Lines())).toThrow(/did you mean literals\?/);
    expect(options({ thresholdMs: Number.NaN }, new Lines())).toThrow(/thresholdMs/);
  });
});
