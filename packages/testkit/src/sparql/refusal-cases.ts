import assert from 'node:assert/strict';
import type { WorldsErrorCode } from '@rdf-worlds/core';
import { naiveDataset } from '../naive-dataset.ts';
import { NaiveUpdateView } from '../naive-update-view.ts';
import { type EngineCase, showQuad } from './engine-probe.ts';
import { PREFIX, shortQuads } from './short-quads.ts';

type Row = readonly [text: string, line: number, column: number | undefined];

/**
 * Texts that are not SPARQL 1.1, with the expected error location (no column: only the line is
 * checked).
 */
const MALFORMED: readonly Row[] = [
  ['', 1, 1],
  [' \n\t', 1, undefined],
  ['SELECT', 1, undefined],
  ['SELECT * {\n  ?s ?p ?o\n', 3, undefined],
  ['SELECT * {\n  ?s ?p ?o } }', 2, 14],
  ['SELECT * {\n  ?s § ?o }', 2, 6],
  ['SELECT * { ?s ex:p ?o }', 1, 15],
  ['PREFIX ex: <urn:> # other:\nSELECT * { ?s "other:" other:p }', 2, undefined],
  ['SELECT * { ?s foaf:name ?o }', 1, 15],
  ['SELECT * { ?s rdf:type ?o }', 1, 15],
  ['SELECT * { ?s :p ?o }', 1, 15],
  ['SELECT * {\n?s <relative> ?o }', 2, undefined],
  ['SELECT * { ?s ?p <urn:a b> }', 1, undefined],
  ['SELECT * { ?s ?p <urn:\\u0020> }', 1, undefined],
  ['SELECT * { ?s ?p "\\z" }', 1, undefined],
  ['SELECT * { ?s ?p "a\nb" }', 1, undefined],
  ['SELECT * { ?s ?p ?o BIND(1 AS ?o) }', 1, undefined],
  ['SELECT * { BIND(1 AS ?x)\nBIND(2 AS ?x) }', 2, 11],
  ['SELECT (1 AS ?x)\n{ ?x ?p ?o }', 1, 14],
  ['SELECT (1 AS ?x) (2 AS ?x) {}', 1, undefined],
  ['SELECT * { ?s ?p ?o } GROUP BY ?s', 1, undefined],
  ['SELECT ?o { ?s ?p ?o } GROUP BY ?s', 1, undefined],
  ['SELECT ?s (SUM(?o) AS ?n) { ?s ?p ?o }', 1, 8],
  ['SELECT * { ?s ?p ?o FILTER(COUNT(?o) > 1) }', 1, undefined],
  ['SELECT * { VALUES (?x ?y) { (1) } }', 1, undefined],
  ['SELECT * { VALUES (?x ?x) { (1 2) } }', 1, 23],
  ['SELECT * { _:a ?p ?o . OPTIONAL { _:a ?q ?r } }', 1, undefined],
  ['SELECT * { ?s _:p ?o }', 1, undefined],
  ['SELECT * { GRAPH "g" {} }', 1, undefined],
  ['SELECT * {} LIMIT -1', 1, undefined],
  ['CONSTRUCT { ?s <urn:p>* ?o } WHERE { ?s ?p ?o }', 1, undefined],
  ['ASK {} ; ASK {}', 1, undefined],
  ['INSERT DATA { ?s <urn:p> 1 }', 1, undefined],
  ['DELETE DATA { _:b <urn:p> 1 }', 1, undefined],
  ['DELETE WHERE { [] <urn:p> ?o }', 1, undefined],
  ['DELETE WHERE { (1) <urn:p> ?o }', 1, undefined],
  ['DELETE { ?s <urn:p> _:b } WHERE { ?s ?p ?o }', 1, undefined],
  ['INSERT DATA { _:b <urn:p> 1 } ; INSERT DATA { _:b <urn:p> 2 }', 1, undefined],
  ['CREATE <urn:g>', 1, undefined],
  ['INSERT DATA {} SELECT * {}', 1, undefined],
];

