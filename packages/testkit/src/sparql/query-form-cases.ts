import assert from 'node:assert/strict';
import { isomorphic } from 'rdf-isomorphic';
import { naiveDataset } from '../naive-dataset.ts';
import { type EngineCase, NOW, showQuad } from './engine-probe.ts';
import { PREFIX, shortQuads } from './short-quads.ts';

const data = () => naiveDataset([shortQuads('a p b', 'a p c', 'b p c', 'a name "A"', 'b name "B"', 'c age 7')]);

/** SELECT queries with their expected rows. */
const SELECTS: readonly (readonly [name: string, text: string, rows: readonly string[]])[] = [
  ['a join', 'SELECT ?x ?n { :a :p ?x . ?x :name ?n }', ['b "B"']],
  ['OPTIONAL leaves a variable unbound', 'SELECT ?x ?n { :a :p ?x OPTIONAL { ?x :name ?n } }', ['b "B"', 'c -']],
  ['UNION keeps duplicates', 'SELECT ?x { { :a :p ?x } UNION { :b :p ?x } }', ['b', 'c', 'c']],
  ['DISTINCT drops them', 'SELECT DISTINCT ?x { { :a :p ?x } UNION { :b :p ?x } }', ['b', 'c']],
  ['MINUS', 'SELECT ?x { :a :p ?x MINUS { ?x :name ?n } }', ['c']],
  ['FILTER NOT EXISTS', 'SELECT ?x { :a :p ?x FILTER NOT EXISTS { ?x :name ?n } }', ['c']],
  ['BIND and arithmetic', 'SELECT ?y { :c :age ?a BIND(?a * 2 + 1 AS ?y) }', ['15']],
  ['VALUES with UNDEF', 'SELECT ?x ?y { VALUES (?x ?y) { (:a UNDEF) (UNDEF 1) } }', ['a -', '- 1']],
  ['a property path', 'SELECT ?x { :a :p+ ?x }', ['b', 'c']],
  ['a path of length zero', 'SELECT ?x { :z :p* ?x }', ['z']],
  ['groups', 'SELECT ?s (COUNT(?o) AS ?n) { ?s :p ?o } GROUP BY ?s', ['a 2', 'b 1']],
  ['COUNT of nothing', 'SELECT (COUNT(*) AS ?n) { ?s :none ?o }', ['0']],
  ['no group without rows', 'SELECT ?s (COUNT(*) AS ?n) { ?s :none ?o } GROUP BY ?s', []],
  ['HAVING', 'SELECT ?s { ?s :p ?o } GROUP BY ?s HAVING (COUNT(*) > 1)', ['a']],
  ['a subquery with a limit', 'SELECT ?s ?o { { SELECT ?s { ?s :p ?x } ORDER BY ?s LIMIT 1 } ?s :name ?o }', ['a "A"']],
  ['an empty pattern', 'SELECT * {}', ['']],
  ['a variable that is nowhere', 'SELECT ?nowhere { :c :age ?a }', ['-']],
  ['a blank node as a variable', 'SELECT ?n { :a :p [ :name ?n ] }', ['"B"']],
  ['a variable twice in a pattern', 'SELECT ?x { ?x :p ?x }', []],
  [
    'a name of JavaScript',
    'SELECT ?__proto__ ?constructor { :a :name ?__proto__ . :b :name ?constructor }',
    ['"A" "B"'],
  ],
  ['the same in VALUES', 'SELECT ?__proto__ { VALUES (?__proto__ ?x) { (1 2) (3 4) } FILTER(?x > 2) }', ['3']],
  ['two colons in a name', 'PREFIX u: <urn:> SELECT ?x { VALUES ?x { u:a:b :c\\~d } }', ['<urn:a:b>', 'c~d']],
];

