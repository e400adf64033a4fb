import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRows } from '../src/json-rows.ts';

/** Reads a text in pieces that end at the given places. */
function readInPieces(text: string, ends: readonly number[]) {
  const rows = new JsonRows();
  const found: unknown[] = [];
  let start = 0;
  for (const end of [...new Set(ends.map((end) => end % (text.length + 1)))].sort((a, b) => a - b)) {
    found.push(...rows.push(text.slice(start, end)));
    start = end;
  }
  found.push(...rows.push(text.slice(start)));
  return { found, begin: rows.begin, document: rows.end() };
}

const value = fc.record({
  type: fc.constantFrom('literal', 'uri'),
  value: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\\', '\\"', ']}', '{"', '"', '[', ',')),
});
const triple = fc.record({ type: fc.constant('triple'), value: fc.record({ subject: value, object: value }) });
const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'results', 'bindings', '__proto__', '"results":{"bindings":['));
const row = names.chain((keys) =>
  fc
    .array(fc.oneof(value, triple), { minLength: keys.length, maxLength: keys.length })
    .map((values) => Object.fromEntries(keys.map((key, i) => [key, values[i]]))),
);
const indent = fc.constantFrom(undefined, 1, '\t');
const ends = fc.array(fc.nat());

describe('rows of SPARQL results', () => {
  it('are those of the document, wherever it is split', () => {
    fc.assert(
      fc.property(
        fc.array(row),
        names,
        fc.constantFrom('bindings', 'quads'),
        indent,
        ends,
        (rows, vars, kind, space, at) => {
          const document = { head: { vars }, results: { distinct: false, [kind]: rows } };
          const read = readInPieces(JSON.stringify(document, undefined, space), at);
          expect(read.found).toEqual(JSON.parse(JSON.stringify(rows)));
          const without = { head: { vars }, results: { distinct: false, [kind]: [] } };
          expect(read.begin).toEqual({ kind, document: without });
          expect(read.document).toEqual(without);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('keep the members after them', () => {
    const text = '{"head":{"vars":[]},"results":{"bindings":[{}, {} ] ,"more":[1]},"last":"]"}';
    for (let at = 0; at <= text.length; at++) {
      const { found, document } = readInPieces(text, [at]);
      expect(found).toEqual([{}, {}]);
      expect(document).toEqual({ head: { vars: [] }, results: { bindings: [], more: [1] }, last: ']' });
    }
  });

  it('are absent from the answer of an ASK', () => {
    const { found, begin, document } = readInPieces('{"head":{"vars":[]},"boolean":true}', [3, 20]);
    expect([found, begin, document]).toEqual([[], undefined, { head: { vars: [] }, boolean: true }]);
  });

  it('are not complete if any part of the document is missing', () => {
    const text = JSON.stringify({ head: { vars: ['a'] }, results: { bindings: [{ a: {} }, { a: { x: ']}"' } }] } });
    for (let end = 0; end < text.length; end++) {
      const rows = new JsonRows();
      expect(
        () => {
          rows.push(text.slice(0, end));
          rows.end();
        },
        text.slice(0, end),
      ).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }));
    }
  });

  it('are passed on when they are complete, so that few are held', () => {
    const rows = new JsonRows();
    rows.push('{"head":{"vars":["n"]},"results":{"bindings":[');
    for (let n = 0; n < 1000; n++) expect(rows.push(`${n > 0 ? ',' : ''}{"n":${n}}`)).toEqual([{ n }]);
  });
});
