import assert from 'node:assert/strict';
import { dataFactory } from '@rdf-worlds/core';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  QuadBatch,
  type QuadCursor,
  type QuadSource,
  type TermId,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { ContractCase } from './contract-case.ts';
import { LabelledWorlds } from './quads/labelled-worlds.ts';
import { drain, type Ids, SourceProbe, scan } from './quads/source-probe.ts';
import { HOSTILE_STRINGS, randomQuads } from './random-quads.ts';
import { SeededRandom } from './seeded-random.ts';
import { termKey } from './term-key.ts';

/** A source under test. */
export interface MadeQuadSource {
  readonly source: QuadSource;
  /** Releases the resources of the case. */
  close?(): Promise<void> | void;
}

/**
 * Makes a source over worlds, given as their quads. The same blank-node label in two worlds must
 * denote two nodes.
 */
export type MakeQuadSource = (worlds: readonly (readonly RDF.Quad[])[]) => Promise<MadeQuadSource>;

const EVERYTHING: Ids = [NO_TERM, NO_TERM, NO_TERM, NO_TERM];

/** The data sets of the contract: sparse and dense, one world and several. */
const SETS: readonly (readonly [name: string, worlds: () => RDF.Quad[][]])[] = [
  ['one world', () => [randomQuads(1)]],
  ['one dense world', () => [randomQuads(2, { length: 600, nodes: 6, predicates: 2, graphs: 2 })]],
  ['one world without named graphs', () => [randomQuads(3, { length: 100, graphs: 0 })]],
  ['many graphs', () => [randomQuads(4, { length: 300, graphs: 60 })]],
  ['triple terms', () => [randomQuads(5, { tripleTerms: true })]],
  ['an empty world', () => [[]]],
  ['one quad', () => [randomQuads(6, { length: 1 })]],
  ['two worlds', () => [randomQuads(7), randomQuads(8)]],
  [
    'two worlds that share triples',
    () => [randomQuads(9, { nodes: 4, blankNodes: false }), randomQuads(10, { nodes: 4, blankNodes: false })],
  ],
  ['the same world twice', () => [randomQuads(11), randomQuads(11)]],
  [
    'five worlds, one of them empty',
    () => [randomQuads(12), [], randomQuads(13, { length: 20 }), randomQuads(14), randomQuads(12)],
  ],
];

async function probed(make: MakeQuadSource, worlds: RDF.Quad[][], run: (probe: SourceProbe) => void): Promise<void> {
  const labelled = new LabelledWorlds(worlds);
  const { source, close } = await make(labelled.worlds);
  try {
    const key = labelled.keysOf(source);
    const ids = new Map<string, TermId>();
    for (const row of scan(source, EVERYTHING)) for (const id of row) ids.set(key(id), id);
    run(new SourceProbe(source, labelled.model, key, { ids, exact: worlds.length === 1 }));
  } finally {
    await close?.();
  }
}

/**
 * Returns patterns of every shape, made of existing quads and of terms that do not occur together.
 */
function patterns({ model }: SourceProbe, seed: number): Ids[] {
  const random = new SeededRandom(seed);
  const quads = model.match(...EVERYTHING);
  if (quads.length === 0) return [0, DEFAULT_GRAPH, ANY_NAMED_GRAPH].map((graph): Ids => [0, 0, 0, graph]);
  return Array.from({ length: 160 }, (_, index): Ids => {
    const quad = random.pick(quads);
    const other = random.chance(0.2) ? random.pick(quads) : quad;
    const graph = random.pick([NO_TERM, DEFAULT_GRAPH, ANY_NAMED_GRAPH, quad[3], quad[3], random.pick(quads)[3]]);
    return [index & 1 ? quad[0] : 0, index & 2 ? other[1] : 0, index & 4 ? quad[2] : 0, graph];
  });
}

