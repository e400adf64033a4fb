import assert from 'node:assert/strict';
import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import { naiveDataset } from '../naive-dataset.ts';
import { NaiveUpdateView } from '../naive-update-view.ts';
import { type EngineCase, NOW, showQuad } from './engine-probe.ts';
import { EX, PREFIX, shortQuads, shortTerm } from './short-quads.ts';

type Prepared = Awaited<ReturnType<SparqlEngine['prepare']>>;
type Form = 'select' | 'ask' | 'construct' | 'describe' | 'update';

/** Texts and their forms, with keywords where a reader of less than the grammar would be misled. */
const FORMS: readonly (readonly [text: string, form: Form])[] = [
  ['SELECT * {}', 'select'],
  ['select*{}', 'select'],
  ['ASK{}', 'ask'],
  ['CONSTRUCT WHERE {}', 'construct'],
  ['DESCRIBE <urn:a>', 'describe'],
  ['# INSERT\nSELECT * {}', 'select'],
  ['# SELECT\r\nINSERT DATA {}', 'update'],
  ['PREFIX select: <urn:insert> INSERT DATA {}', 'update'],
  ['PREFIX : <http://e/#SELECT> DELETE WHERE {}', 'update'],
  ['BASE <http://e/#x> PREFIX ask: <urn:a> # SELECT\n ASK {}', 'ask'],
  ['WITH<urn:g>DELETE{}WHERE{}', 'update'],
  // SPARQL 1.1 section 19.8, [29] Update: a prologue without operations.
  ['PREFIX a: <urn:a>', 'update'],
  ['# nothing but a comment', 'update'],
  ['clear graph <urn:a>', 'update'],
  ['drop graph <urn:a>', 'update'],
  ['create graph <urn:a>', 'update'],
  ['add <urn:a> to <urn:b>', 'update'],
  ['move <urn:a> to <urn:b>', 'update'],
  ['copy <urn:a> to <urn:b>', 'update'],
];

/** Texts, and whether they name graphs of their dataset. */
const DATASETS: readonly (readonly [text: string, namesDataset: boolean])[] = [
  ['SELECT * {}', false],
  ['SELECT * FROM <urn:g> {}', true],
  ['ASK FROM NAMED <urn:g> {}', true],
  ['DESCRIBE <urn:a> FROM <urn:g>', true],
  ['CONSTRUCT FROM <urn:g> WHERE {}', true],
  ['INSERT {} USING <urn:g> WHERE {}', true],
  ['INSERT {} using named<urn:g> WHERE {}', true],
  ['INSERT DATA {} ; with <urn:g> DELETE {} WHERE {}', true],
  ['INSERT DATA { <urn:USING> <urn:p> "USING" }', false],
  ["INSERT DATA { <urn:s> <urn:p> '''it's USING \\''' WITH''' }", false],
  ['INSERT DATA { <urn:s> <urn:p> """WITH "" USING""" }', false],
  ['PREFIX with: <urn:w> INSERT { ?using ?with "x"@en } WHERE { ?using with:using ?with , ?using # USING\n }', false],
  ['INSERT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o < 5 && ?o > 3) }', false],
  ['INSERT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(?o<5) } ; WITH <urn:g> DELETE {} WHERE {}', true],
];

