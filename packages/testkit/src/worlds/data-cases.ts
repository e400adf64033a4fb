import assert from 'node:assert/strict';
import { dataFactory } from '@rdf-worlds/core';
import { all, EX, fails, shown, text, type WorldsCase } from './worlds-probe.ts';

const { blankNode, defaultGraph, literal, namedNode, quad, variable } = dataFactory;
const ex = (name: string) => namedNode(EX + name);

/** Cases for exports, quads, graphs, entities and writes. */
export const dataCases: readonly WorldsCase[] = [
  {
    name: 'exports N-Quads by default, and the formats that are asked for',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p "é" .');
      await worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "named" .\n`, graph: `${EX}g` });
      const lines = text(await worlds.export({ source: 'a' }))
        .split('\n')
        .sort();
      assert.deepEqual(lines, ['', `<${EX}s> <${EX}p> "named" <${EX}g> .`, `<${EX}s> <${EX}p> "é" .`]);
      const turtle = { source: 'a', contentType: 'text/turtle', prefixes: { e: EX } };
      assert.match(text(await worlds.export(turtle)), /e:s e:p "é"/);
      const graph = await worlds.export({ source: 'a', graph: `${EX}g`, contentType: 'application/n-triples' });
      assert.equal(text(graph), `<${EX}s> <${EX}p> "named" .\n`);
      const context = { '@vocab': EX };
      const compact = await worlds.export({ source: 'a', graph: ex('g'), contentType: 'application/ld+json', context });
      assert.match(text(compact), /"p": ?"named"/);
      const framed = { source: 'a', contentType: 'application/ld+json', frame: { '@context': context, p: 'é' } };
      assert.match(text(await worlds.export(framed)), /é/);
    },
  },
  {
    name: 'exports as a stream, which may be left early',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a');
      const lines = Array.from({ length: 20_000 }, (_, i) => `<${EX}${i}> <${EX}p> "${i}" .\n`);
      await worlds.import({ source: 'a', data: lines.join('') });
      const chunks = await all(worlds.exportStream({ source: 'a' }));
      assert.ok(chunks.length > 1);
      const document = chunks.map(text).join('');
      assert.deepEqual(document.split('\n').sort(), lines.join('').split('\n').sort());
      for await (const _ of worlds.exportStream({ source: 'a' })) break;
      assert.equal(await worlds.ask({ sources: ['a'], query: 'ASK { ?s ?p ?o }' }), true);
    },
  },
  {
    name: 'iterates over the quads that match a pattern',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p 1, "1" . ex:t ex:p "1" ; ex:q ex:s . [] ex:p "blank" .');
      await worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "1" .\n`, graph: `${EX}g` });
      const match = async (pattern: Omit<Parameters<typeof worlds.quads>[0], 'source'>) =>
        (await all(worlds.quads({ source: 'a', ...pattern }))).map(shown).sort();
      assert.equal((await match({})).length, 6);
      assert.deepEqual(await match({ object: literal('1') }), ['<s> <p> "1"', '<s> <p> "1" <g>', '<t> <p> "1"']);
      assert.deepEqual(await match({ object: literal('1'), graph: defaultGraph() }), ['<s> <p> "1"', '<t> <p> "1"']);
      assert.deepEqual(await match({ graph: ex('g') }), ['<s> <p> "1" <g>']);
      assert.deepEqual(await match({ graph: ex('none') }), []);
      assert.deepEqual(await match({ subject: ex('t'), predicate: ex('q'), object: ex('s') }), ['<t> <q> <s>']);
      assert.equal((await match({ subject: null, predicate: variable('any'), graph: variable('any') })).length, 6);
      const [blank] = await all(worlds.quads({ source: 'a', object: literal('blank') }));
      assert.equal(blank.subject.termType, 'BlankNode');
      assert.deepEqual(await match({ subject: blank.subject }), ['_: <p> "blank"']);
      assert.deepEqual(await match({ subject: blankNode('unknown') }), []);
    },
  },
  {
    name: 'tells whether a graph exists, even an empty one, and deletes graphs',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p 1 .');
      await worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "1" .\n`, graph: `${EX}g` });
      await worlds.import({ source: 'a', data: '', graph: `${EX}empty` });
      const has = (graph: Parameters<typeof worlds.hasGraph>[0]['graph']) => worlds.hasGraph({ source: 'a', graph });
      assert.deepEqual(
        [await has(`${EX}g`), await has(ex('empty')), await has(defaultGraph()), await has(`${EX}none`)],
        [true, true, true, false],
      );
      const { deleted } = await worlds.deleteGraph({ source: 'a', graph: `${EX}g` });
      assert.equal(deleted, 1);
      assert.equal(await has(`${EX}g`), false);
      await fails('NOT_FOUND', () => worlds.deleteGraph({ source: 'a', graph: `${EX}g` }), /no graph .*g>/);
      const { deleted: ofDefault } = await worlds.deleteGraph({ source: 'a', graph: defaultGraph() });
      assert.deepEqual([ofDefault, await has(defaultGraph())], [1, true]);
      await fails('NOT_FOUND', () => worlds.hasGraph({ source: 'nowhere', graph: `${EX}g` }), /nowhere/);
      await fails('NOT_FOUND', () => worlds.export({ source: 'a', graph: `${EX}g` }), /no graph/);
    },
  },
  {
    name: 'returns the properties of an entity',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:ada ex:name "Ada" ; ex:born 1815 ; ex:knows ex:mary, [ ex:name "nobody" ] .');
      const entity = await worlds.getEntity({ source: 'a', entity: `${EX}ada`, context: { '@vocab': EX } });
      const { knows, ...rest } = entity!;
      assert.deepEqual(rest, { name: ['Ada'], born: [1815] });
      assert.equal(knows.length, 2);
      const blank = knows.map(String).find((name) => name.startsWith('_:'))!;
      assert.deepEqual(await worlds.getEntity({ source: 'a', entity: blank, prefixes: { e: EX } }), {
        'e:name': ['nobody'],
      });
      assert.equal(await worlds.getEntity({ source: 'a', entity: `${EX}nobody` }), undefined);
    },
  },
  {
    name: 'writes quads, and knows the blank nodes that it returned',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', '[] ex:p "old" .');
      const [old] = await all(worlds.quads({ source: 'a' }));
      const fresh = blankNode('mine');
      const first = await worlds.write({
        source: 'a',
        delete: [old, quad(ex('none'), ex('p'), literal('absent'))],
        insert: [
          quad(old.subject, ex('p'), literal('new')),
          quad(fresh, ex('p'), literal('1'), ex('g')),
          quad(fresh, ex('p'), literal('2'), ex('g')),
        ],
      });
      assert.deepEqual([first.inserted, first.deleted], [3, 1]);
      const [changed] = await all(worlds.quads({ source: 'a', object: literal('new') }));
      assert.ok(changed.subject.equals(old.subject));
      const named = await all(worlds.quads({ source: 'a', graph: ex('g') }));
      assert.equal(named.length, 2);
      assert.ok(named[0].subject.equals(named[1].subject) && !named[0].subject.equals(old.subject));
      const again = await worlds.write({ source: 'a', insert: [changed] });
      assert.deepEqual([again.inserted, again.deleted], [0, 0]);
      const both = await worlds.write({ source: 'a', delete: [changed], insert: [changed] });
      assert.deepEqual([both.inserted, both.deleted], [0, 0]);
    },
  },
];
