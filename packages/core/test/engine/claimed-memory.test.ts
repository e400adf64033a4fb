import type * as RDF from '@rdfjs/types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { sortedQuads } from '../../src/engine/sorted-quads.ts';
import { dataFactory, MemoryPool, WorldsEngine, writeQueryResult } from '../../src/index.ts';
import { RequestBudget } from '../../src/model/request-budget.ts';
import { QuadCollector } from '../../src/quads/quad-collector.ts';
import { Transaction } from '../../src/quads/transaction.ts';
import { heldBytes, settledBytes } from './full-collection.ts';

const { namedNode, quad } = dataFactory;
const MIB = 1 << 20;
/** Below this much growth the rest of the process hides what the request takes. */
const NOTICED = 1.5 * MIB;

let data = '';
const pool = new MemoryPool(2048 * MIB);
let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null, memoryPool: pool });
  await engine.createWorld({ slug: 'w' });
  const lines: string[] = [];
  for (let i = 0; i < 200; i++) lines.push(`<urn:s${i}> <urn:p> "${i}"^^<http://www.w3.org/2001/XMLSchema#integer> .`);
  for (let i = 0; i < 40_000; i++) lines.push(`<urn:n${i}> <urn:next> <urn:n${i + 1}> .`);
  for (let i = 0; i < 24; i++) lines.push(`<urn:t${i}> <urn:text> "${i}${'Long text. '.repeat(24_000)}" .`);
  data = lines.join('\n');
  await engine.import({ source: 'w', data });
}, 60_000);
afterAll(() => engine.close());

/** 40,000 rows of which each is another one. */
const PAIRS = '?a <urn:p> ?x . ?b <urn:p> ?y .';
/** 24 rows, each with another text of 264,000 characters. */
const TEXTS = '?t <urn:text> ?l .';

