import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, MemoryPool, WorldsEngine, WorldsError, writeQueryResult } from '../../src/index.ts';
import { collectUntil } from './full-collection.ts';

const { literal, namedNode, quad } = dataFactory;
const MIB = 1 << 20;
const LIMIT = 24 * MIB;

let engine: WorldsEngine;
let pool: MemoryPool;
beforeEach(async () => {
  pool = new MemoryPool(64 * MIB);
  engine = await WorldsEngine.open({ textIndex: null, memoryPool: pool });
  await engine.createWorld({ slug: 'w' });
});
afterEach(async () => {
  await engine.close();
  expect(pool.usedBytes).toBe(0);
});

/**
 * Binds `?last` to a text of 2 to the power of `doublings` characters that is another one for each
 * `?seed`.
 */
function doubled(doublings: number, last: string, seed = 'STR(?n)'): string {
  const steps = [`BIND(SUBSTR(CONCAT(${seed}, "................"), 1, 16) AS ?t4)`];
  for (let i = 5; i <= doublings; i++) steps.push(`BIND(CONCAT(?t${i - 1}, ?t${i - 1}) AS ?t${i})`);
  steps.push(`BIND(?t${doublings} AS ${last})`);
  return steps.join(' ');
}

const numbers = (count: number, variable = '?n') =>
  `VALUES ${variable} { ${Array.from({ length: count }, (_, i) => i).join(' ')} }`;

/** Queries and updates of an empty world, each with a text of less than 3 kB. */
const ATTACKS: readonly (readonly [name: string, text: string, maxMemoryBytes?: number])[] = [
  ['MAX of doubled texts', `SELECT ?n (MAX(?t) AS ?m) { ${numbers(100)} ${doubled(20, '?t')} } GROUP BY ?n`],
  [
    'MAX of texts that are not terms',
    `SELECT ?n (MAX(REPLACE(?t, "[.]", "xxxxxxxx")) AS ?m) { ${numbers(100)} ${doubled(16, '?t')} } GROUP BY ?n`,
  ],
  ['SAMPLE', `SELECT ?n (SAMPLE(CONCAT(?t, ?t)) AS ?m) { ${numbers(100)} ${doubled(18, '?t')} } GROUP BY ?n`],
  [
    'MIN with DISTINCT',
    `SELECT ?n (MIN(DISTINCT UCASE(?t)) AS ?m) { ${numbers(100)} ${doubled(18, '?t')} } GROUP BY ?n`,
  ],
  ['COUNT of different texts', `SELECT (COUNT(DISTINCT UCASE(?t)) AS ?m) { ${numbers(100)} ${doubled(18, '?t')} }`],
  ['GROUP_CONCAT', `SELECT (GROUP_CONCAT(?t) AS ?m) { ${numbers(400)} ${doubled(15, '?t')} }`],
  ['computed terms', `SELECT ?t { ${numbers(100)} ${doubled(20, '?t')} }`],
  ['computed IRIs', `SELECT ?i { ${numbers(100)} ${doubled(18, '?t')} BIND(IRI(CONCAT("urn:", ?t)) AS ?i) }`],
  ['typed texts', `SELECT ?i { ${numbers(100)} ${doubled(18, '?t')} BIND(STRDT(?t, <urn:d>) AS ?i) }`],
  ['UCASE', `SELECT ?u { ${numbers(100)} ${doubled(18, '?t')} BIND(UCASE(CONCAT(?t, "a")) AS ?u) }`],
  ['ENCODE_FOR_URI', `SELECT ?u { ${numbers(100)} ${doubled(18, '?t')} BIND(ENCODE_FOR_URI(CONCAT(?t, "  ")) AS ?u) }`],
  ['ORDER BY long texts', `SELECT ?n { ${numbers(100)} ${doubled(17, '?t')} } ORDER BY (UCASE(?t))`],
  [
    'ORDER BY texts with a language',
    `SELECT ?n { ${numbers(100)} ${doubled(17, '?t')} } ORDER BY (STRLANG(UCASE(?t), "en"))`,
  ],
  ['ORDER BY typed texts', `SELECT ?n { ${numbers(100)} ${doubled(17, '?t')} } ORDER BY (STRDT(UCASE(?t), <urn:d>))`],
  [
    'one row with many long texts at once',
    `SELECT ?n { ${numbers(1)} ${doubled(19, '?t')} FILTER(STRLEN(CONCAT(UCASE(?t), LCASE(?t), UCASE(?t))) > 0) }`,
    3 * MIB,
  ],
  [
    'constants',
    `SELECT (STRLEN(CONCAT(?n, REPLACE(REPLACE("${'a'.repeat(64)}", "a", "${'b'.repeat(256)}"), "b", "${'c'.repeat(128)}"))) AS ?l) { ${numbers(1)} }`,
    3 * MIB,
  ],
  [
    'groups',
    `SELECT ?a ?b ?c ?d (SUM(?a) AS ?s) { ${['?a', '?b', '?c', '?d'].map((name) => numbers(20, name)).join(' ')} } GROUP BY ?a ?b ?c ?d`,
    2 * MIB,
  ],
  [
    'labels of blank nodes',
    `SELECT (BNODE(CONCAT(STR(?a), STR(?b), STR(?c))) AS ?x) { ${['?a', '?b', '?c', '?d'].map((name) => numbers(24, name)).join(' ')} }`,
    2 * MIB,
  ],
  ['CONSTRUCT', `CONSTRUCT { <urn:s> <urn:p> ?t } { ${numbers(100)} ${doubled(18, '?t')} }`],
  ['an update that writes long texts', `INSERT { <urn:s> <urn:p> ?t } WHERE { ${numbers(100)} ${doubled(18, '?t')} }`],
  [
    'an update that writes a cross product',
    `INSERT { ?x ?p ?y } WHERE { ${['?a', '?b', '?c', '?y'].map((name) => numbers(25, name)).join(' ')} BIND(IRI(CONCAT("urn:", STR(?a), "-", STR(?b))) AS ?x) BIND(IRI(CONCAT("urn:", STR(?c))) AS ?p) }`,
    2 * MIB,
  ],
  [
    'blank nodes of a template',
    `INSERT { [] <urn:p> [ <urn:q> [] ] } WHERE { ${['?a', '?b', '?c', '?y'].map((name) => numbers(22, name)).join(' ')} }`,
    2 * MIB,
  ],
];

