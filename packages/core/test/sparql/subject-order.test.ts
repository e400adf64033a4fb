import type * as RDF from '@rdfjs/types';
import { afterEach, expect, it, vi } from 'vitest';
import { inTurn } from '../../../../test/turn.ts';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { QuadBatch } from '../../src/contracts/quad-batch.ts';
import { dataFactory, nativeEngine, WorldsEngine } from '../../src/index.ts';
import { DatasetView } from '../../src/quads/dataset-view.ts';

const { literal, namedNode, quad } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** More than what a scan must have, so that its order matters. */
const SUBJECTS = 6000;

/** Stars and snowflakes around `:a` (one value each), `:b` (some have none, some two) and `:c`. */
const QUERIES = [
  'SELECT ?s ?x ?y { ?s <urn:a> ?x ; <urn:c> ?y }',
  'SELECT ?s ?x ?y { ?s <urn:b> ?x ; <urn:c> ?y ; <urn:a> ?z FILTER(?y > 40 && ?z != <urn:o3>) }',
  'SELECT ?x (COUNT(*) AS ?n) (SUM(?y) AS ?t) { ?s <urn:a> ?x ; <urn:c> ?y } GROUP BY ?x',
  'SELECT ?k (AVG(?y) AS ?m) (MIN(?y) AS ?l) { ?s <urn:c> ?y ; <urn:a> ?x . ?x <urn:kind> ?k } GROUP BY ?k',
  'SELECT ?k ?w (COUNT(*) AS ?n) { ?s <urn:c> ?y ; <urn:b> ?w ; <urn:a> ?x . ?x <urn:kind> ?k } GROUP BY ?k ?w',
  'SELECT ?k (MAX(?y) AS ?h) { ?s <urn:a> ?x ; <urn:c> ?y . ?x <urn:kind> ?k ; <urn:limit> ?l FILTER(?y > ?l) } GROUP BY ?k',
  'SELECT ?s ?x { ?s <urn:a> ?x ; <urn:c> ?y FILTER NOT EXISTS { ?s <urn:b> ?z } }',
  'SELECT ?s ?x ?z { ?s <urn:a> ?x ; <urn:c> ?y OPTIONAL { ?s <urn:b> ?z } }',
  'SELECT DISTINCT ?x ?z { ?s <urn:a> ?x ; <urn:b> ?z ; <urn:c> ?y }',
  'SELECT ?s ?y { GRAPH <urn:g> { ?s <urn:a> ?x ; <urn:c> ?y } }',
  'SELECT ?g ?s ?y { GRAPH ?g { ?s <urn:a> ?x ; <urn:c> ?y } }',
];

function triplesOf(random: SeededRandom, number: number): RDF.Quad[] {
  const subject = namedNode(`urn:s${number}`);
  const value = () => literal(String(random.below(100)), namedNode(`${XSD}integer`));
  const triples = [quad(subject, namedNode('urn:a'), namedNode(`urn:o${random.below(8)}`))];
  triples.push(quad(subject, namedNode('urn:c'), value()));
  for (let i = random.below(3); i > 0; i--) triples.push(quad(subject, namedNode('urn:b'), value()));
  return triples;
}

async function open(random: SeededRandom, batchRows?: number): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({
    textIndex: null,
    storage: undefined,
    ...(batchRows === undefined ? {} : { sparql: nativeEngine({ batchRows }) }),
  });
  await engine.createWorld({ slug: 'w' });
  const insert: RDF.Quad[] = [];
  // The order of the subjects is not that of their first appearance.
  const step = 7919;
  for (let i = 0; i < SUBJECTS; i++) insert.push(...triplesOf(random, (i * step) % SUBJECTS));
  for (let i = 0; i < 8; i++) {
    insert.push(quad(namedNode(`urn:o${i}`), namedNode('urn:kind'), literal(`kind ${i % 3}`)));
    insert.push(
      quad(namedNode(`urn:o${i}`), namedNode('urn:limit'), literal(String(i * 9), namedNode(`${XSD}integer`))),
    );
  }
  const inGraph = insert
    .slice(0, 15_000)
    .map(({ subject, predicate, object }) => quad(subject, predicate, object, namedNode('urn:g')));
  await engine.write({ source: 'w', insert: [...insert, ...inGraph] });
  await engine.settle();
  return engine;
}