/** Requests that must be refused because they access external resources. */
const REFUSED: readonly (readonly [text: string, code: WorldsErrorCode])[] = [
  ['SELECT * { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } }', 'UNSUPPORTED'],
  ['SELECT * { ?x ?y ?s SERVICE ?s { ?a ?b ?c } }', 'UNSUPPORTED'],
  ['ASK { FILTER EXISTS { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } } }', 'UNSUPPORTED'],
  ['SELECT * { { SELECT ?s { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } } } }', 'UNSUPPORTED'],
  ['INSERT { ?s ?p ?o } WHERE { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } }', 'UNSUPPORTED'],
  ['LOAD <http://127.0.0.1:9/data>', 'UNSUPPORTED'],
  ['LOAD <file:///etc/passwd> INTO GRAPH <urn:g>', 'UNSUPPORTED'],
  ['INSERT DATA {} ; LOAD <http://127.0.0.1:9/data>', 'UNSUPPORTED'],
];

const nest = (open: string, inner: string, close: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** Very deep or long texts: they may be answered or refused, but must not crash. */
const EXTREME: readonly (readonly [name: string, text: string])[] = [
  ['groups', `SELECT * ${nest('{', '', '}', 20_000)}`],
  ['brackets', `SELECT * { FILTER(${nest('(', '1', ')', 20_000)}) }`],
  ['paths', `SELECT * { ?s ${nest('(', '<urn:p>', ')', 20_000)} ?o }`],
  ['lists', `SELECT * { ?s ?p ${nest('(', '1', ')', 20_000)} }`],
  ['negations', `SELECT * { FILTER(${'!'.repeat(20_000)}true) }`],
  ['subqueries', `${nest('SELECT * { { ', '?s ?p ?o', ' } }', 5_000)}`],
  ['an open group', `SELECT * ${'{'.repeat(50_000)}`],
  ['a long string', `SELECT * { ?s ?p "${'x'.repeat(3_000_000)}" }`],
  ['a wide union', `SELECT * { ${Array.from({ length: 300 }, () => '{ ?s ?p ?o }').join(' UNION ')} }`],
];

/** Cases for texts that `prepare` refuses. */
export const refusalCases: readonly EngineCase[] = [
  ...MALFORMED.map(
    ([text, line, column]): EngineCase => ({
      name: `INVALID_SPARQL: ${JSON.stringify(text)}`,
      async run(probe) {
        const error = await probe.expectError(async () => probe.engine.prepare(text, {}), 'INVALID_SPARQL');
        const { location } = error as { location?: { line: number; column: number } };
        assert.ok(location, `there is a location: ${error.message}`);
        assert.equal(location.line, line, error.message);
        assert.ok(location.column >= 1);
        if (column !== undefined) assert.equal(location.column, column, error.message);
      },
    }),
  ),
  ...REFUSED.map(
    ([text, code]): EngineCase => ({
      name: `${code}: ${text}`,
      async run(probe) {
        await probe.expectError(async () => probe.engine.prepare(text, {}), code);
      },
    }),
  ),
  ...EXTREME.map(
    ([name, text]): EngineCase => ({
      name: `extreme text: ${name}`,
      async run(probe) {
        const evaluate = async () => {
          for await (const _ of await rowsOf()) break;
        };
        const rowsOf = async () => {
          const result = await probe.evaluate(naiveDataset([[]]), text, { signal: AbortSignal.timeout(10_000) });
          if (result.type !== 'bindings') assert.fail('no bindings');
          return result.batches;
        };
        try {
          await evaluate();
        } catch (error) {
          const { code } = error as { code?: string };
          assert.ok(code === 'INVALID_SPARQL' || code === 'LIMIT_EXCEEDED' || code === 'TIMEOUT', String(error));
        }
      },
    }),
  ),
  {
    name: 'SERVICE SILENT to a forbidden endpoint is one empty solution',
    run: (probe) => {
      const text = `${PREFIX} SELECT ?o ?x { :s :p ?o SERVICE SILENT <http://127.0.0.1:9/sparql> { ?o :q ?x } }`;
      return probe.expectRows(naiveDataset([shortQuads('s p 1')]), text, ['1 -']);
    },
  },
  {
    name: 'LOAD SILENT does nothing',
    async run(probe) {
      const view = new NaiveUpdateView([shortQuads('s p 1')]);
      await probe.update(
        view,
        'LOAD SILENT <http://127.0.0.1:9/data> ; LOAD SILENT <file:///etc/passwd> INTO GRAPH <urn:g>',
      );
      assert.deepEqual([...view.source].map(showQuad), ['s p 1']);
      assert.equal(view.targetGraphs.length, 0);
    },
  },
];