/** The checks run for each data set. */
const CHECKS: readonly (readonly [name: string, check: (probe: SourceProbe) => void])[] = [
  [
    'all quads, counts, order and graphs',
    (probe) => {
      probe.expectGraphs();
      for (const graph of [NO_TERM, DEFAULT_GRAPH, ANY_NAMED_GRAPH, ...probe.model.graphs]) {
        probe.expectAgreement([NO_TERM, NO_TERM, NO_TERM, graph]);
      }
    },
  ],
  [
    'patterns of every shape, in batches of 1, 3 and 1024',
    (probe) => {
      for (const [index, pattern] of patterns(probe, 1).entries()) {
        probe.expectAgreement(pattern, [1, 3, 1024][index % 3]);
      }
    },
  ],
  [
    'the size of batches does not change what comes',
    (probe) => {
      for (const pattern of patterns(probe, 2).slice(0, 40)) {
        const ids = probe.pattern(pattern);
        const whole = scan(probe.source, ids);
        assert.deepEqual(scan(probe.source, ids, 1), whole);
        assert.deepEqual(scan(probe.source, ids, 3), whole);
      }
    },
  ],
  [
    'a cursor can seek again in the middle, and does not disturb another',
    (probe) => {
      const cursor = probe.source.cursor();
      const other = probe.source.cursor();
      other.seek(...EVERYTHING);
      const half = drainSome(other);
      for (const pattern of patterns(probe, 3).slice(0, 60)) {
        const ids = probe.pattern(pattern);
        cursor.seek(...EVERYTHING);
        drainSome(cursor);
        cursor.seek(...ids);
        assert.deepEqual(drain(cursor, 7), scan(probe.source, ids));
        assert.deepEqual(drain(cursor, 7), [], 'a cursor at its end stays there');
      }
      assert.deepEqual([...half, ...drain(other, 5)], scan(probe.source, EVERYTHING));
    },
  ],
  [
    'the dataset of FROM and FROM NAMED',
    (probe) => {
      const random = new SeededRandom(4);
      const { model, source } = probe;
      const missing = dataFactory.namedNode('urn:contract:no-graph');
      for (let round = 0; round < 12; round++) {
        const chosen = () => [...model.graphs].filter(() => random.chance(round === 0 ? 0 : 0.4));
        const [defaultGraphs, namedGraphs] = [chosen(), chosen()];
        const part = new SourceProbe(
          source.dataset(
            [...defaultGraphs.map((id) => probe.id(id)), source.terms.intern(missing)],
            namedGraphs.map((id) => probe.id(id)),
          ),
          model.dataset(defaultGraphs, namedGraphs),
          probe.keyOf,
          { ids: probe.idsByKey, exact: false },
        );
        part.expectGraphs();
        for (const pattern of patterns(part, round).slice(0, 40)) part.expectAgreement(pattern, 3);
      }
    },
  ],
  [
    'all graphs merged',
    (probe) => {
      const { model, source } = probe;
      const some = [...model.graphs].slice(1);
      const parts: [typeof source, typeof model][] = [
        [source, model],
        [
          source.dataset(
            some.map((id) => probe.id(id)),
            source.graphs,
          ),
          model.dataset(some, model.graphs),
        ],
      ];
      for (const [part, same] of parts) {
        const merged = new SourceProbe(part.merged(), same.merged(), probe.keyOf, {
          ids: probe.idsByKey,
          exact: false,
        });
        merged.expectGraphs();
        for (const pattern of patterns(merged, 1).slice(0, 40)) merged.expectAgreement(pattern, 3);
      }
    },
  ],
  [
    'terms are found by what they are, and say what they are',
    ({ source }) => {
      const kinds = {
        NamedNode: 'iri',
        BlankNode: 'blank',
        Literal: 'literal',
        Quad: 'triple',
        DefaultGraph: 'defaultGraph',
      };
      for (const id of new Set(scan(source, EVERYTHING).flat())) {
        const term = source.terms.term(id);
        assert.equal(source.terms.find(term), id);
        assert.equal(source.terms.intern(term), id);
        assert.equal(source.terms.kind(id), kinds[term.termType as keyof typeof kinds]);
      }
      assert.equal(source.terms.term(DEFAULT_GRAPH).termType, 'DefaultGraph');
      assert.equal(source.terms.find(dataFactory.defaultGraph()), DEFAULT_GRAPH);
    },
  ],
  [
    'new terms can be interned, and match nothing',
    ({ source }) => {
      for (const text of HOSTILE_STRINGS) {
        for (const term of [dataFactory.literal(`new ${text}`), dataFactory.literal(`new ${text}`, 'en')]) {
          assert.equal(source.terms.find(term), NO_TERM);
          const id = source.terms.intern(term);
          assert.notEqual(id, NO_TERM);
          assert.equal(source.terms.intern(term), id);
          assert.equal(source.terms.find(term), id);
          assert.equal(termKey(source.terms.term(id)), termKey(term));
          for (const pattern of [
            [id, 0, 0, 0],
            [0, id, 0, 0],
            [0, 0, id, 0],
            [0, 0, 0, id],
          ] as Ids[]) {
            assert.deepEqual(scan(source, pattern), []);
            assert.equal(source.count(...pattern), 0);
          }
        }
      }
      const nodes = new Set(Array.from({ length: 10 }, () => source.terms.blankNode()));
      assert.equal(nodes.size, 10);
      const labels = new Set([...nodes].map((id) => source.terms.term(id).value));
      assert.equal(labels.size, 10);
      for (const id of nodes) assert.equal(source.terms.find(source.terms.term(id)), id);
    },
  ],
];

/** Reads one batch of two quads and leaves the rest unread. */
function drainSome(cursor: QuadCursor): Ids[] {
  const batch = new QuadBatch(2);
  return Array.from({ length: cursor.next(batch) }, (_, row) => [
    batch.subject[row],
    batch.predicate[row],
    batch.object[row],
    batch.graph[row],
  ]);
}

/**
 * The contract of every {@link QuadSource}, checked by comparison with the naive model over seeded
 * data.
 */
export function quadSourceContract(make: MakeQuadSource): readonly ContractCase[] {
  const cases = SETS.flatMap(([set, worlds]) =>
    CHECKS.map(
      ([name, check]): ContractCase => ({
        name: `${set}: ${name}`,
        run: () => probed(make, worlds(), check),
      }),
    ),
  );
  const spelling: ContractCase = {
    name: 'lexical forms and language tags are returned unchanged',
    async run() {
      const subject = dataFactory.namedNode('urn:s');
      const integer = dataFactory.namedNode('http://www.w3.org/2001/XMLSchema#integer');
      const objects = [
        dataFactory.literal('01', integer),
        dataFactory.literal('1', integer),
        dataFactory.literal('x', 'EN-gb'),
        ...HOSTILE_STRINGS.map((text) => dataFactory.literal(text)),
      ];
      const { source, close } = await make([objects.map((object) => dataFactory.quad(subject, subject, object))]);
      try {
        const shown = (term: RDF.Literal) => JSON.stringify([term.value, term.language, term.datatype.value]);
        const stored = scan(source, EVERYTHING).map((row) => shown(source.terms.term(row[2]) as RDF.Literal));
        assert.deepEqual(stored.sort(), objects.map(shown).sort());
      } finally {
        await close?.();
      }
    },
  };
  return [...cases, spelling];
}
