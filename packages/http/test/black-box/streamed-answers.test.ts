import { get, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrepareRequest, RunRequest, WorldsEngine } from '@rdf-worlds/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectError } from './answer-shapes.ts';
import { bearer } from './callers.ts';
import { type EngineCall, watchEngine } from './engine-calls.ts';
import { ask } from './exchange.ts';
import { ENDLESS_PATTERN, wideWorld } from './graph-walk.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
const calls: EngineCall[] = [];
const TIMEOUT_MS = 1000;

async function serveWide(
  limits: object,
  wrapEngine = (engine: WorldsEngine) => watchEngine(engine, calls),
): Promise<RunningServer> {
  const started = await startServer({ handler: { limits }, wrapEngine });
  await started.engine.createWorld({ slug: 'wide', namespace: 'alpha' });
  await started.engine.import({ source: 'alpha/wide', data: wideWorld(500) });
  return started;
}

beforeAll(async () => {
  server = await serveWide({ timeoutMs: TIMEOUT_MS, maxRows: 1e12 });
  // What is loaded and compiled with the first query would take its whole time: nothing would have
  // been sent by then.
  for (const query of ['SELECT * { ?s ?p ?o } LIMIT 1', 'CONSTRUCT WHERE { ?s ?p ?o } LIMIT 1'])
    await server.engine.sparql({ query, sources: ['alpha/wide'] }).catch(() => {});
  await ask(server, { method: 'GET', path: `/worlds/wide/sparql?query=${encodeURIComponent('ASK {}')}`, as: 'alice' });
});
afterAll(() => server.close());

interface Ended {
  readonly status: number;
  readonly text: string;
  /** Whether the client was told that the answer is not whole. */
  readonly broken: boolean;
}

/** Reads an answer to its end, good or bad. */
function readToEnd(response: IncomingMessage): Promise<Ended> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let failed = false;
    response.on('data', (chunk) => chunks.push(chunk));
    response.on('error', () => {
      failed = true;
    });
    response.on('close', () =>
      resolve({
        status: response.statusCode!,
        text: Buffer.concat(chunks).toString('utf8'),
        broken: failed || !response.complete,
      }),
    );
  });
}

function sparqlGet(from: RunningServer, query: string, accept: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(
      `${from.origin}/worlds/wide/sparql?query=${encodeURIComponent(query)}`,
      { headers: { authorization: bearer('alice'), accept } },
      resolve,
    ).on('error', reject);
  });
}