async function answer(engine: WorldsEngine, query: string, sources = ['w']): Promise<string[]> {
  const rows = await (await engine.select({ query, sources })).array();
  return rows.map((row) => [...row].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')).sort();
}

afterEach(() => {
  vi.restoreAllMocks();
});

/**
 * Seeds, and rows of a batch. LONG_TESTS=1 reads a second random world in batches of the usual
 * size.
 */
const WORLDS: readonly (readonly [seed: number, batchRows: number | undefined])[] = [
  [1, undefined],
  ...(process.env['LONG_TESTS'] ? ([[2, undefined]] as const) : []),
  [3, 1],
  [4, 3],
];

it.each(inTurn(WORLDS, 2))(
  'scans by subject give what scans by object give (seed %i, batches of %s)',
  async (seed, batchRows) => {
    const random = new SeededRandom(seed);
    const engine = await open(random, batchRows);
    let ordered = 0;
    const { bySubject } = DatasetView.prototype;
    const compare = async (query: string) => {
      const off = vi.spyOn(DatasetView.prototype, 'bySubject').mockReturnValue(undefined);
      const expected = await answer(engine, query);
      off.mockRestore();
      const on = vi.spyOn(DatasetView.prototype, 'bySubject').mockImplementation(function (
        this: DatasetView,
        ...pattern
      ) {
        const reader = bySubject.apply(this, pattern);
        if (reader) ordered++;
        return reader;
      });
      expect(await answer(engine, query), query).toEqual(expected);
      on.mockRestore();
    };
    const queries = batchRows === undefined ? QUERIES : QUERIES.slice(0, 4);
    // An index is made while it is asked for.
    for (let lap = 0; lap < 3; lap++) for (const query of queries) await compare(query);
    expect(ordered).toBeGreaterThan(0);
    // Commits make further runs, and deletions tombstones.
    const more = Array.from({ length: 40 }, (_, i) => triplesOf(random, SUBJECTS + i)).flat();
    await engine.write({ source: 'w', insert: more });
    for (const query of queries.slice(0, 3)) await compare(query);
    await engine.update({ query: 'DELETE WHERE { ?s <urn:a> <urn:o3> }', sources: ['w'] });
    for (const query of queries) await compare(query);
    await engine.close();
  },
  120_000,
);

/** The same quads, as they came: by world, the quads of each commit. */
type Layout = (quads: readonly RDF.Quad[]) => readonly (readonly RDF.Quad[])[][];

const parts = (quads: readonly RDF.Quad[], count: number) =>
  Array.from({ length: count }, (_, i) =>
    quads.slice(Math.floor((i * quads.length) / count), Math.floor(((i + 1) * quads.length) / count)),
  );
const mixed = (quads: readonly RDF.Quad[], count: number) =>
  Array.from({ length: count }, (_, i) => quads.filter((_, at) => (at * 7919) % count === i));

const OTHER = [quad(namedNode('urn:s1'), namedNode('urn:a'), literal('of another world'))];

/** Some have quads of another world, which is not read. */
const LAYOUTS: readonly { readonly name: string; readonly layout: Layout; readonly others?: readonly RDF.Quad[] }[] = [
  { name: 'in pieces', layout: (quads) => [parts(quads, 5)] },
  { name: 'in pieces that share their subjects', layout: (quads) => [mixed(quads, 5)] },
  { name: 'and small commits after', layout: (quads) => [[quads.slice(60), ...parts(quads.slice(0, 60), 12)]] },
  { name: 'in three worlds', layout: (quads) => parts(quads, 3).map((part) => [part]) },
  {
    name: 'in three worlds that share quads, with commits',
    layout: (quads) => parts(quads, 3).map((part, i) => [part, ...parts(mixed(quads, 9)[i]!, 3)]),
  },
  { name: 'in fifteen worlds', layout: (quads) => parts(quads, 15).map((part) => [part]) },
  {
    name: 'in fifteen worlds that share quads, with commits',
    layout: (quads) => parts(quads, 15).map((part, i) => [part, ...parts(mixed(quads, 45)[i]!, 3)]),
  },
  { name: 'in fifteen of sixteen worlds', layout: (quads) => parts(quads, 15).map((part) => [part]), others: OTHER },
  {
    name: 'in fifteen of sixteen worlds that share their subjects',
    layout: (quads) => mixed(quads, 15).map((part) => [part]),
    others: OTHER,
  },
  { name: 'in seventy worlds', layout: (quads) => parts(quads, 70).map((part) => [part]) },
];

it.each(inTurn(LAYOUTS, 2))(
  'the same quads $name give the same answers',
  async ({ layout, others = [] }) => {
    const random = new SeededRandom(11);
    const quads = Array.from({ length: SUBJECTS }, (_, i) => triplesOf(random, i)).flat();
    for (let i = 0; i < 8; i++) {
      quads.push(quad(namedNode(`urn:o${i}`), namedNode('urn:kind'), literal(`kind ${i % 3}`)));
      quads.push(quad(namedNode(`urn:o${i}`), namedNode('urn:limit'), literal('7', namedNode(`${XSD}integer`))));
    }
    // Quads of their own, which the deletions take away again.
    const gone = quads.slice(0, 400).map(({ subject, predicate }) => quad(subject, predicate, literal('gone')));
    const engines = await Promise.all(
      [[[quads]], layout(quads)].map(async (worlds) => {
        const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
        await engine.createWorld({ slug: 'other' });
        await engine.write({ source: 'other', insert: others });
        for (const [i, commits] of worlds.entries()) {
          await engine.createWorld({ slug: `w${i}` });
          for (const insert of commits) await engine.write({ source: `w${i}`, insert });
          await engine.write({ source: `w${i}`, insert: gone });
          await engine.write({ source: `w${i}`, delete: gone });
        }
        return { engine, sources: worlds.map((_, i) => `w${i}`) };
      }),
    );
    for (let lap = 0; lap < 3; lap++) {
      for (const query of QUERIES) {
        const [expected, found] = await Promise.all(
          engines.map(({ engine, sources }) => answer(engine, query, sources)),
        );
        expect(found, query).toEqual(expected);
      }
    }
    for (const { engine } of engines) await engine.close();
  },
  120_000,
);

it('a scan by subject that loses a row is noticed', async () => {
  const engine = await open(new SeededRandom(5));
  const [query] = QUERIES;
  const expected = await answer(engine, query!);
  for (let lap = 0; lap < 6; lap++) await answer(engine, query!);
  const { bySubject } = DatasetView.prototype;
  vi.spyOn(DatasetView.prototype, 'bySubject').mockImplementation(function (this: DatasetView, ...pattern) {
    const reader = bySubject.apply(this, pattern);
    return reader && { next: (batch: QuadBatch) => (reader.next(batch) > 1 ? --batch.length : batch.length) };
  });
  expect(await answer(engine, query!)).not.toEqual(expected);
  await engine.close();
}, 60_000);

it('a reader by subject gives every triple of its predicate once, in the order of the subjects', async () => {
  const seen = new Map<string, DatasetView>();
  const { bySubject } = DatasetView.prototype;
  vi.spyOn(DatasetView.prototype, 'bySubject').mockImplementation(function (this: DatasetView, predicate, graph) {
    const reader = bySubject.call(this, predicate, graph);
    if (reader) seen.set(`${predicate} ${graph}`, this);
    return reader;
  });
  const engine = await open(new SeededRandom(6));
  for (let lap = 0; lap < 4; lap++) for (const query of QUERIES) await answer(engine, query);
  expect(seen.size).toBeGreaterThan(1);
  for (const [key, view] of seen) {
    const [predicate, graph] = key.split(' ').map(Number) as [number, number];
    const read = (reader: { next(batch: QuadBatch): number }, capacity: number) => {
      const rows: string[] = [];
      const subjects: number[] = [];
      const batch = new QuadBatch(capacity);
      while (reader.next(batch) > 0) {
        for (let row = 0; row < batch.length; row++) {
          rows.push([batch.subject[row], batch.predicate[row], batch.object[row], batch.graph[row]].join(' '));
          subjects.push(batch.subject[row]!);
        }
      }
      return { rows, subjects };
    };
    const cursor = view.cursor();
    cursor.seek(0, predicate, 0, graph);
    const expected = read(cursor, 1000).rows.sort();
    for (const capacity of [1, 3, 1024]) {
      const { rows, subjects } = read(bySubject.call(view, predicate, graph)!, capacity);
      expect([...rows].sort()).toEqual(expected);
      expect(subjects).toEqual([...subjects].sort((one, other) => one - other));
    }
  }
  await engine.close();
}, 60_000);

it('a group begins with the predicate of many subjects only if most of them are needed', async () => {
  const engine = await open(new SeededRandom(7));
  await engine.update({
    query: 'INSERT DATA { <urn:me> <urn:likes> <urn:o1> . <urn:o2> <urn:rare> 1 }',
    sources: ['w'],
  });
  await engine.settle();
  const first = async (pattern: string) => {
    const { plan } = await engine.explain({ query: `SELECT * { ${pattern} }`, sources: ['w'] });
    let node = plan;
    while (node.inputs[0]) node = node.inputs[0];
    return node.detail;
  };
  expect(await first('?x <urn:kind> ?k . ?s <urn:a> ?x ; <urn:c> ?y')).toContain('<urn:a>');
  expect(await first('?x <urn:kind> ?k ; <urn:limit> ?l . ?s <urn:a> ?x ; <urn:c> ?y ; <urn:b> ?z')).toContain(
    '<urn:a>',
  );
  expect(await first('<urn:me> <urn:likes> ?x . ?x <urn:kind> ?k . ?s <urn:a> ?x ; <urn:c> ?y')).toContain(
    '<urn:likes>',
  );
  expect(await first('?x <urn:rare> ?k . ?s <urn:a> ?x ; <urn:c> ?y')).toContain('<urn:rare>');
  expect(await first('?x <urn:kind> ?k . ?s <urn:a> ?x')).toContain('<urn:kind>');
  await engine.close();
}, 60_000);
