import assert from 'node:assert/strict';
import { naiveDataset } from '../naive-dataset.ts';
import { NaiveUpdateView } from '../naive-update-view.ts';
import type { EngineCase } from './engine-probe.ts';
import { PREFIX, shortQuads } from './short-quads.ts';

const wide = () => shortQuads(...Array.from({ length: 1000 }, (_, index) => `s${index} p ${index}`));

/** A pattern with 10^12 solutions: evaluating it to the end is infeasible. */
const CROSS = '{ ?a :p ?b . ?c :p ?d . ?e :p ?f . ?g :p ?h }';

/**
 * Maximum time that work may continue after its signal, in milliseconds. Generous because test
 * machines are busy; it only needs to detect work that never ends.
 */
const PATIENCE_MS = 10_000;

/** Queries that would not terminate, covering every place where an engine could be busy. */
const ENDLESS: readonly (readonly [name: string, text: string])[] = [
  ['a cross product', `SELECT * ${CROSS}`],
  ['a filter that nothing passes', `SELECT * ${CROSS.replace('}', ' FILTER(?b + ?d + ?f + ?h < 0) }')}`],
  ['a count', `SELECT (COUNT(*) AS ?n) ${CROSS}`],
  ['groups', `SELECT ?a (COUNT(*) AS ?n) ${CROSS} GROUP BY ?a`],
  ['DISTINCT', `SELECT DISTINCT ?a ${CROSS}`],
  ['a sort', `SELECT * ${CROSS} ORDER BY ?b ?d ?f ?h`],
  ['EXISTS', `SELECT * { ?x :p ?y FILTER NOT EXISTS { ${CROSS} FILTER(?b + ?d + ?f + ?h < 0) } }`],
  [
    'OPTIONAL',
    `SELECT (COUNT(*) AS ?n) { ?a :p ?b OPTIONAL { ?c :p ?d } OPTIONAL { ?e :p ?f } OPTIONAL { ?g :p ?h } }`,
  ],
  ['UNION', `SELECT (COUNT(*) AS ?n) { ${CROSS} UNION ${CROSS} }`],
  ['ASK', `ASK { ${CROSS} FILTER(?b + ?d + ?f + ?h < 0) }`],
  ['CONSTRUCT', `CONSTRUCT { ?a :x :y } ${CROSS}`],
];

async function drain(batches: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of batches);
}

/** Cases for cancellation, limits and work left behind. */
export const limitCases: readonly EngineCase[] = [
  ...ENDLESS.map(
    ([name, text]): EngineCase => ({
      name: `abort stops ${name}`,
      async run(probe) {
        const source = naiveDataset([wide()]);
        const controller = new AbortController();
        let aborted = Number.POSITIVE_INFINITY;
        setTimeout(() => {
          aborted = performance.now();
          controller.abort();
        }, 100);
        await probe.expectError(async () => {
          const result = await probe.evaluate(source, PREFIX + text, { signal: controller.signal });
          if (result.type !== 'boolean') await drain(result.batches);
        }, 'ABORTED');
        const lateMs = performance.now() - aborted;
        assert.ok(lateMs < PATIENCE_MS, `it ended ${Math.round(lateMs)} ms after the abort`);
        await expectIdle();
      },
    }),
  ),
  {
    name: 'abort stops an update, which then changes nothing',
    async run(probe) {
      const view = new NaiveUpdateView([wide()]);
      const signal = AbortSignal.timeout(100);
      const started = performance.now();
      await probe.expectError(
        () => probe.update(view, `${PREFIX} INSERT { ?a :x ?h } WHERE ${CROSS}`, { signal }),
        'TIMEOUT',
      );
      assert.ok(performance.now() - started < 100 + PATIENCE_MS);
      assert.equal(view.applied.length, 0);
    },
  },
  {
    name: 'a signal that is already aborted stops a query immediately',
    async run(probe) {
      const signal = AbortSignal.abort();
      await probe.expectError(async () => {
        const result = await probe.evaluate(naiveDataset([wide()]), 'SELECT * { ?s ?p ?o }', { signal });
        if (result.type === 'bindings') await drain(result.batches);
      }, 'ABORTED');
    },
  },
  {
    name: 'the event loop keeps turning while a query runs',
    async run(probe) {
      const controller = new AbortController();
      let turns = 0;
      const timer = setInterval(() => {
        if (++turns === 10) controller.abort();
      }, 5);
      try {
        await probe.expectError(async () => {
          const result = await probe.evaluate(naiveDataset([wide()]), `${PREFIX} SELECT (COUNT(*) AS ?n) ${CROSS}`, {
            signal: controller.signal,
          });
          if (result.type === 'bindings') await drain(result.batches);
        }, 'ABORTED');
      } finally {
        clearInterval(timer);
      }
    },
  },
  {
    name: 'a reader that stops early stops the work',
    async run(probe) {
      const result = await probe.evaluate(naiveDataset([wide()]), `${PREFIX} SELECT * ${CROSS}`);
      if (result.type !== 'bindings') assert.fail('no bindings');
      let rows = 0;
      for await (const batch of result.batches) {
        rows += batch.length;
        break;
      }
      assert.ok(rows > 0);
      await expectIdle();
    },
  },
  {
    name: 'LIMIT ends an otherwise endless query',
    async run(probe) {
      const rows = await probe.rows(naiveDataset([wide()]), `${PREFIX} SELECT ?a ${CROSS} LIMIT 10`);
      assert.equal(rows.length, 10);
      await expectIdle();
    },
  },
  {
    name: 'maxRows: that many rows succeed, one more throws LIMIT_EXCEEDED',
    async run(probe) {
      const source = naiveDataset([wide()]);
      const text = `${PREFIX} SELECT ?s { ?s :p ?o }`;
      assert.equal((await probe.rows(source, text, { maxRows: 1000 })).length, 1000);
      await probe.expectError(() => probe.rows(source, text, { maxRows: 999 }), 'LIMIT_EXCEEDED');
      await probe.expectError(
        () => probe.rows(source, `${PREFIX} SELECT * ${CROSS}`, { maxRows: 5 }),
        'LIMIT_EXCEEDED',
      );
      await probe.expectError(
        () => probe.quads(source, 'CONSTRUCT WHERE { ?s ?p ?o }', { maxRows: 999 }),
        'LIMIT_EXCEEDED',
      );
      assert.equal(await probe.ask(source, 'ASK { ?s ?p ?o }', { maxRows: 0 }), true);
    },
  },
];

/**
 * Checks that no work continues in this thread: of 20 windows of 100 ms, one must be less than 70 %
 * busy. Work left behind would keep them all busy.
 */
async function expectIdle(): Promise<void> {
  let busiest = 0;
  for (let window = 0; window < 20; window++) {
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization < 0.7) return;
    busiest = Math.max(busiest, utilization);
  }
  assert.fail(`the thread is still busy: ${Math.round(busiest * 100)} %`);
}