/** Each keeps something while its first rows are given out. */
const QUERIES: readonly (readonly [name: string, query: string])[] = [
  // Operators.
  ['order by variables', `SELECT ?a ?b { ${PAIRS} ?a <urn:p> ?z } ORDER BY ?y ?x`],
  ['order by expressions', `SELECT ?a ?b { ${PAIRS} } ORDER BY (CONCAT(STR(?x), STR(?y)))`],
  ['top-k of many', `SELECT ?a ?b { ${PAIRS} } ORDER BY (CONCAT(STR(?x), STR(?y))) LIMIT 15000`],
  ['order by long stored texts', `SELECT ?t { ${TEXTS} } ORDER BY ?l`],
  ['order by long computed texts', `SELECT ?t { ${TEXTS} } ORDER BY (UCASE(?l))`],
  ['distinct', `SELECT DISTINCT ?a ?b ?c { ${PAIRS} ?c <urn:p> ?z FILTER(?z < 10) } OFFSET 399000`],
  ['group', `SELECT ?a ?b ?c (COUNT(*) AS ?n) { ${PAIRS} ?c <urn:p> ?z FILTER(?z < 4) } GROUP BY ?a ?b ?c`],
  [
    'hash join',
    `SELECT ?a ?b ?n { { SELECT ?a ?b { ${PAIRS} } ORDER BY ?x } { SELECT ?a ?b (?x + 1 AS ?n) { ${PAIRS} } ORDER BY ?y } }`,
  ],
  [
    'range join',
    `SELECT ?a ?b ?c ?d { { SELECT ?a ?b (?x * 200 + ?y AS ?n) { ${PAIRS} } } { SELECT ?c ?d (?z * 200 + ?w AS ?m) { ?c <urn:p> ?z . ?d <urn:p> ?w } } FILTER(?m <= ?n && ?n < ?m + 1) }`,
  ],
  [
    'range semi-join',
    `SELECT ?a ?b { ${PAIRS} BIND(?x * 200 + ?y AS ?n) FILTER EXISTS { ?c <urn:p> ?z . ?d <urn:p> ?w FILTER(?z + ?w > ?n) } }`,
  ],
  ['minus', `SELECT ?a ?b { ${PAIRS} MINUS { SELECT ?a ?b { ${PAIRS} FILTER(?x > ?y) } } } OFFSET 20000`],
  ['path', 'SELECT ?n { <urn:n0> <urn:next>* ?n } OFFSET 39000'],
  ['paths between all', 'SELECT ?m ?n { ?m <urn:next>+ ?n FILTER(?m = <urn:n100> || ?m = <urn:n200>) } OFFSET 70000'],
  // Computed terms.
  ['computed terms', `SELECT ?c { ${PAIRS} BIND(CONCAT(STR(?a), "/", STR(?b)) AS ?c) } OFFSET 39000`],
  ['computed numbers', `SELECT ?c { ${PAIRS} BIND(?x * 1000.001 + ?y AS ?c) } OFFSET 39000`],
  ['computed IRIs', `SELECT ?c { ${PAIRS} BIND(IRI(CONCAT(STR(?a), "/", STR(?b))) AS ?c) } OFFSET 39000`],
  ['languages', `SELECT ?c { ${PAIRS} BIND(STRLANG(CONCAT(STR(?a), STR(?b)), "en") AS ?c) } OFFSET 39000`],
  ['datatypes', `SELECT ?c { ${PAIRS} BIND(STRDT("1", IRI(CONCAT(STR(?a), "/", STR(?b)))) AS ?c) } OFFSET 39000`],
  ['blank nodes', `SELECT ?c { ${PAIRS} BIND(BNODE() AS ?c) } OFFSET 39000`],
  ['labelled blank nodes', `SELECT ?c { ${PAIRS} BIND(BNODE(CONCAT(STR(?a), STR(?b))) AS ?c) } OFFSET 39000`],
  ['triple terms', `SELECT ?c { ${PAIRS} BIND(TRIPLE(?a, <urn:p>, ?b) AS ?c) } OFFSET 39000`],
  // Aggregates.
  ...['SUM', 'AVG', 'MIN', 'MAX', 'SAMPLE', 'GROUP_CONCAT', 'COUNT'].flatMap((name) => [
    [`${name} of many groups`, `SELECT ?a ?b (${name}(?x + ?y) AS ?r) { ${PAIRS} } GROUP BY ?a ?b`] as const,
    [
      `${name} DISTINCT of many groups`,
      `SELECT ?a ?b (${name}(DISTINCT ?x + ?y) AS ?r) { ${PAIRS} } GROUP BY ?a ?b`,
    ] as const,
    [
      `${name} DISTINCT of many values`,
      `SELECT (${name}(DISTINCT CONCAT(STR(?a), STR(?b))) AS ?r) { ${PAIRS} }`,
    ] as const,
  ]),
  ['MAX of long texts', `SELECT ?t (MAX(UCASE(?l)) AS ?r) { ${TEXTS} } GROUP BY ?t`],
  ['SAMPLE of long texts', `SELECT ?t (SAMPLE(LCASE(?l)) AS ?r) { ${TEXTS} } GROUP BY ?t`],
  [
    'GROUP_CONCAT of short texts',
    `SELECT (GROUP_CONCAT(?x; SEPARATOR="") AS ?r) { ${PAIRS} ?c <urn:p> ?z FILTER(?z < 4) }`,
  ],
  ['GROUP_CONCAT of long texts', `SELECT (GROUP_CONCAT(?l) AS ?r) { ${TEXTS} }`],
  // Functions whose results grow.
  ...[
    'UCASE(?l)',
    'LCASE(?l)',
    'CONCAT(?l, ?l)',
    'REPLACE(?l, " ", "____")',
    'ENCODE_FOR_URI(?l)',
    'SUBSTR(?l, 2)',
    'STRBEFORE(?l, "ZZZ")',
    'STRAFTER(?l, "L")',
    'STRDT(UCASE(?l), <urn:d>)',
    'STRLANG(UCASE(?l), "en")',
    'IRI(CONCAT("urn:", REPLACE(?l, " ", "_")))',
    'IF(true, UCASE(?l), ?l)',
    'COALESCE(UCASE(?l), ?l)',
  ].map((call) => [call, `SELECT ?r { ${TEXTS} BIND(${call} AS ?r) } ORDER BY ?r`] as const),
  // Other forms.
  ['CONSTRUCT', `CONSTRUCT { ?a ?b ?c } { ${PAIRS} ?c <urn:p> ?z FILTER(?z < 4) }`],
];

