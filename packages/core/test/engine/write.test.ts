import { HOSTILE_STRINGS } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { Store } from 'n3';
// @ts-expect-error rdf-ext has no types
import rdf from 'rdf-ext';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { dataOf, linesOf, quadsOf, stateOf } from './world-state.ts';

const { namedNode, blankNode, literal, quad, defaultGraph, variable } = dataFactory;
const iri = (name: string) => namedNode(`urn:${name}`);
const s = iri('s');
const p = iri('p');
const o = iri('o');
const g = iri('g');
const numbered = (from: number, to: number, graph?: RDF.NamedNode) =>
  Array.from({ length: to - from }, (_, i) => quad(s, p, literal(String(from + i)), graph));

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

describe('write', () => {
  it('counts net changes', async () => {
    expect(await engine.write({ source: 'w', insert: [...numbered(0, 10), ...numbered(0, 10)] })).toMatchObject({
      inserted: 10,
      deleted: 0,
    });
    expect(await engine.write({ source: 'w', insert: numbered(5, 15) })).toMatchObject({ inserted: 5, deleted: 0 });
    expect(await engine.write({ source: 'w', delete: [...numbered(10, 20), ...numbered(10, 20)] })).toMatchObject({
      inserted: 0,
      deleted: 5,
    });
    expect(await engine.write({ source: 'w', insert: numbered(0, 3, g) })).toMatchObject({ inserted: 3, deleted: 0 });
    expect(await engine.write({ source: 'w', delete: numbered(0, 1) })).toMatchObject({ inserted: 0, deleted: 1 });
    expect(await linesOf(engine, 'w')).toHaveLength(12);
  });

  it('closes its input when it is aborted, and stores nothing', async () => {
    const controller = new AbortController();
    let isEnded = false;
    const endless = function* () {
      try {
        for (let number = 0; ; number++) {
          // From the time on that somebody else gets a turn.
          if (number === 1) setImmediate(() => controller.abort());
          yield quad(s, p, literal(String(number)));
        }
      } finally {
        isEnded = true;
      }
    };
    const writing = engine.write({ source: 'w', insert: endless(), signal: controller.signal });
    await expect(writing).rejects.toMatchObject({ code: 'ABORTED' });
    expect(isEnded).toBe(true);
    expect(await linesOf(engine, 'w')).toHaveLength(0);
  });

  it('deletes before it inserts: a quad in both is present afterwards', async () => {
    await engine.write({ source: 'w', insert: numbered(0, 2) });
    const before = await stateOf(engine, 'w');
    // 0 and 1 were there, 2 and 3 were not.
    expect(await engine.write({ source: 'w', delete: numbered(0, 4), insert: numbered(0, 4) })).toMatchObject({
      inserted: 2,
      deleted: 0,
    });
    expect(await linesOf(engine, 'w')).toHaveLength(4);
    expect(before.data.length).toBeGreaterThan(0);
  });

  it('keeps a quad that went in a large commit and came back in a small one', async () => {
    await engine.write({ source: 'w', insert: numbered(0, 1) });
    await engine.write({ source: 'w', insert: numbered(1000, 2000), delete: numbered(0, 1) });
    expect(await engine.write({ source: 'w', insert: numbered(0, 1) })).toMatchObject({ inserted: 1 });
    await engine.settle();
    expect(await linesOf(engine, 'w')).toHaveLength(1001);
    expect(await engine.write({ source: 'w', insert: numbered(0, 1) })).toMatchObject({ inserted: 0 });
  });

  it('that changes nothing creates no commit', async () => {
    await engine.write({ source: 'w', insert: numbered(0, 2) });
    const before = await stateOf(engine, 'w');
    for (const request of [
      {},
      { insert: [], delete: [] },
      { insert: numbered(0, 2) },
      { delete: numbered(5, 9) },
      { delete: numbered(0, 2), insert: numbered(0, 2) },
      { delete: [quad(s, p, literal('0'), g)] },
      { delete: [quad(s, p, literal('0', 'en'))] },
    ]) {
      expect(await engine.write({ source: 'w', ...request })).toEqual({
        inserted: 0,
        deleted: 0,
        revision: before.record?.revision,
      });
    }
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it.each([
    ['an array', (quads: RDF.Quad[]) => quads],
    ['a Set', (quads: RDF.Quad[]) => new Set(quads)],
    [
      'a generator',
      function* (quads: RDF.Quad[]) {
        yield* quads;
      },
    ],
    ['an n3 Store', (quads: RDF.Quad[]) => new Store(quads as never)],
    ['an rdf-ext dataset', (quads: RDF.Quad[]) => rdf.dataset(quads as never)],
  ] as readonly (readonly [string, (quads: RDF.Quad[]) => Iterable<RDF.Quad>])[])('takes %s', async (_, form) => {
    const quads = [...numbered(0, 3), ...numbered(0, 3, g)];
    expect(await engine.write({ source: 'w', insert: form(quads) })).toMatchObject({ inserted: 6 });
    expect(await engine.write({ source: 'w', delete: form(quads) })).toMatchObject({ deleted: 6 });
  });

  it('keeps hostile strings as they are, as literals, languages apart, and deletes each by itself', async () => {
    const quads = HOSTILE_STRINGS.flatMap((text) => [
      quad(s, p, literal(text)),
      quad(s, p, literal(text, 'en')),
      quad(s, p, literal(text, 'en-GB')),
      quad(s, p, literal(text, iri('type'))),
      quad(s, p, literal(text), g),
      quad(s, p, quad(s, p, literal(text))),
    ]);
    expect(await engine.write({ source: 'w', insert: quads })).toMatchObject({ inserted: quads.length });
    const found = await quadsOf(engine, 'w');
    for (const one of quads) expect(found.filter((other) => other.equals(one))).toHaveLength(1);
    await engine.createWorld({ slug: 'copy' });
    expect(await engine.import({ source: 'copy', data: await engine.export({ source: 'w' }) })).toMatchObject({
      inserted: quads.length,
    });
    for (const one of quads) expect(await engine.write({ source: 'w', delete: [one] })).toMatchObject({ deleted: 1 });
    expect(await dataOf(engine, 'w')).toBe('');
  });

  it('takes names of JavaScript for names', async () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString'].map((name) => namedNode(`x:${name}`));
    await engine.write({
      source: 'w',
      insert: names.map((name) =>
        quad(name, name, literal(name.value.slice(2), `x-${name.value.slice(2).replace(/[^a-z]/gi, '')}`), name),
      ),
    });
    for (const name of names) {
      const found = [];
      for await (const one of engine.quads({ source: 'w', graph: name })) found.push(one.subject.value);
      expect(found).toEqual([name.value]);
    }
  });

  describe('refuses', () => {
    const lone = '\ud83d';
    const BAD: readonly (readonly [string, unknown])[] = [
      ['a literal subject', quad(literal('x') as never, p, o)],
      ['a triple term as subject', quad(quad(s, p, o) as never, p, o)],
      ['a variable subject', quad(variable('x') as never, p, o)],
      ['a blank predicate', quad(s, blankNode() as never, o)],
      ['a literal predicate', quad(s, literal('x') as never, o)],
      ['the default graph as object', quad(s, p, defaultGraph() as never)],
      ['a variable as graph', quad(s, p, o, variable('x') as never)],
      ['a triple term as graph', quad(s, p, o, quad(s, p, o) as never)],
      ['a literal inside a triple term as subject', quad(s, p, quad(literal('x') as never, p, o))],
      ['a variable inside a triple term', quad(s, p, quad(s, p, variable('x') as never))],
      ['a missing position', { subject: s, predicate: p, graph: defaultGraph() }],
      ['an empty object', {}],
    ];
    const BAD_TERMS: readonly (readonly [string, unknown])[] = [
      ['a relative IRI', quad(iri('s'), p, namedNode('o'))],
      ['an empty IRI', quad(iri('s'), p, namedNode(''))],
      ['an IRI with a line end', quad(namedNode('urn:a\nb'), p, o)],
      ['an IRI that closes its bracket', quad(s, p, o, namedNode('urn:a> . <urn:x> <urn:y'))],
      ['an IRI with a backslash', quad(s, namedNode('urn:a\\u003e'), o)],
      ['an IRI with a lone surrogate', quad(namedNode(`urn:${lone}`), p, o)],
      ['a literal with a lone surrogate', quad(s, p, literal(lone))],
      ['a language with a line end', quad(s, p, literal('x', 'en\n'))],
      ['a language that closes the statement', quad(s, p, literal('x', 'en . <urn:a>'))],
      ['a relative datatype', quad(s, p, literal('x', namedNode('type')))],
      ['a datatype with a lone surrogate', quad(s, p, literal('x', namedNode(`urn:${lone}`)))],
      [
        'rdf:langString without language',
        quad(s, p, literal('x', namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'))),
      ],
      ['a blank node without a label', quad(blankNode(''), p, o)],
      ['a blank node with a lone surrogate', quad(blankNode(lone), p, o)],
      ['a bad IRI inside a triple term', quad(s, p, quad(s, p, namedNode('o')))],
    ];

    it.each(BAD)('%s, to insert or to delete', async (_, bad) => {
      await engine.write({ source: 'w', insert: numbered(0, 3) });
      const before = await stateOf(engine, 'w');
      for (const request of [{ insert: [...numbered(5, 6), bad] }, { delete: [...numbered(0, 1), bad] }]) {
        await expect(engine.write({ source: 'w', ...(request as object) })).rejects.toMatchObject({
          code: 'INVALID_RDF',
        });
      }
      expect(await stateOf(engine, 'w')).toEqual(before);
    });

    it.each(BAD_TERMS)('%s, to insert; to delete it is nothing', async (_, bad) => {
      // The character that a lone surrogate would be written as.
      await engine.write({
        source: 'w',
        insert: [...numbered(0, 3), quad(namedNode('urn:\ufffd'), p, literal('\ufffd', namedNode('urn:\ufffd')))],
      });
      const before = await stateOf(engine, 'w');
      await expect(engine.write({ source: 'w', insert: [...numbered(5, 6), bad as RDF.Quad] })).rejects.toMatchObject({
        code: 'INVALID_RDF',
      });
      expect(await engine.write({ source: 'w', delete: [bad as RDF.Quad] })).toMatchObject({ deleted: 0 });
      expect(await stateOf(engine, 'w')).toEqual(before);
    });

    it('a datatype with a lone surrogate is not the datatype with U+FFFD', async () => {
      await engine.write({ source: 'w', insert: [quad(s, p, literal('x', namedNode('urn:\ufffd')))] });
      const alike = quad(s, p, literal('x', namedNode(`urn:${lone}`)));
      expect(await engine.write({ source: 'w', delete: [alike] })).toMatchObject({ deleted: 0 });
      await expect(engine.write({ source: 'w', insert: [alike] })).rejects.toMatchObject({ code: 'INVALID_RDF' });
      for await (const found of engine.quads({ source: 'w', object: alike.object })) expect(found).toBeUndefined();
    });

    it.each([
      ['null', null],
      ['a number', 5],
      ['a string', 'quads'],
      ['an object', {}],
      ['an array of null', [null]],
      ['an array of strings', ['x']],
    ])('%s in place of quads: INVALID_ARGUMENT that names the field', async (_, wrong) => {
      for (const field of ['insert', 'delete']) {
        await expect(engine.write({ source: 'w', [field]: wrong })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
          message: expect.stringMatching(new RegExp(`^write: ${field}: `)),
        });
      }
    });

    it('an iterable that throws, with its own error', async () => {
      const before = await stateOf(engine, 'w');
      const boom = new Error('boom');
      const insert = (function* () {
        yield quad(s, p, o);
        throw boom;
      })();
      await expect(engine.write({ source: 'w', insert })).rejects.toBe(boom);
      expect(await stateOf(engine, 'w')).toEqual(before);
      expect(await engine.write({ source: 'w', insert: [quad(s, p, o)] })).toMatchObject({ inserted: 1 });
    });
  });

  it('stores triple terms no deeper than its own N-Quads can be read again', async () => {
    for (const depth of [1, 10, 63, 64, 65, 200]) {
      let object: RDF.Quad_Object = o;
      for (let i = 0; i < depth; i++) object = quad(s, p, object);
      await engine.createWorld({ slug: `deep${depth}` });
      try {
        await engine.write({ source: `deep${depth}`, insert: [quad(s, p, object)] });
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_RDF' });
        continue;
      }
      await engine.createWorld({ slug: `copy${depth}` });
      expect(
        await engine.import({ source: `copy${depth}`, data: await engine.export({ source: `deep${depth}` }) }),
      ).toMatchObject({ inserted: 1 });
    }
  });
});

describe('the blank nodes of write', () => {
  it('with labels that the engine gave out are those nodes', async () => {
    await engine.import({ source: 'w', data: '_:a <urn:p> _:b <urn:g> .\n_:a <urn:p> <<( _:a <urn:p> _:b )>> .' });
    const [deep, first] = await quadsOf(engine, 'w');
    const { subject: a } = deep;
    const { object: b } = first;
    expect(await engine.write({ source: 'w', insert: [first, deep] })).toMatchObject({ inserted: 0 });
    expect(
      await engine.write({
        source: 'w',
        insert: [quad(a as RDF.BlankNode, p, literal('new')), quad(s, p, b, a as RDF.BlankNode)],
      }),
    ).toMatchObject({ inserted: 2 });
    const found = [];
    for await (const one of engine.quads({ source: 'w', subject: a })) found.push(one);
    expect(found).toHaveLength(3);
    const inGraph = [];
    for await (const one of engine.quads({ source: 'w', graph: a })) inGraph.push(one);
    expect(inGraph).toHaveLength(1);
    expect(await engine.write({ source: 'w', delete: [first, deep] })).toMatchObject({ deleted: 2 });
  });

  it('with other labels are new nodes, the same one throughout a call', async () => {
    const insert = [
      quad(blankNode('x'), p, blankNode('y')),
      quad(blankNode('y'), p, quad(blankNode('x'), p, blankNode('y')), blankNode('x')),
    ];
    for (let i = 1; i <= 3; i++) {
      expect(await engine.write({ source: 'w', insert })).toMatchObject({ inserted: 2 });
      expect(new Set((await dataOf(engine, 'w')).match(/_:\w+/g)).size).toBe(2 * i);
    }
  });

  it('of another world become new nodes, one for each in a call', async () => {
    for (const [namespace, slug] of [
      ['default', 'other'],
      ['elsewhere', 'other'],
    ]) {
      await engine.createWorld({ namespace, slug });
      await engine.import({
        source: { namespace, slug },
        data: '_:a <urn:p> _:b .\n_:b <urn:p> <<( _:a <urn:p> _:a )>> _:a .',
      });
      const theirs = await quadsOf(engine, `${namespace}/${slug}`);
      await engine.createWorld({ slug: `copy-of-${namespace}` });
      const source = `copy-of-${namespace}`;
      expect(await engine.write({ source, insert: theirs })).toMatchObject({ inserted: 2 });
      expect(await linesOf(engine, source)).toEqual(await linesOf(engine, { namespace, slug }));
      const labels = async (one: string) => (await dataOf(engine, one)).match(/_:\w+/g)!;
      const foreign = await labels(`${namespace}/${slug}`);
      for (const label of await labels(source)) expect(foreign).not.toContain(label);
      // Another call makes other nodes; the labels of the source mean nothing to a deletion here.
      expect(await engine.write({ source, insert: theirs })).toMatchObject({ inserted: 2 });
      expect(await engine.write({ source, delete: theirs })).toMatchObject({ deleted: 0 });
    }
  });

  it('with unknown labels delete nothing', async () => {
    await engine.import({ source: 'w', data: '_:x <urn:p> _:x .' });
    const [{ subject }] = await quadsOf(engine, 'w');
    const forged = subject.value.slice(0, -1) + (subject.value.endsWith('z') ? 'y' : 'z');
    for (const label of ['x', forged, '', 'b'.repeat(27), subject.value.toUpperCase()]) {
      expect(await engine.write({ source: 'w', delete: [quad(blankNode(label), p, blankNode(label))] })).toMatchObject({
        deleted: 0,
      });
    }
  });

  it('are not recreated by the labels of a deleted world', async () => {
    await engine.createWorld({ slug: 'gone' });
    await engine.import({ source: 'gone', data: '_:x <urn:p> _:x .' });
    const [old] = await quadsOf(engine, 'gone');
    await engine.deleteWorld({ source: 'gone' });
    await engine.createWorld({ slug: 'gone' });
    await engine.write({ source: 'gone', insert: [old] });
    const [made] = await quadsOf(engine, 'gone');
    expect(made.subject.value).not.toBe(old.subject.value);
    expect(made.subject.equals(made.object)).toBe(true);
  });

  it('named in an insertion and a deletion of one call: the deletion looks at the state before', async () => {
    const one = quad(blankNode('x'), p, literal('x'));
    expect(await engine.write({ source: 'w', insert: [one], delete: [one] })).toMatchObject({
      inserted: 1,
      deleted: 0,
    });
  });
});

describe('quads', () => {
  beforeEach(() =>
    engine.import({
      source: 'w',
      data: '<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> <urn:g> .\n<urn:s> <urn:q> "x"@en <urn:g> .\n<urn:s> <urn:p> <<( <urn:s> <urn:p> "x" )>> .\n',
    }),
  );
  it.each([
    [{}, 4],
    [{ subject: null, predicate: undefined, object: variable('o') }, 4],
    [{ subject: s }, 4],
    [{ graph: defaultGraph() }, 2],
    [{ graph: g }, 2],
    [{ graph: iri('none') }, 0],
    [{ graph: s }, 0],
    [{ subject: g }, 0],
    [{ predicate: iri('q'), object: literal('x', 'en') }, 1],
    [{ object: literal('x', 'EN') }, 1],
    [{ object: literal('x', 'en-GB') }, 0],
    [{ object: literal('x') }, 0],
    [{ object: quad(s, p, literal('x')) }, 1],
    [{ object: quad(s, p, literal('y')) }, 0],
    [{ subject: literal('x') }, 0],
    [{ subject: defaultGraph() }, 0],
    [{ graph: literal('x') }, 0],
    [{ subject: namedNode('not an IRI') }, 0],
    [{ subject: blankNode('b') }, 0],
    [{ object: literal('\ud83d') }, 0],
  ] as readonly (readonly [object, number])[])('that match %o are %d', async (pattern, count) => {
    const found = [];
    for await (const one of engine.quads({ source: 'w', ...pattern })) found.push(one);
    expect(found).toHaveLength(count);
  });

  it('stop when they are aborted, before and in the middle', async () => {
    await engine.write({ source: 'w', insert: numbered(0, 2000) });
    const read = async (signal: AbortSignal, onRow: () => void) => {
      for await (const _ of engine.quads({ source: 'w', signal })) onRow();
    };
    await expect(read(AbortSignal.abort(), () => undefined)).rejects.toMatchObject({ code: 'ABORTED' });
    const controller = new AbortController();
    let rows = 0;
    await expect(read(controller.signal, () => ++rows === 10 && controller.abort())).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(rows).toBeLessThan(1000);
  });

  it('are a stream of RDF/JS from a handle', async () => {
    const found: RDF.Quad[] = [];
    for await (const one of engine.world('w').match(null, p, null, defaultGraph())) found.push(one as RDF.Quad);
    expect(found).toHaveLength(2);
    const failing = engine.world('nowhere').match();
    const error = await new Promise((resolve) => failing.on('error', resolve).resume());
    expect(error).toMatchObject({ code: 'NOT_FOUND' });
  });
});