function sparqlPost(from: RunningServer, query: string, accept: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${from.origin}/worlds/wide/sparql`,
      { method: 'POST', headers: { authorization: bearer('alice'), accept, 'content-type': 'application/json' } },
      resolve,
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ query }));
  });
}

const SELECT = `SELECT * ${ENDLESS_PATTERN}`;
const CONSTRUCT = `CONSTRUCT { ?a ?c ?f . ?c ?e ?h } WHERE ${ENDLESS_PATTERN}`;

const FORMATS = [
  ['SELECT', SELECT, 'application/sparql-results+json'],
  ['SELECT', SELECT, 'application/sparql-results+xml'],
  ['SELECT', SELECT, 'text/csv'],
  ['SELECT', SELECT, 'text/tab-separated-values'],
  ['CONSTRUCT', CONSTRUCT, 'application/n-triples'],
  ['CONSTRUCT', CONSTRUCT, 'text/turtle'],
] as const;

describe('an error after the first byte destroys the connection', () => {
  it.each(FORMATS)('deadline of a %s: %s, %s', async (form, query, accept) => {
    // More than one: the deadline may come while a batch is being written, or while one is being
    // made.
    const rounds = await Promise.all([0, 1].map(async () => readToEnd(await sparqlGet(server, query, accept))));
    for (const { status, text, broken } of rounds) {
      // Triples are gathered before the first byte, so that subjects can be grouped; solutions
      // stream.
      if (form === 'SELECT') expect(status).toBe(200);
      if (status !== 200) {
        expect([status, JSON.parse(text).error.message.length > 0]).toEqual([503, true]);
        continue;
      }
      expect(text.length).toBeGreaterThan(0);
      expect(broken, `an answer of ${text.length} characters that was cut off ended as if it were whole`).toBe(true);
      expect(() => JSON.parse(text)).toThrow();
    }
  });

  it('deadline of the JSON body form, in both shapes', async () => {
    const answers = await Promise.all(
      [SELECT, CONSTRUCT].map(async (query) =>
        readToEnd(await sparqlPost(server, query, 'application/sparql-results+json')),
      ),
    );
    for (const ended of answers) {
      if (ended.status === 200) {
        expect(ended.broken, 'an answer that was cut off ended as if it were whole').toBe(true);
        expect(() => JSON.parse(ended.text)).toThrow();
      } else expect(ended.status).toBe(503);
    }
  });

  it('too many rows', async () => {
    const limited = await serveWide({ timeoutMs: 20_000, maxRows: 5000 });
    try {
      for (const [, query, accept] of FORMATS.slice(0, 3)) {
        const { status, text, broken } = await readToEnd(await sparqlGet(limited, query, accept));
        if (status === 200) {
          expect(broken).toBe(true);
          expect(() => JSON.parse(text)).toThrow();
        } else expect(status).toBe(400);
      }
    } finally {
      await limited.close();
    }
  });

  it('a response within the limits is complete', async () => {
    const response = await sparqlGet(server, 'SELECT * { ?s <urn:p> ?o }', 'application/sparql-results+json');
    const { text, broken } = await readToEnd(response);
    expect(broken).toBe(false);
    expect(JSON.parse(text).results.bindings).toHaveLength(500);
  });
});

describe('an error before the first byte is an Error body', () => {
  it('a deadline is 503', async () => {
    const query = `SELECT (COUNT(*) AS ?n) ${ENDLESS_PATTERN}`;
    for (const answer of [
      await ask(server, { method: 'POST', path: '/worlds/wide/sparql', as: 'alice', json: { query } }),
      await ask(server, { method: 'GET', path: `/worlds/wide/sparql?query=${encodeURIComponent(query)}`, as: 'alice' }),
    ])
      expectError(answer, 503);
  });

  it('a deadline during an update is 503 and changes nothing', async () => {
    const before = await server.engine.export({ source: 'alpha/wide' });
    const query = `INSERT DATA { <urn:s> <urn:p> "first" } ; INSERT { ?a ?c ?f } WHERE ${ENDLESS_PATTERN}`;
    expectError(await ask(server, { method: 'POST', path: '/worlds/wide/sparql', as: 'alice', json: { query } }), 503);
    expect(await server.engine.export({ source: 'alpha/wide' })).toEqual(before);
  });
});

describe('a client that disconnects', () => {
  it('ends its query', async () => {
    const patient = await serveWide({ timeoutMs: 60_000, maxRows: 1e12 });
    try {
      calls.length = 0;
      const response = await sparqlGet(patient, SELECT, 'application/sparql-results+json');
      await new Promise((resolve) => response.once('data', resolve));
      response.destroy();
      const signals = calls.map(({ request }) => request?.signal).filter(Boolean) as AbortSignal[];
      expect(signals.length).toBeGreaterThan(0);
      for (let waited = 0; waited < 2000 && !signals.some(({ aborted }) => aborted); waited += 20) await sleep(20);
      expect(signals.some(({ aborted }) => aborted)).toBe(true);
    } finally {
      await patient.close();
    }
  });

  it('ends its query before the first byte too', async () => {
    const patient = await serveWide({ timeoutMs: 60_000, maxRows: 1e12 });
    try {
      calls.length = 0;
      const gone = new AbortController();
      const asked = fetch(`${patient.origin}/worlds/wide/sparql`, {
        method: 'POST',
        signal: gone.signal,
        headers: { authorization: bearer('alice'), 'content-type': 'application/json' },
        body: JSON.stringify({ query: `SELECT (COUNT(*) AS ?n) ${ENDLESS_PATTERN}` }),
      });
      await sleep(200);
      gone.abort();
      await expect(asked).rejects.toThrow();
      const signals = calls.map(({ request }) => request?.signal).filter(Boolean) as AbortSignal[];
      expect(signals.length).toBeGreaterThan(0);
      for (let waited = 0; waited < 2000 && !signals.some(({ aborted }) => aborted); waited += 20) await sleep(20);
      expect(signals.some(({ aborted }) => aborted)).toBe(true);
      expect((await ask(patient, { method: 'GET', path: '/worlds/wide', as: 'alice' })).status).toBe(200);
    } finally {
      await patient.close();
    }
  });

  it('that reads slowly is sent no more than it reads', async () => {
    let made = 0;
    const counting = (engine: WorldsEngine) =>
      new Proxy(engine, {
        get(target, name) {
          const value = Reflect.get(target, name, target);
          if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
          return async (text: PrepareRequest) => {
            const prepared = await target.prepare(text);
            const run = async (request: RunRequest) => {
              const result = await prepared.run(request);
              if (result.type !== 'bindings') throw new Error(`The query is a SELECT, not ${result.type}.`);
              const counted = async function* () {
                for await (const batch of result.batches) {
                  made++;
                  yield batch;
                }
              };
              return { ...result, batches: counted() };
            };
            return { isUpdate: prepared.isUpdate, run };
          };
        },
      });
    const patient = await serveWide({ timeoutMs: 60_000, maxRows: 1e12 }, counting);
    try {
      const response = await sparqlGet(patient, SELECT, 'text/csv');
      response.once('readable', () => {});
      response.pause();
      // The answer has no end: only that nobody takes it can stop the making.
      for (let last = -1; made === 0 || made !== last; ) {
        last = made;
        await sleep(200);
      }
      expect(made).toBeGreaterThan(0);
      response.destroy();
    } finally {
      await patient.close();
    }
  });
});