/** CLAIMED_MEMORY=1 measures everything, in two minutes; every other run measures a part of it. */
const EVERY = process.env.CLAIMED_MEMORY !== undefined;
const PART = EVERY ? 1 : 16;

describe('the memory that a query claims', () => {
  it.each(QUERIES.filter((_, i) => i % PART === 0))(
    'is at least half of the growth of the process: %s',
    async (_, query) => {
      // What is made once for a kind of query, such as lookup indexes, belongs to the namespace.
      await drained(query);
      const before = await settledBytes();
      const { batches, toRead } = await begun(query);
      for (let read = 0; read < toRead; read++) if ((await batches.next()).done) break;
      const growth = (await settledBytes()) - before;
      const claimed = pool.usedBytes;
      await batches.return?.();
      expect(pool.usedBytes).toBe(0);
      if (growth >= NOTICED) expect(claimed).toBeGreaterThanOrEqual(growth / 2);
      // Nothing is claimed many times over either: a limit must mean something.
      expect(claimed).toBeLessThan(Math.max(growth, 2 * NOTICED) * 12);
    },
  );
});

async function begun(query: string) {
  const result = await engine.query({ query });
  if (result.type !== 'bindings' && result.type !== 'quads') throw new Error('expected a stream');
  const batches = result.batches[Symbol.asyncIterator]() as AsyncIterator<{ length: number }>;
  // A CONSTRUCT keeps more and more: look behind its beginning.
  return { batches, toRead: result.type === 'quads' ? 100 : 1 };
}

async function drained(query: string): Promise<void> {
  const { batches } = await begun(query);
  await batches.next();
  await batches.return?.();
}

const UPDATES: readonly (readonly [name: string, query: string])[] = [
  ['INSERT of stored terms', `INSERT { ?a <urn:q> ?y . ?b ?a ?x } WHERE { ${PAIRS} }`],
  ['INSERT of new terms', `INSERT { ?a <urn:q> ?c } WHERE { ${PAIRS} BIND(CONCAT(STR(?a), STR(?b)) AS ?c) }`],
  ['INSERT of long texts', `INSERT { ?t <urn:q> ?c } WHERE { ${TEXTS} BIND(UCASE(?l) AS ?c) }`],
  ['INSERT of blank nodes', `INSERT { [] <urn:q> ?a } WHERE { ${PAIRS} }`],
  ['INSERT of triple terms', `INSERT { ?a <urn:q> <<( ?a <urn:p> ?b )>> } WHERE { ${PAIRS} }`],
  ['DELETE', 'DELETE WHERE { ?a <urn:next> ?b }'],
  ['CLEAR', 'CLEAR ALL'],
  ['COPY', 'COPY DEFAULT TO <urn:g>'],
  ['INSERT, twice', `INSERT { ?b ?a ?x } WHERE { ${PAIRS} } ; INSERT { ?a ?b ?y } WHERE { ${PAIRS} }`],
];

describe('the memory that an update claims', () => {
  it.each(EVERY ? UPDATES : UPDATES.filter((_, i) => i % 4 === 0))(
    'is at least half of the growth of the process: %s',
    async (_, query) => {
      const sources = ['scratch'];
      const [source] = sources;
      await engine.createWorld({ slug: source });
      await engine.import({ source, data });
      await engine.ask({ query: `ASK { ${PAIRS} ${TEXTS} }`, sources });
      const finish = Transaction.prototype.finish;
      let growth = 0;
      let claimed = 0;
      const before = await settledBytes();
      const spy = vi.spyOn(Transaction.prototype, 'finish').mockImplementation(function* (this: Transaction) {
        growth = heldBytes() - before;
        claimed = pool.usedBytes;
        return yield* finish.call(this);
      });
      try {
        await engine.update({ query, sources });
      } finally {
        spy.mockRestore();
        await engine.deleteWorld({ source });
      }
      expect(pool.usedBytes).toBe(0);
      if (growth >= NOTICED) expect(claimed).toBeGreaterThanOrEqual(growth / 2);
      expect(claimed).toBeLessThan(Math.max(growth, 2 * NOTICED) * 12);
    },
  );
});