/** Cases for the four query forms over one graph. */
export const queryFormCases: readonly EngineCase[] = [
  ...SELECTS.map(
    ([name, text, rows]): EngineCase => ({
      name: `SELECT: ${name}`,
      run: (probe) => probe.expectRows(data(), PREFIX + text, rows),
    }),
  ),
  {
    name: 'SELECT: variables are in the order of the text, and ORDER BY and LIMIT apply',
    async run(probe) {
      const text = `${PREFIX} SELECT ?o ?s { ?s :p ?o } ORDER BY DESC(?s) DESC(?o) LIMIT 2 OFFSET 1`;
      const result = await probe.evaluate(data(), text);
      assert.deepEqual(result.type === 'bindings' && result.variables, ['o', 's']);
      assert.deepEqual(await probe.rows(data(), text), ['c a', 'b a']);
    },
  },
  {
    name: 'SELECT: an unknown variable of a row is undefined',
    async run(probe) {
      const result = await probe.evaluate(data(), 'SELECT ?s { ?s ?p ?o } LIMIT 1');
      if (result.type !== 'bindings') assert.fail('no bindings');
      for await (const batch of result.batches) {
        for (const row of batch) {
          assert.equal(row.get('unknown'), undefined);
          assert.equal(row.get('toString'), undefined);
          assert.equal(row.get('?s'), undefined);
        }
        assert.equal(batch.term(0, 99), undefined);
      }
    },
  },
  {
    name: 'SELECT: more rows than fit into a batch',
    async run(probe) {
      const quads = Array.from({ length: 3000 }, (_, index) => `s${index} p ${index}`);
      const rows = await probe.rows(naiveDataset([shortQuads(...quads)]), `${PREFIX} SELECT ?o { ?s :p ?o }`);
      assert.equal(new Set(rows).size, 3000);
    },
  },
  {
    name: 'a prepared query can be evaluated again, over another source, and concurrently',
    async run(probe) {
      const query = await probe.query(`${PREFIX} SELECT ?o { :s :p ?o }`);
      const objects = async (...lines: string[]) => {
        const result = await query.evaluate(naiveDataset([shortQuads(...lines)]), { now: NOW });
        if (result.type !== 'bindings') assert.fail('no bindings');
        const values: string[] = [];
        for await (const batch of result.batches) for (const row of batch) values.push(row.get('o')!.value);
        return values.sort();
      };
      const answers = await Promise.all([objects('s p 1'), objects('s p 2', 's p 3'), objects('t p 4')]);
      assert.deepEqual(answers, [['1'], ['2', '3'], []]);
    },
  },
  {
    name: 'ASK',
    async run(probe) {
      assert.equal(await probe.ask(data(), `${PREFIX} ASK { :a :p :b }`), true);
      assert.equal(await probe.ask(data(), `${PREFIX} ASK { :a :p :a }`), false);
      assert.equal(await probe.ask(naiveDataset([[]]), 'ASK {}'), true);
    },
  },
  {
    name: 'CONSTRUCT returns a set of triples, without invalid ones',
    async run(probe) {
      const text = `${PREFIX} CONSTRUCT { ?o :is :there . ?n :of ?s . :x :y ?n }
        WHERE { ?s :p ?o OPTIONAL { ?s :name ?n } }`;
      const quads = await probe.quads(data(), text);
      assert.deepEqual(quads.map(showQuad).sort(), ['b is there', 'c is there', 'x y "A"', 'x y "B"']);
    },
  },
  {
    name: 'CONSTRUCT: LIMIT counts solutions, not triples',
    async run(probe) {
      const text = `${PREFIX} CONSTRUCT { ?s :x 1 . ?s :y 2 } WHERE { ?s :age ?o } LIMIT 1`;
      assert.equal((await probe.quads(data(), text)).length, 2);
    },
  },
  {
    name: 'CONSTRUCT: blank nodes of the template are new for every solution',
    async run(probe) {
      const text = `${PREFIX} CONSTRUCT { _:r :of ?s ; :to [ :at ?o ] } WHERE { ?s :p ?o }`;
      const quads = await probe.quads(data(), text);
      const expected = ['a b', 'a c', 'b c'].flatMap((pair, index) => {
        const [subject, object] = pair.split(' ');
        return shortQuads(`_:r${index} of ${subject}`, `_:r${index} to _:t${index}`, `_:t${index} at ${object}`);
      });
      assert.ok(isomorphic(quads, expected), quads.map(showQuad).join('\n'));
    },
  },
  {
    name: 'CONSTRUCT WHERE',
    async run(probe) {
      const quads = await probe.quads(data(), `${PREFIX} CONSTRUCT WHERE { :a :p ?o }`);
      assert.deepEqual(quads.map(showQuad).sort(), ['a p b', 'a p c']);
    },
  },
  {
    name: 'DESCRIBE returns the triples of a resource and of the blank nodes reachable from it',
    async run(probe) {
      const source = naiveDataset([
        shortQuads('a p _:x', '_:x q _:y', '_:y r "end"', 'a name "A"', 'b p a', '_:y back a', '_:z q 1'),
      ]);
      const expected = ['a name "A"', 'a p _:x', '_:x q _:y', '_:y r "end"', '_:y back a'].sort();
      for (const text of ['DESCRIBE :a', 'DESCRIBE ?s { ?s :name "A" }', 'DESCRIBE :a ?s { ?s :name ?n }']) {
        const quads = await probe.quads(source, PREFIX + text);
        assert.deepEqual(quads.map(showQuad).sort(), expected, text);
      }
      assert.deepEqual(await probe.quads(source, `${PREFIX} DESCRIBE :nobody`), []);
    },
  },
  {
    name: 'blank nodes keep the labels of the source, and new ones get labels of their own',
    async run(probe) {
      const source = naiveDataset([shortQuads('_:x p _:y', '_:bc_0_x p 1')]);
      await probe.expectRows(source, `${PREFIX} SELECT ?s ?o { ?s :p ?o FILTER(isBlank(?o)) }`, ['_:x _:y']);
      const made = await probe.rows(
        source,
        `${PREFIX} SELECT ?a ?b ?c { ?s :p ?o BIND(BNODE() AS ?a) BIND(BNODE("x") AS ?b) BIND(BNODE("x") AS ?c) }`,
      );
      const rows = made.map((row) => row.split(' '));
      const labels = new Set(rows.flat());
      assert.equal(labels.size, 4, 'two nodes a row, different in each row');
      for (const [, b, c] of rows) assert.equal(b, c, 'the same label in one row is the same node');
      for (const label of ['_:x', '_:y', '_:bc_0_x']) assert.ok(!labels.has(label), `${label} is of the source`);
    },
  },
  {
    name: 'NOW() is the given instant, the same for all rows',
    async run(probe) {
      const text = `${PREFIX} SELECT DISTINCT (STR(?now) AS ?n) { ?s :p ?o BIND(NOW() AS ?now) }`;
      const rows = await probe.rows(data(), text);
      assert.equal(rows.length, 1);
      assert.equal(new Date(rows[0].slice(1, -1)).getTime(), NOW.getTime());
    },
  },
  {
    name: 'relative IRIs resolve against the base',
    async run(probe) {
      const options = { baseIri: 'http://example.org/x/y?q#f' };
      const rows = await probe.rows(
        naiveDataset([[]]),
        'SELECT ?a { VALUES ?a { <../b> <c> <#d> <?e> </f> <> <//h/i> <urn:x> } }',
        options,
      );
      const expected = ['b', 'x/c', 'x/y?q#d', 'x/y?e', 'f', 'x/y?q', '<http://h/i>', '<urn:x>'];
      assert.deepEqual(rows.sort(), expected.sort());
      await probe.expectRows(naiveDataset([[]]), 'BASE <z/> SELECT (IRI("w") AS ?a) {}', ['x/z/w'], options);
    },
  },
];
