import { describe, expect, it, vi } from 'vitest';
import { turns } from '../../src/contracts/turns.ts';
import { WorldsEngine } from '../../src/engine/worlds-engine.ts';
import type { WorldsErrorCode } from '../../src/model/worlds-error.ts';

/** A text of 2^20 characters for each value of `?n`. */
const LONG = `BIND(SUBSTR(CONCAT(STR(?n), "................"), 1, 16) AS ?t0) ${Array.from(
  { length: 16 },
  (_, i) => `BIND(CONCAT(?t${i}, ?t${i}) AS ?t${i + 1})`,
).join(' ')} BIND(?t16 AS ?t)`;
const CALLS = 60;
const list = (item: (i: number) => string, separator = ',') =>
  Array.from({ length: CALLS }, (_, i) => item(i)).join(separator);
/** The calls of one expression, each of which takes milliseconds. */
const HASHES = `CONCAT(${list((i) => `SHA512(CONCAT(?t, "${i}"))`)})`;
const TESTS = list((i) => `SHA512(CONCAT(?t, "${i}")) = "x"`, '||');

/** Runs a query with a clock that a look at moves by a whole slice. */
async function run(query: string): Promise<{ readonly rows: unknown; readonly pauses: number }> {
  const engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: '<urn:s> <urn:p> 0 .', contentType: 'text/turtle' });
  const wait = vi.spyOn(turns, 'wait');
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  try {
    const rows = await (await engine.select({ sources: ['w'], query })).objects();
    return { rows, pauses: wait.mock.calls.length };
  } finally {
    clock.mockRestore();
    wait.mockRestore();
    await engine.close();
  }
}

async function codeOf(query: string): Promise<WorldsErrorCode | undefined> {
  return run(query).then(
    () => undefined,
    (error) => error.code,
  );
}

describe('one expression with many calls on a long text pauses between them', () => {
  it.each([
    ['BIND', `SELECT (STRLEN(?h) AS ?l) { VALUES ?n { 0 } ${LONG} BIND(${HASHES} AS ?h) }`, { l: CALLS * 128 }],
    ['FILTER', `SELECT ?n { VALUES ?n { 0 } ${LONG} FILTER(${TESTS} || ?n = 0) }`, { n: 0 }],
    ['ORDER BY', `SELECT ?n { VALUES ?n { 0 } ${LONG} } ORDER BY (${HASHES})`, { n: 0 }],
    ['an aggregate', `SELECT (STRLEN(MAX(${HASHES})) AS ?l) { VALUES ?n { 0 } ${LONG} }`, { l: CALLS * 128 }],
    [
      'OPTIONAL',
      `SELECT ?n ?s { VALUES ?n { 0 } ${LONG} OPTIONAL { ?s <urn:p> ?n FILTER(${TESTS} || ?n = 0) } }`,
      { n: 0, s: 'urn:s' },
    ],
    [
      'a join on a condition',
      `SELECT ?n ?s { VALUES ?n { 0 } ${LONG} OPTIONAL { ?s <urn:p> ?o FILTER(${TESTS} || ?n = ?o) } }`,
      { n: 0, s: 'urn:s' },
    ],
  ])('%s', async (_, query, row) => {
    const { rows, pauses } = await run(query);
    expect(rows).toEqual([row]);
    expect(pauses).toBeGreaterThan(CALLS);
  });

  it('computes each row again', async () => {
    const { rows } = await run(`SELECT ?n (${HASHES} = ?other AS ?same) {
      VALUES ?n { 0 1 2 } ${LONG}
      BIND(CONCAT(${list((i) => `SHA512(CONCAT(STR(?n), SUBSTR(?t, 2), "${i}"))`)}) AS ?other)
    } ORDER BY ?n`);
    expect(rows).toEqual([0, 1, 2].map((n) => ({ n, same: true })));
  });

  it('is refused if its calls differ each time', async () => {
    const random = `CONCAT(${list(() => 'SHA512(CONCAT(?t, STR(RAND())))')})`;
    expect(await codeOf(`SELECT (${random} AS ?h) { VALUES ?n { 0 } ${LONG} }`)).toBe('LIMIT_EXCEEDED');
  });

  it('takes short constants as they are when it is compiled', async () => {
    const constants = list((i) => `SHA512("${'x'.repeat(4_000)}${i}")`);
    const { rows } = await run(`SELECT (STRLEN(CONCAT(${constants})) AS ?l) {}`);
    expect(rows).toEqual([{ l: CALLS * 128 }]);
  });

  it('evaluates only some calls of short constants when it is compiled, if these grow', async () => {
    const constants = list((i) => `SHA512(REPLACE("${'x'.repeat(200)}", "x", "${i}${'y'.repeat(300)}"))`);
    const { rows, pauses } = await run(`SELECT (STRLEN(CONCAT(${constants})) AS ?l) {}`);
    expect(rows).toEqual([{ l: CALLS * 128 }]);
    expect(pauses).toBeGreaterThan(CALLS / 2);
  });

  it('does not begin before its rows if the text is a constant', async () => {
    const text = 'x'.repeat(20_000);
    const constants = list((i) => `SHA512(REPLACE("${text}", "x", "${i}y"))`);
    const { rows, pauses } = await run(`SELECT (STRLEN(CONCAT(${constants})) AS ?l) {}`);
    expect(rows).toEqual([{ l: CALLS * 128 }]);
    expect(pauses).toBeGreaterThan(CALLS);
  });
});