/** 20,000 quads of terms that are nowhere else, and some long texts. */
const IMPORTED = [
  ...Array.from({ length: 20_000 }, (_, i) => `<urn:import:s${i}> <urn:import:p${i % 50}> "The text of ${i}" .`),
  ...Array.from(
    { length: 4 },
    (_, i) => `<urn:import:t${i}> <urn:import:text> "${i}${'Long text. '.repeat(24_000)}" .`,
  ),
].join('\n');
/** What an import may be given; the first three in every run. */
const IMPORTED_AS = [
  'application/n-quads',
  'text/turtle',
  'application/ld+json',
  'quads',
  'application/rdf+xml',
  'application/n-triples',
  'application/trig',
  'text/n3',
];

async function quadsOf(holder: WorldsEngine): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const one of holder.quads({ source: 'w' })) quads.push(one);
  return quads;
}

describe('the memory that an import claims', () => {
  it.each(EVERY ? IMPORTED_AS : IMPORTED_AS.slice(0, 3))(
    'is at least half of the growth of the process: %s',
    async (contentType) => {
      // Of another engine, so that its terms are new to this one.
      const other = await WorldsEngine.open({ textIndex: null });
      await other.createWorld({ slug: 'w' });
      await other.import({ source: 'w', data: IMPORTED });
      const isDocument = contentType !== 'quads';
      const data = isDocument ? await other.export({ source: 'w', contentType }) : await quadsOf(other);
      await other.close();
      const namespace = 'imported';
      await engine.createWorld({ namespace, slug: 'w' });
      const before = await settledBytes();
      const seen: { growth: number; claimed: number }[] = [];
      const measure = () => {
        // The last match of an expression keeps its text, here a whole document.
        /x/.test('x');
        seen.push({ growth: heldBytes() - before, claimed: pool.usedBytes });
      };
      const { add, finish } = QuadCollector.prototype;
      let added = 0;
      // In the middle, where the reader holds what it has not read yet, and at the end, where
      // everything has been read.
      const adding = vi.spyOn(QuadCollector.prototype, 'add').mockImplementation(function (
        this: QuadCollector,
        ...row
      ) {
        if (++added === 15_000) measure();
        add.apply(this, row);
      });
      const finishing = vi.spyOn(QuadCollector.prototype, 'finish').mockImplementation(function* (this: QuadCollector) {
        measure();
        return yield* finish.call(this);
      });
      try {
        const source = { namespace, slug: 'w' };
        if (isDocument) await engine.import({ source, data: data as Uint8Array, contentType });
        else await engine.import({ source, data: data as RDF.Quad[] });
      } finally {
        adding.mockRestore();
        finishing.mockRestore();
        await engine.deleteWorld({ source: { namespace, slug: 'w' } });
      }
      expect([pool.usedBytes, pool.imports.usedBytes]).toEqual([0, 0]);
      expect(seen).toHaveLength(2);
      for (const { growth, claimed } of seen) {
        // Memory is claimed for whole pieces of a document.
        if (growth >= NOTICED) expect(claimed + MIB).toBeGreaterThanOrEqual(growth / 2);
        expect(claimed).toBeLessThan(Math.max(growth, 2 * NOTICED) * 12);
      }
    },
  );
});

describe('the memory that a write claims', () => {
  it('is at least half of the growth of the process', async () => {
    const quads = await quadsOf(engine);
    await engine.createWorld({ slug: 'written' });
    // Terms that are there are not made again: as many quads of new ones.
    const insert = quads.map(({ subject, predicate, object }) =>
      quad(subject, namedNode(`${predicate.value}2`), object),
    );
    const { finish } = Transaction.prototype;
    const before = await settledBytes();
    let growth = 0;
    let claimed = 0;
    const spy = vi.spyOn(Transaction.prototype, 'finish').mockImplementation(function* (this: Transaction) {
      growth = heldBytes() - before;
      claimed = pool.usedBytes;
      return yield* finish.call(this);
    });
    try {
      await engine.write({ source: 'written', insert });
    } finally {
      spy.mockRestore();
      await engine.deleteWorld({ source: 'written' });
    }
    expect(pool.usedBytes).toBe(0);
    expect(growth).toBeGreaterThan(NOTICED);
    expect(claimed).toBeGreaterThanOrEqual(growth / 2);
  });
});

