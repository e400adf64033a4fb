import assert from 'node:assert/strict';
import { dataFactory, QuadsResult, ResultRow, SelectResult, sparql } from '@rdf-worlds/core';
import { all, EX, fails, shown, type WorldsCase } from './worlds-probe.ts';

const { literal, namedNode } = dataFactory;
const TOWNS = 'ex:porto ex:name "Porto"@pt ; ex:people 231800 . ex:oulu ex:name "Oulu"@fi ; ex:people 214633 .';
const NAMES = `SELECT ?town ?name ?none { ?town <${EX}name> ?name } ORDER BY ?name`;

/** Cases for queries and updates. */
export const queryCases: readonly WorldsCase[] = [
  {
    name: 'returns rows of RDF/JS terms, whole or one at a time',
    async run(probe) {
      await probe.world('a', TOWNS);
      const select = () => probe.worlds.select({ sources: ['a'], query: NAMES });
      const result = await select();
      assert.ok(result instanceof SelectResult);
      assert.deepEqual(result.variables, ['town', 'name', 'none']);
      const [row] = await result.array();
      assert.ok(row instanceof ResultRow);
      assert.ok(row.get('town')!.equals(namedNode(`${EX}oulu`)));
      assert.ok(row.get('name')!.equals(literal('Oulu', 'fi')));
      assert.deepEqual([row.get('none'), row.has('none'), row.get('unknown')], [undefined, false, undefined]);
      assert.deepEqual(
        [...row].map(([name]) => name),
        ['town', 'name'],
      );
      assert.deepEqual(row.toObject(), { town: `${EX}oulu`, name: 'Oulu' });
      assert.deepEqual(JSON.parse(JSON.stringify(row)), { town: `${EX}oulu`, name: 'Oulu' });
      const seen: unknown[] = [];
      for await (const each of await select()) seen.push(each.get('name')?.value);
      assert.deepEqual(seen, ['Oulu', 'Porto']);
      assert.deepEqual(await (await select()).objects(), [
        { town: `${EX}oulu`, name: 'Oulu' },
        { town: `${EX}porto`, name: 'Porto' },
      ]);
      const batches = await all((await select()).batches);
      assert.equal(
        batches.reduce((sum, { length }) => sum + length, 0),
        2,
      );
      assert.equal(batches[0].term(0, 1)?.value, 'Oulu');
      assert.equal(batches[0].term(0, 2), undefined);
      assert.equal([...batches[0]][0].get('name')?.value, 'Oulu');
    },
  },
  {
    name: 'reads a result once',
    async run(probe) {
      await probe.world('a', TOWNS);
      const result = await probe.worlds.select({ sources: ['a'], query: NAMES });
      await result.array();
      await fails('INVALID_ARGUMENT', () => result.array(), /already been read/);
      const quads = await probe.worlds.construct({ sources: ['a'], query: 'CONSTRUCT WHERE { ?s ?p ?o }' });
      await quads.array();
      await fails('INVALID_ARGUMENT', () => quads.array(), /already been read/);
    },
  },
  {
    name: 'returns empty results, and rows without columns',
    async run(probe) {
      await probe.world('a');
      const select = (query: string) => probe.worlds.select({ sources: ['a'], query });
      const empty = await select('SELECT ?s { ?s ?p ?o }');
      assert.deepEqual([empty.variables, await empty.array()], [['s'], []]);
      const unit = await select('SELECT * {}');
      assert.deepEqual([unit.variables, await unit.objects()], [[], [{}]]);
      const construct = await probe.worlds.construct({ sources: ['a'], query: 'CONSTRUCT WHERE { ?s ?p ?o }' });
      assert.deepEqual(await construct.array(), []);
    },
  },
  {
    name: 'answers ASK, CONSTRUCT and DESCRIBE',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', TOWNS);
      const sources = ['a'];
      assert.equal(await worlds.ask({ sources, query: `ASK { <${EX}oulu> ?p ?o }` }), true);
      assert.equal(await worlds.ask({ sources, query: `ASK { <${EX}rome> ?p ?o }` }), false);
      const made = await worlds.construct({ sources, query: `CONSTRUCT { ?s a ?s } WHERE { ?s <${EX}people> ?n }` });
      assert.ok(made instanceof QuadsResult);
      const type = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
      const quads = await made.array();
      assert.deepEqual(quads.map(shown).sort(), [`<oulu> ${type} <oulu>`, `<porto> ${type} <porto>`]);
      assert.ok(quads.every(({ graph }) => graph.termType === 'DefaultGraph'));
      const described = await all(await worlds.construct({ sources, query: `DESCRIBE <${EX}oulu>` }));
      assert.equal(described.length, 2);
      const batches = await all((await worlds.construct({ sources, query: `DESCRIBE <${EX}oulu>` })).batches);
      assert.equal(
        batches.reduce((sum, { length }) => sum + length, 0),
        2,
      );
    },
  },
  {
    name: 'reports the type of a result of query, and SPARQL JSON of sparql',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', TOWNS);
      const sources = ['a'];
      const query = (text: string) => worlds.query({ sources, query: text });
      const bindings = await query(NAMES);
      assert.ok(bindings.type === 'bindings');
      assert.deepEqual(bindings.variables, ['town', 'name', 'none']);
      assert.equal((await all(bindings.batches)).flatMap((batch) => [...batch]).length, 2);
      const quads = await query('CONSTRUCT WHERE { ?s ?p ?o }');
      assert.ok(quads.type === 'quads');
      assert.equal((await all(quads.batches)).flatMap((batch) => [...batch]).length, 4);
      assert.deepEqual(await query('ASK {}'), { type: 'boolean', value: true });
      const update = await query('INSERT DATA { <urn:s> <urn:p> 1 }');
      assert.ok(update.type === 'update');
      assert.deepEqual([update.inserted, update.deleted], [1, 0]);
      const select = `SELECT ?name { <${EX}oulu> <${EX}name> ?name }`;
      assert.deepEqual(await worlds.sparql({ sources, query: select }), {
        head: { vars: ['name'] },
        results: { bindings: [{ name: { type: 'literal', value: 'Oulu', 'xml:lang': 'fi' } }] },
      });
      assert.deepEqual(await worlds.sparql({ sources, query: 'ASK {}' }), { head: { vars: [] }, boolean: true });
      assert.deepEqual(await worlds.sparql({ sources, query: 'CONSTRUCT { <urn:s> <urn:p> 1 } WHERE {}' }), {
        head: { vars: [] },
        results: {
          quads: [
            {
              subject: { type: 'uri', value: 'urn:s' },
              predicate: { type: 'uri', value: 'urn:p' },
              object: { type: 'literal', value: '1', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
              graph: { type: 'default', value: '' },
            },
          ],
        },
      });
      assert.equal(await worlds.sparql({ sources, query: 'CLEAR ALL' }), null);
    },
  },
  {
    name: 'takes values as bindings and as escaped text',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', `${TOWNS} ex:__proto__ ex:name "polluted" .`);
      const names = async (request: object) =>
        (await (await worlds.select({ sources: ['a'], query: NAMES, ...request })).objects()).map(({ name }) => name);
      assert.deepEqual(await names({ bindings: { town: namedNode(`${EX}porto`) } }), ['Porto']);
      assert.deepEqual(await names({ bindings: new Map([['?name', literal('Oulu', 'fi')]]) }), ['Oulu']);
      const hostile = `" } ; DROP ALL ; #`;
      const query = `SELECT ?s { ?s <${EX}name> ?value }`;
      assert.deepEqual(await names({ query, bindings: { value: hostile } }), []);
      assert.deepEqual(await names({ query: sparql`SELECT ?name { ?s ?p ${hostile}, ?name }` }), []);
      const people = `SELECT ?name { ?s <${EX}people> ?n ; <${EX}name> ?name }`;
      for (const n of [231800, 231800n]) assert.deepEqual(await names({ query: people, bindings: { n } }), ['Porto']);
      const proto = await worlds.select({ query: 'SELECT ?__proto__ { BIND(1 AS ?__proto__) }', sources: ['a'] });
      const [row] = await proto.array();
      assert.equal(row.get('__proto__')?.value, '1');
      await fails('INVALID_ARGUMENT', () => names({ bindings: { town: Symbol('no') } }), /bindings\.town/);
    },
  },
  {
    name: 'queries one world, several, or all of a namespace',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:x ex:in ex:y .');
      await probe.world('b', 'ex:y ex:in ex:z .');
      await worlds.createWorld({ slug: 'c', namespace: 'other' });
      await worlds.import({ source: 'other/c', data: `<${EX}z> <${EX}in> <${EX}w> .\n` });
      const count = async (request: object) => {
        const query = 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }';
        const [{ n }] = await (await worlds.select({ query, ...request })).objects();
        return n;
      };
      assert.equal(await count({}), 2);
      assert.equal(await count({ sources: ['a'] }), 1);
      assert.equal(await count({ sources: ['a', 'b'] }), 2);
      assert.equal(await count({ sources: ['a', { name: 'other/c' }] }), 2);
      assert.equal(await count({ namespace: 'other' }), 1);
      assert.equal(await count({ namespace: 'other', sources: ['c'] }), 1);
      assert.equal(await count({ namespace: 'other', sources: ['c', '_/a'] }), 2);
      assert.equal(await count({ sources: [] }), 0);
      assert.equal(await count({ namespace: 'none' }), 0);
      const chain = `SELECT ?end { <${EX}x> <${EX}in>/<${EX}in>/<${EX}in> ?end }`;
      const joined = await worlds.select({ query: chain, sources: ['a', 'b', 'other/c'] });
      assert.deepEqual(await joined.objects(), [{ end: `${EX}w` }]);
      await fails('NOT_FOUND', () => count({ sources: ['nowhere'] }), /nowhere/);
      await fails('NOT_FOUND', () => count({ sources: ['a', 'nowhere'] }), /nowhere/);
    },
  },
  {
    name: 'selects the graphs of the dataset, and resolves relative IRIs',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p "default" .');
      for (const name of ['g', 'h'])
        await worlds.import({ source: 'a', data: `<${EX}s> <${EX}p> "${name}" .\n`, graph: EX + name });
      const values = async (request: object) => {
        const query = 'SELECT ?o { ?s ?p ?o } ORDER BY ?o';
        const rows = await (await worlds.select({ sources: ['a'], query, ...request })).objects();
        return rows.map(({ o }) => o);
      };
      assert.deepEqual(await values({}), ['default']);
      assert.deepEqual(await values({ defaultGraphUris: [`${EX}g`, `${EX}h`] }), ['g', 'h']);
      const query = 'SELECT ?o { GRAPH ?g { ?s ?p ?o } }';
      assert.deepEqual(await values({ query, namedGraphUris: [`${EX}h`] }), ['h']);
      assert.deepEqual(await values({ query: 'SELECT ?o { <s> ?p ?o }', baseIri: EX }), ['default']);
    },
  },
  {
    name: 'updates the only source, or the one with write: true',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p 1 .');
      await probe.world('b');
      const query = 'INSERT { ?s ?p 2 } WHERE { ?s ?p 1 }';
      const sources = ['a', { slug: 'b', write: true }];
      const { inserted, deleted, revision } = await worlds.update({ sources, query });
      assert.deepEqual([inserted, deleted], [1, 0]);
      assert.equal((await worlds.getWorld({ source: 'b' }))?.revision, revision);
      await worlds.update({
        sources: ['a'],
        query: 'DELETE DATA { <https://example.org/s> <https://example.org/p> 1 }',
      });
      assert.deepEqual([(await probe.contents('a')).length, (await probe.contents('b')).length], [0, 1]);
      await fails('INVALID_ARGUMENT', () => worlds.update({ sources: ['a', 'b'], query: 'CLEAR ALL' }));
      await fails('INVALID_ARGUMENT', () =>
        worlds.update({ sources: [{ slug: 'a', write: false }], query: 'CLEAR ALL' }),
      );
      await fails('PERMISSION_DENIED', () => worlds.update({ sources: ['a'], query, blind: true }));
    },
  },
  {
    name: 'runs nothing if the text has another form than the method',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p 1 .');
      const sources = ['a'];
      const forms = { select: NAMES, ask: 'ASK {}', construct: 'DESCRIBE <urn:x>', update: 'CLEAR ALL' } as const;
      const methods = ['select', 'ask', 'construct', 'update'] as const;
      for (const method of methods)
        for (const form of methods)
          if (method !== form)
            await fails(
              'INVALID_ARGUMENT',
              () => worlds[method]({ sources, query: forms[form] }),
              new RegExp(`^${method}: query: this is an? \\w+; nothing was run`),
            );
      assert.equal((await probe.contents('a')).length, 1);
    },
  },
  {
    name: 'returns more rows than fit into one piece, all of them and in order',
    async run(probe) {
      await probe.world('a');
      const query =
        'SELECT * { VALUES ?a { 0 1 2 3 4 5 6 7 8 9 } VALUES ?b { 0 1 2 3 4 5 6 7 8 9 } VALUES ?c { 0 1 2 3 4 5 6 7 8 9 } ' +
        'VALUES ?d { 0 1 2 3 4 5 6 7 8 9 } BIND(?a * 1000 + ?b * 100 + ?c * 10 + ?d AS ?n) BIND(CONCAT("]}\\"", STR(?n), "\\\\") AS ?t) } ORDER BY ?n';
      let next = 0;
      for await (const row of await probe.worlds.select({ sources: ['a'], query })) {
        assert.equal(row.get('n')?.value, String(next));
        assert.equal(row.get('t')?.value, `]}"${next}\\`);
        next++;
      }
      assert.equal(next, 10_000);
    },
  },
  {
    name: 'explains a query without running it, and with its measurements',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', TOWNS);
      const plan = await worlds.explain({ sources: ['a'], query: NAMES });
      assert.equal(plan.form, 'select');
      assert.ok(plan.text.length > 0 && plan.plan.actualRows === undefined);
      const analyzed = await worlds.explain({ sources: ['a'], query: NAMES, analyze: true });
      assert.equal(analyzed.plan.actualRows, 2);
      await worlds.explain({ sources: ['a'], query: 'CLEAR ALL' });
      assert.equal((await probe.contents('a')).length, 4);
    },
  },
];