/** Updates, and whether their outcome cannot reveal what the worlds contain. */
const BLIND: readonly (readonly [text: string, isBlind: boolean])[] = [
  ['INSERT DATA { <urn:s> <urn:p> 1 }', true],
  ['DELETE DATA { <urn:s> <urn:p> 1 } ; INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> 2 } }', true],
  ['DROP SILENT GRAPH <urn:g>', true],
  ['CLEAR SILENT GRAPH <urn:g>', true],
  ['CREATE SILENT GRAPH <urn:g>', true],
  ['CLEAR ALL', true],
  ['CLEAR DEFAULT', true],
  ['DROP NAMED', true],
  ['LOAD SILENT <http://localhost/nothing>', true],
  ['# nothing', true],
  ['DROP GRAPH <urn:g>', false],
  ['CLEAR GRAPH <urn:g>', false],
  ['CREATE GRAPH <urn:g>', false],
  ['COPY <urn:g> TO DEFAULT', false],
  ['MOVE SILENT <urn:g> TO <urn:h>', false],
  ['ADD SILENT <urn:g> TO DEFAULT', false],
  ['DELETE WHERE { <urn:s> <urn:p> ?o }', false],
  ['INSERT { <urn:s> <urn:p> 1 } WHERE {}', false],
  ['INSERT DATA { <urn:s> <urn:p> 1 } ; DELETE WHERE { ?s ?p ?o }', false],
];

function formOf(prepared: Prepared): Form {
  return prepared.type === 'update' ? 'update' : prepared.form;
}

/**
 * Cases for what a prepared text says about itself, and for its use again. The optional properties
 * may be undefined, but must not be wrong.
 */
export const preparationCases: readonly EngineCase[] = [
  {
    name: 'a prepared text reports its form',
    async run({ engine }) {
      for (const [text, form] of FORMS) assert.equal(formOf(await engine.prepare(text, {})), form, text);
    },
  },
  {
    name: 'a prepared text reports correctly, if at all, whether it names its dataset',
    async run({ engine }) {
      for (const [text, expected] of DATASETS) {
        const { namesDataset = expected } = await engine.prepare(text, {});
        assert.equal(namesDataset, expected, text);
      }
    },
  },
  {
    name: 'a prepared update reports correctly, if at all, whether its outcome reveals contents',
    async run({ engine }) {
      for (const [text, expected] of BLIND) {
        const prepared = await engine.prepare(text, {});
        assert.ok(prepared.type === 'update', text);
        assert.equal(prepared.isBlind ?? expected, expected, text);
      }
    },
  },
  {
    name: 'a prepared query accepts different bindings for each run',
    async run(probe) {
      const source = naiveDataset([shortQuads('a p 1', 'b p 2')]);
      const query = await probe.query(`${PREFIX} ASK { ?x :p ?y }`);
      if (!query.bind) return;
      const holds = async (x: string, y: string) => {
        const bound = query.bind!(new Map(Object.entries({ x: shortTerm(x), y: shortTerm(y) })));
        const result = await bound.evaluate(source, { now: NOW });
        return result.type === 'boolean' && result.value;
      };
      assert.deepEqual([await holds('a', '1'), await holds('b', '1'), await holds('b', '2')], [true, false, true]);
      const unbound = await query.evaluate(source, { now: NOW });
      assert.ok(unbound.type === 'boolean' && unbound.value);
      const assigned = await probe.query(`${PREFIX} SELECT (1 AS ?x) {}`);
      await probe.expectError(async () => assigned.bind!(new Map([['x', shortTerm('a')]])), 'INVALID_ARGUMENT');
    },
  },
  {
    name: 'a prepared update can be executed again, with bindings too',
    async run({ engine }) {
      const prepared = await engine.prepare(`INSERT { ?s <${EX}seen> ?n } WHERE { ?s <${EX}p> ?n }`, {});
      assert.ok(prepared.type === 'update');
      const run = async (update: typeof prepared) => {
        const view = new NaiveUpdateView([shortQuads('a p 1', 'b p 2')]);
        await update.execute(view, { now: NOW });
        return [...view.target].map(showQuad).sort();
      };
      const all = ['a p 1', 'a seen 1', 'b p 2', 'b seen 2'];
      assert.deepEqual(await run(prepared), all);
      const bound = prepared.bind?.(new Map([['s', shortTerm('b')]]));
      if (bound) assert.deepEqual(await run(bound), ['a p 1', 'b p 2', 'b seen 2']);
      assert.deepEqual(await run(prepared), all);
    },
  },
];