describe('the memory that a result writer claims', () => {
  it.each(['text/turtle', 'application/ld+json'])(
    'is at least half of the growth of the process: %s',
    async (mediaType) => {
      const result = await engine.query({ query: 'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }' });
      const before = await settledBytes();
      const chunks = writeQueryResult(result, mediaType, { memoryPool: pool })[Symbol.asyncIterator]();
      for (let read = 0; read < 20; read++) if ((await chunks.next()).done) break;
      const growth = (await settledBytes()) - before;
      const claimed = pool.usedBytes;
      await chunks.return?.();
      expect(pool.usedBytes).toBe(0);
      expect(growth).toBeGreaterThan(NOTICED);
      expect(claimed).toBeGreaterThanOrEqual(growth / 2);
    },
  );
});

interface Held {
  readonly growth: number;
  readonly claimed: number;
}

/** By so much more has to be claimed until the heap is looked at again. */
const STEP = 1.3;

/**
 * Runs work, and looks at the heap whenever much more was claimed, and at the 1st, 2nd, 4th and 8th
 * pause and so on, where memory that nobody claims would show.
 */
async function heldDuring(work: () => Promise<unknown>): Promise<readonly Held[]> {
  const before = await settledBytes();
  const seen: Held[] = [];
  const look = () => void seen.push({ growth: heldBytes() - before, claimed: pool.usedBytes });
  let next = NOTICED;
  // Not spies of Vitest, which keep every call.
  const { claimMemory } = RequestBudget.prototype;
  RequestBudget.prototype.claimMemory = function (bytes) {
    claimMemory.call(this, bytes);
    if (this.claimedBytes < next) return;
    next = this.claimedBytes * STEP;
    look();
  };
  const { pause } = Slicer.prototype;
  let [pauses, nextPause] = [0, 1];
  Slicer.prototype.pause = function () {
    if (++pauses === nextPause) {
      nextPause *= 2;
      look();
    }
    return pause.call(this);
  };
  try {
    await work();
  } finally {
    RequestBudget.prototype.claimMemory = claimMemory;
    Slicer.prototype.pause = pause;
  }
  return seen;
}

const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
/** Worlds of one kind each, of an engine with a text index. */
const WORLDS = {
  texts: Array.from(
    { length: 20_000 },
    (_, i) =>
      `<urn:d${i}> <urn:text> "common word${i % 97} text number ${i}" .\n<urn:d${i}> ${TYPE} <urn:T${i % 50}> .`,
  ),
  chain: Array.from({ length: 4_000 }, (_, i) => `_:b${i} <urn:next> _:b${i + 1} .\n_:b${i} <urn:text> "text ${i}" .`),
  hub: Array.from({ length: 8_000 }, (_, i) => `<urn:hub> <urn:p> <urn:o${i}> .\n<urn:o${i}> <urn:back> "${i}" .`),
  long: Array.from({ length: 24 }, (_, i) => `<urn:l${i}> <urn:text> "${i}${'Long text. '.repeat(24_000)}" .`),
} as const;
type WorldName = keyof typeof WORLDS;

/** As bytes: those of a text that is passed are the caller's. */
const PATCH = Buffer.from(
  WORLDS.texts
    .flatMap((lines) => lines.split('\n'))
    .map((line, i) => `${i % 2 ? 'D' : 'A'} ${line}`)
    .join('\n'),
);

const JSON_LD = { contentType: 'application/ld+json' } as const;
const EXPORTS: readonly (readonly [name: string, world: WorldName, options: object])[] = [
  ['a frame of all', 'texts', { ...JSON_LD, frame: {} }],
  [
    'a frame of a chain of blank nodes',
    'chain',
    { ...JSON_LD, frame: { 'urn:next': { '@embed': '@never' } }, framing: { explicit: true } },
  ],
  ['a frame that embeds', 'hub', { ...JSON_LD, frame: { '@id': 'urn:hub', 'urn:p': { '@embed': '@always' } } }],
  ['a frame of long texts', 'long', { ...JSON_LD, frame: {} }],
  ['a context', 'texts', { ...JSON_LD, context: { text: 'urn:text' } }],
  ['JSON-LD', 'hub', JSON_LD],
  ['canonical order', 'texts', { canonicalOrder: true }],
  ['canonical order of blank nodes', 'chain', { canonicalOrder: true }],
];

