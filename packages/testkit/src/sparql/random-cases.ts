import assert from 'node:assert/strict';
import { DEFAULT_GRAPH, NO_TERM } from '@rdf-worlds/core/plugin';
import { naiveDataset } from '../naive-dataset.ts';
import { randomQuads } from '../random-quads.ts';
import { termKey } from '../term-key.ts';
import type { EngineCase } from './engine-probe.ts';

const SEEDS = [1, 2, 3, 4, 5];

/** Cases that compare random and hostile data with the model. */
export const randomCases: readonly EngineCase[] = SEEDS.flatMap((seed): EngineCase[] => [
  {
    name: `random data, seed ${seed}: every quad is returned unchanged`,
    async run(probe) {
      const source = naiveDataset([randomQuads(seed), randomQuads(seed + 100)]);
      const text = 'SELECT ?s ?p ?o ?g { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
      const result = await probe.evaluate(source, text);
      if (result.type !== 'bindings') assert.fail('no bindings');
      const lines: string[] = [];
      for await (const batch of result.batches) {
        for (const row of batch) {
          lines.push(['s', 'p', 'o', 'g'].map((name) => (row.get(name) ? termKey(row.get(name)!) : '')).join(' '));
        }
      }
      const expected = [...source].map((quad) =>
        [quad.subject, quad.predicate, quad.object, quad.graph].map((term) => termKey(term)).join(' '),
      );
      assert.deepEqual(lines.sort(), expected.sort());
    },
  },
  {
    name: `random data, seed ${seed}: counts of patterns and joins`,
    async run(probe) {
      const source = naiveDataset([randomQuads(seed, { length: 300, nodes: 12 })]);
      const rows = source.match(NO_TERM, NO_TERM, NO_TERM, DEFAULT_GRAPH);
      const count = async (pattern: string) =>
        Number((await probe.rows(source, `SELECT (COUNT(*) AS ?n) ${pattern}`))[0]);
      assert.equal(await count('{ ?s ?p ?o }'), rows.length);
      let paths = 0;
      let pairs = 0;
      let loops = 0;
      for (const [subject, predicate, object] of rows) {
        if (subject === object) loops++;
        for (const other of rows) {
          if (other[0] === object) paths++;
          if (other[1] === predicate && other[2] === object) pairs++;
        }
      }
      assert.equal(await count('{ ?a ?p ?b . ?b ?q ?c }'), paths);
      assert.equal(await count('{ ?a ?p ?b . ?c ?p ?b }'), pairs);
      assert.equal(await count('{ ?a ?p ?a }'), loops);
      for (const [, predicate] of rows.slice(0, 5)) {
        const iri = source.terms.term(predicate).value;
        assert.equal(await count(`{ ?s <${iri}> ?o }`), source.count(NO_TERM, predicate, NO_TERM, DEFAULT_GRAPH));
      }
    },
  },
]);
