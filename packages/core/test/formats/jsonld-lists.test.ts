import * as fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { writeJsonLd } from '../../src/formats/jsonld-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { ArraySource } from './array-source.ts';
import { readDocument, writtenText } from './documents.ts';
import { peerExpand } from './jsonld-peer/peer.ts';

const { namedNode, blankNode, literal, quad, defaultGraph } = dataFactory;
const ex = (name: string) => namedNode(`http://ex/${name}`);
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const first = namedNode(`${RDF}first`);
const rest = namedNode(`${RDF}rest`);
const nil = namedNode(`${RDF}nil`);
const type = namedNode(`${RDF}type`);
const S = ex('s');

type Quads = ReturnType<typeof quad>[];
type Value = Parameters<typeof quad>[2];
type Graph = Parameters<typeof quad>[3];
/** A text, or a list. */
type Item = string | readonly Item[];

/** Adds the quads of a list, whose cells are named after `name`. Returns its head. */
function listIn(quads: Quads, name: string, items: readonly Item[], graph: Graph = defaultGraph()): Value {
  const cells = items.map((_, at) => blankNode(`${name}x${at}`));
  for (const [at, item] of items.entries()) {
    const value = typeof item === 'string' ? literal(item) : listIn(quads, cells[at].value, item, graph);
    quads.push(quad(cells[at], first, value, graph), quad(cells[at], rest, cells[at + 1] ?? nil, graph));
  }
  return cells[0] ?? nil;
}

function withList(items: readonly Item[]): Quads {
  const quads: Quads = [];
  quads.push(quad(S, ex('p'), listIn(quads, 'l', items)));
  return quads;
}

const written = async (quads: Quads) => JSON.parse(await writtenText(writeJsonLd, new ArraySource(quads)));

describe('lists in expanded JSON-LD', () => {
  it.each<[string, readonly Item[], unknown]>([
    ['of texts', ['a', 'b'], [{ '@value': 'a' }, { '@value': 'b' }]],
    ['without items', [], []],
    ['in lists', [['a'], [], 'b'], [{ '@list': [{ '@value': 'a' }] }, { '@list': [] }, { '@value': 'b' }]],
  ])('are written as @list: a list %s', async (_, items, expected) => {
    const quads = withList(items);
    const document = await written(quads);
    expect(document).toEqual([{ '@id': S.value, 'http://ex/p': [{ '@list': expected }] }]);
    expect(isomorphic(await readDocument(readJsonLd, JSON.stringify(document)), quads)).toBe(true);
  });

  it.each<[string, Quads]>([
    ['is referenced twice', [...withList(['a']), quad(ex('t'), ex('p'), blankNode('lx0'))]],
    ['has a type', [...withList(['a']), quad(blankNode('lx0'), type, namedNode(`${RDF}List`))]],
    ['has a comment on a cell', [...withList(['a', 'b']), quad(blankNode('lx1'), ex('q'), literal('x'))]],
    ['has two firsts', [...withList(['a']), quad(blankNode('lx0'), first, literal('b'))]],
    ['is the object of rdf:type', [...withList(['a']).slice(0, -1), quad(S, type, blankNode('lx0'))]],
    ['is in two graphs', [...withList(['a']), quad(S, ex('p'), blankNode('lx0'), ex('g'))]],
    ['names a graph', [...withList(['a']), quad(S, ex('p'), literal('x'), blankNode('lx0'))]],
    ['is not referenced', withList(['a']).slice(0, -1)],
    ['is a ring', [quad(blankNode('r'), first, literal('a')), quad(blankNode('r'), rest, blankNode('r'))]],
  ])('stay triples where @list would lose something: the list %s', async (_, quads) => {
    const document = await written(quads);
    expect(JSON.stringify(document)).toContain(`"${first.value}":[{"@value":"a"}`);
    expect(isomorphic(await readDocument(readJsonLd, JSON.stringify(document)), quads)).toBe(true);
  });

  const item = fc.letrec<{ item: Item }>((tie) => ({
    item: fc.oneof({ maxDepth: 4 }, fc.constantFrom('a', 'b', 'c'), fc.array(tie('item'), { maxLength: 3 })),
  })).item;
  const node = fc.oneof(
    fc.constantFrom('s', 't', 'u').map(ex),
    fc.constantFrom('lx0', 'lx1', 'mx0', 'mx0x0', 'other').map((label) => blankNode(label)),
  );
  const graph = fc.constantFrom(defaultGraph(), ex('g'), blankNode('lx0'));
  /** What a list of RDF may have that `@list` does not have. */
  const more = fc
    .tuple(node, fc.constantFrom(ex('p'), first, rest, type), fc.oneof(node, fc.constant(nil)), graph)
    .map((terms) => quad(...terms));

  it('read back as the same dataset, whatever else is said of their cells', async () => {
    let folded = 0;
    let kept = 0;
    const lists = fc.array(fc.tuple(fc.array(item, { maxLength: 4 }), node, graph), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(lists, fc.array(more, { maxLength: 2 }), async (heads, others) => {
        const quads: Quads = [...others];
        for (const [at, [items, subject, of]] of heads.entries())
          quads.push(quad(subject, ex('p'), listIn(quads, 'lmn'[at], items, of), of));
        const document = await written(quads);
        const text = JSON.stringify(document);
        if (text.includes('"@list":[{')) folded++;
        if (text.includes(first.value)) kept++;
        expect(isomorphic(await readDocument(readJsonLd, text), quads)).toBe(true);
        // And another implementation reads the same from it.
        const peer = await peerExpand(document);
        expect(peer).toHaveProperty('result');
        const theirs = JSON.stringify((peer as { result: unknown }).result);
        expect(isomorphic(await readDocument(readJsonLd, theirs), quads)).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(folded).toBeGreaterThan(50);
    expect(kept).toBeGreaterThan(50);
  });

  it.each<[string, object]>([
    ['expanded', {}],
    ['compacted', { context: {} }],
  ])('are forgotten after they are written, in %s form', async (_, options) => {
    const most = async (lists: number) => {
      const quads: Quads = [];
      for (let i = 0; i < lists; i++)
        quads.push(quad(ex(`s${i}`), ex('p'), listIn(quads, `l${i}`, ['a', ['b', 'c'], 'd'])));
      // Cells next to their subjects, as documents have them.
      const order = quads.toReversed().flatMap(({ subject, object }) => [subject, object]);
      let [claimed, peak] = [0, 0];
      const claimMemory = (bytes: number) => {
        claimed += bytes;
        peak = Math.max(peak, claimed);
      };
      const source = new ArraySource(quads, [], order);
      await writtenText(writeJsonLd, source, { ...options, memory: { claimMemory } });
      expect(claimed).toBe(0);
      return peak;
    };
    expect(await most(40)).toBe(await most(4));
  });
});