describe('the memory that a search, an export, a patch, a canonical form and a difference claim', () => {
  let indexed: WorldsEngine;
  beforeAll(async () => {
    indexed = await WorldsEngine.open({ memoryPool: pool });
    for (const [slug, lines] of Object.entries(WORLDS)) {
      await indexed.createWorld({ slug });
      await indexed.import({ source: slug, data: lines.join('\n') });
      await indexed.search({ query: 'common', sources: [slug] });
    }
    await indexed.createWorld({ slug: 'other' });
    await indexed.import({
      source: 'other',
      data: WORLDS.texts.map((line) => line.replaceAll('number', 'no.')).join('\n'),
    });
    await indexed.import({
      source: 'other',
      data: WORLDS.chain.map((line) => line.replaceAll('text', 'word')).join('\n'),
    });
  }, 120_000);
  afterAll(() => indexed.close());

  const drain = async (chunks: AsyncIterable<unknown>) => {
    for await (const _ of chunks);
  };
  const source = (name: WorldName) => ({ source: name });
  const budget = () => new RequestBudget(pool);

  const WORKS: readonly (readonly [name: string, work: () => Promise<unknown>])[] = [
    ...EXPORTS.map(
      ([name, world, options]) =>
        [`export: ${name}`, () => drain(indexed.exportStream({ ...source(world), ...options }))] as const,
    ),
    ['search: all', () => indexed.search({ query: 'common text', limit: 1000, sources: ['texts'], explain: true })],
    ['search: many words', () => indexed.search({ query: WORLDS.texts.slice(0, 97).join(' '), sources: ['texts'] })],
    ['search: in canonical order', () => indexed.search({ query: 'common', sources: ['texts'], canonicalOrder: true })],
    ['search: of types', () => indexed.search({ query: 'common', sources: ['texts'], types: ['urn:T1'] })],
    ['search: facets', () => indexed.searchFacets({ query: 'common', sources: ['texts'] })],
    [
      'patch: additions and deletions',
      async () => {
        await indexed.createWorld({ slug: 'patched' });
        await indexed.import({ source: 'patched', data: PATCH, contentType: 'application/rdf-patch' });
        await indexed.deleteWorld({ source: 'patched' });
      },
    ],
    ['canonicalize: triples', () => indexed.canonicalize(source('texts'))],
    ['canonicalize: a chain of blank nodes', () => indexed.canonicalize(source('chain'))],
    ['canonicalize: long texts', () => indexed.canonicalize(source('long'))],
    ['diff: of other triples', () => indexed.diff({ source: 'texts', to: { source: 'other' } })],
    ['diff: of blank nodes', () => indexed.diff({ source: 'chain', to: { source: 'other' } })],
    [
      'diff: with its quads in order',
      async () => {
        const { deleted } = await indexed.diff({ source: 'texts', to: { source: 'other' } });
        const memory = budget();
        await sortedQuads(deleted, { memory });
        memory.release();
      },
    ],
  ];

  it.each(EVERY ? WORKS : WORKS.filter((_, i) => i % 10 === 0))(
    'is at least half of the growth of the process: %s',
    async (name, work) => {
      // What is made once for a world belongs to it.
      await work();
      const seen = await heldDuring(work);
      expect([pool.usedBytes, pool.imports.usedBytes]).toEqual([0, 0]);
      // A document that is passed whole is its caller's; others hold none.
      const ofCaller = name.startsWith('patch: ') ? PATCH.length : 0;
      for (const { growth, claimed } of seen) {
        if (growth >= 2 * NOTICED) expect(claimed + ofCaller + MIB).toBeGreaterThanOrEqual(growth / 2);
        expect(claimed).toBeLessThan(Math.max(growth, 2 * NOTICED) * 12);
      }
    },
  );
});