describe('memory of a request', () => {
  const attacks = ATTACKS.map(([name, query, maxMemoryBytes = LIMIT]) => ({ name, query, maxMemoryBytes }));
  it.each(attacks)('is limited: $name', async ({ query, maxMemoryBytes }) => {
    expect(query.length).toBeLessThan(3000);
    await expect(engine.sparql({ query, maxMemoryBytes })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(String(maxMemoryBytes)),
    });
    expect(pool.usedBytes).toBe(0);
    expect(await engine.ask({ query: 'ASK { ?s ?p ?o }' })).toBe(false);
  });

  it('does not count texts of discarded rows', async () => {
    // 400 rows, each with texts of 1 MiB in all, and none of them kept.
    const query = `SELECT (SUM(STRLEN(UCASE(CONCAT(?t, STR(?a), STR(?b))))) AS ?sum) {
      ${numbers(1)} ${doubled(18, '?t')} ${numbers(20, '?a')} ${numbers(20, '?b')} }`;
    const result = await engine.select({ query, maxMemoryBytes: LIMIT });
    const rows = await result.array();
    expect(Number(rows[0].get('sum')?.value)).toBeGreaterThan(400 * 2 ** 18);
  });

  it('leaves a filter and a sort of a few by long texts alone', async () => {
    const query = `SELECT ?a ?b { ${numbers(1)} ${doubled(18, '?t')} ${numbers(20, '?a')} ${numbers(20, '?b')}
      FILTER(STRLEN(LCASE(CONCAT(?t, STR(?a)))) > 5) } ORDER BY DESC(STRLEN(UCASE(CONCAT(?t, STR(?b))))) LIMIT 3`;
    const result = await engine.select({ query, maxMemoryBytes: LIMIT });
    expect(await result.array()).toHaveLength(3);
  });

  it('is shared by the operations of an update, each of which releases its own temporary memory', async () => {
    const sort = `INSERT { <urn:s> <urn:p> ?n } WHERE { SELECT DISTINCT ?n { ${numbers(40)} ${numbers(40, '?b')} ${numbers(40, '?c')} } ORDER BY ?b ?c }`;
    await engine.update({ query: Array.from({ length: 12 }, () => sort).join(' ; '), maxMemoryBytes: LIMIT });
    expect(pool.usedBytes).toBe(0);
  });

  it('is limited while triples are gathered for a document', async () => {
    const query = `CONSTRUCT { ?s <urn:p> ?n } { ${numbers(100)} ${numbers(100, '?b')} BIND(IRI(CONCAT("urn:", STR(?b))) AS ?s) }`;
    const result = await engine.query({ query });
    const write = async (maxMemoryBytes: number) => {
      let bytes = 0;
      for await (const chunk of writeQueryResult(result, 'text/turtle', { maxMemoryBytes, memoryPool: pool }))
        bytes += chunk.length;
      return bytes;
    };
    await expect(write(200_000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});

const HEAVY = `SELECT ?t { ${numbers(60)} ${doubled(17, '?t')} }`;

describe('memory of the process', () => {
  it('is OVERLOADED for a heavy request while others have it; light ones are answered', async () => {
    const heavy = { query: HEAVY, maxMemoryBytes: 60 * MIB };
    const first = (await engine.select(heavy)).batches[Symbol.asyncIterator]();
    await first.next();
    expect(pool.usedBytes).toBeGreaterThan(10 * MIB);
    const others = new Set<string>();
    const held = [first];
    for (let i = 0; i < 8; i++) {
      const next = (await engine.select(heavy)).batches[Symbol.asyncIterator]();
      try {
        await next.next();
        held.push(next);
      } catch (error) {
        others.add((error as { code: string }).code);
      }
    }
    expect([...others]).toEqual(['OVERLOADED']);
    expect(await engine.ask({ query: 'ASK {}' })).toBe(true);
    await engine.update({ query: 'INSERT DATA { <urn:a> <urn:b> 1 }' });
    for (const one of held) await one.return?.();
    expect(pool.usedBytes).toBe(0);
    expect(await (await engine.select(heavy)).array()).toHaveLength(60);
  });

  it('is released by every outcome of every kind of request', async () => {
    const bad = `${HEAVY} ORDER BY (UCASE(?t))`;
    const insert = `INSERT { <urn:s> <urn:p> ?t } WHERE { ${numbers(40)} ${doubled(16, '?t')} }`;
    const ignored = (error: { code?: string }) => {
      if (!error.code) throw error;
    };
    const endings: (() => Promise<unknown>)[] = [
      async () => (await engine.select({ query: HEAVY })).array(),
      async () => {
        for await (const _ of await engine.select({ query: HEAVY })) break;
      },
      async () => {
        const batches = (await engine.select({ query: HEAVY })).batches[Symbol.asyncIterator]();
        await batches.next();
        await batches.return?.();
      },
      async () => (await engine.select({ query: bad, maxMemoryBytes: 4 * MIB })).array(),
      async () => (await engine.select({ query: HEAVY, maxRows: 3 })).array(),
      async () => (await engine.select({ query: HEAVY, timeoutMs: 1 })).array(),
      async () => (await engine.select({ query: HEAVY, signal: AbortSignal.abort() })).array(),
      async () => engine.ask({ query: `ASK { ${numbers(40)} ${doubled(16, '?t')} FILTER(STRLEN(?t) < 3) }` }),
      async () =>
        (
          await engine.construct({ query: `CONSTRUCT { <urn:s> <urn:p> ?t } { ${numbers(40)} ${doubled(16, '?t')} }` })
        ).array(),
      async () => engine.explain({ query: HEAVY, analyze: true }),
      async () => engine.update({ query: `${insert} ; CLEAR ALL` }),
      async () => engine.update({ query: insert, maxMemoryBytes: 2 * MIB }),
      async () => engine.update({ query: insert, timeoutMs: 1 }),
      async () => engine.update({ query: `${insert} ; CREATE GRAPH <urn:g> ; CREATE GRAPH <urn:g>` }),
      async () => engine.update({ query: 'INSERT DATA { <urn:a> <urn:b> 1 } ; DELETE DATA { <urn:a> <urn:b> 1 }' }),
      async () => engine.import({ source: 'w', data: `<urn:a> <urn:b> "${'x'.repeat(1e5)}" .` }),
    ];
    for (let round = 0; round < 2; round++)
      for (const end of endings) {
        await end().catch(ignored);
        expect(pool.usedBytes).toBe(0);
      }
    for (let i = 0; i < 2000; i++) await endings[14]();
    expect(pool.usedBytes).toBe(0);
  });

  it('of abandoned results is released when they are garbage-collected', async () => {
    // How much one holds depends on how soon it pauses: all of it without a pause, which one
    // request may, and two fit the pool.
    const query = `SELECT ?t { ${numbers(40)} ${doubled(17, '?t')} }`;
    const drop = async () => {
      const { batches } = await engine.select({ query });
      const rows = batches[Symbol.asyncIterator]();
      await rows.next();
      expect(pool.usedBytes).toBeGreaterThan(0);
      // Referenced up to here: a collection may come at any time.
      expect(rows).toBeDefined();
    };
    for (let i = 0; i < 2; i++) await drop();
    await collectUntil(() => pool.usedBytes === 0);
    expect(pool.usedBytes).toBe(0);
  });
});

describe('memory of imports', () => {
  /**
   * A document of about 8 MiB, of which each half a MiB comes alone. `onPiece` is told before each.
   */
  async function* document(onPiece: () => void): AsyncGenerator<string> {
    for (let piece = 0; piece < 16; piece++) {
      onPiece();
      yield `<urn:s> <urn:p> "${piece}${crypto.randomUUID()}${'x'.repeat(1 << 19)}" .\n`;
    }
  }

  it('takes no more than half of the pool, and the others go on', async () => {
    const slugs = Array.from({ length: 8 }, (_, i) => `import-${i}`);
    for (const slug of slugs) await engine.createWorld({ slug });
    let waited = 0;
    let pieces = 0;
    const watch = () => {
      pieces++;
      waited = Math.max(waited, pool.imports.waitingImports);
      expect(pool.imports.usedBytes).toBeLessThanOrEqual(32 * MIB);
    };
    const importing = slugs.map((source) => engine.import({ source, data: document(watch) }));
    while (waited === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(engine.metrics().requestMemory.importsWaiting).toBeGreaterThan(0);
    // Light requests, a small import and a query of some 20 MiB among them.
    expect(await engine.ask({ query: 'ASK {}' })).toBe(true);
    await engine.import({ source: 'w', data: '<urn:a> <urn:b> <urn:c> .' });
    const heavy = { query: `SELECT ?t { ${numbers(40)} ${doubled(16, '?t')} }` };
    expect(await (await engine.select(heavy)).array()).toHaveLength(40);
    expect(pieces).toBeLessThan(8 * 16);
    for (const { inserted } of await Promise.all(importing)) expect(inserted).toBe(16);
    expect(pool.imports.usedBytes).toBe(0);
  });

  it('is OVERLOADED if the deadline passes in the queue, and is released', async () => {
    await engine.createWorld({ slug: 'late' });
    const blocked: (() => void)[] = [];
    const holding: Promise<unknown>[] = [];
    // The first is larger than the share, and needs not wait; the second takes most of the share.
    // One after the other: beside each other either could be the one that needs not wait.
    for (const documents of [4, 2]) {
      const source = `stalled-${documents}`;
      await engine.createWorld({ slug: source });
      const stalled = async function* () {
        for (let n = 0; n < documents; n++) yield* document(() => {});
        await new Promise<void>((resolve) => blocked.push(resolve));
      };
      const before = blocked.length;
      holding.push(engine.import({ source, data: stalled() }));
      while (blocked.length === before) await new Promise((resolve) => setImmediate(resolve));
    }
    const deadline = new AbortController();
    const late = engine.import({ source: 'late', data: document(() => {}), signal: deadline.signal });
    late.catch(() => undefined);
    while (pool.imports.waitingImports === 0) await new Promise((resolve) => setImmediate(resolve));
    deadline.abort(new WorldsError('TIMEOUT', 'The time limit passed.'));
    await expect(late).rejects.toMatchObject({ code: 'OVERLOADED' });
    for (const unblock of blocked) unblock();
    await Promise.all(holding);
  });
});

describe('memory of other requests', () => {
  it('is claimed by a write', async () => {
    const insert = Array.from({ length: 64 }, (_, i) =>
      quad(namedNode('urn:s'), namedNode('urn:p'), literal(`${i}${'x'.repeat(1 << 20)}`)),
    );
    await expect(engine.write({ source: 'w', insert })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(pool.usedBytes).toBe(0);
    expect(await engine.ask({ query: 'ASK { ?s ?p ?o }' })).toBe(false);
    await engine.write({ source: 'w', insert: insert.slice(0, 8) });
  });

  it('is claimed by a search that lists the instances of a type', async () => {
    const small = new MemoryPool(MIB / 4);
    const searched = await WorldsEngine.open({ memoryPool: small });
    await searched.createWorld({ slug: 'w' });
    const typed = Array.from({ length: 10_000 }, (_, i) => `<urn:s${i}> a <urn:T> ; <urn:p> "word ${i}" .`);
    // None of these has the type, so each is looked up, until the instances are listed.
    const others = Array.from({ length: 5_000 }, (_, i) => `<urn:o${i}> <urn:p> "lamp ${i}" .`);
    await searched.import({ source: 'w', data: [...typed, ...others].join('\n'), contentType: 'text/turtle' });
    const search = (query: string) => searched.search({ query, sources: ['w'], types: ['urn:T'] });
    await expect(search('lamp')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(small.usedBytes).toBe(0);
    expect(await search('word')).toHaveLength(20);
    expect(small.usedBytes).toBe(0);
    await searched.close();
  });

  it('is claimed by a document in canonical order', async () => {
    const data = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p> "${'x'.repeat(2000)}${i}" .`).join('\n');
    await engine.import({ source: 'w', data });
    const written = async () => (await engine.export({ source: 'w', canonicalOrder: true })).length;
    await expect(written()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(pool.usedBytes).toBe(0);
  });
});
