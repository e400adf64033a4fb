import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../src/contracts/slicer.ts';
import {
  CHANGE_KINDS,
  type CommitRecord,
  decodeCommitRecord,
  encodeCommitRecord,
  rowsOfRun,
} from '../../../src/engine/durable/commit-record.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { viewOf } from '../../../src/quads/byte-arena.ts';
import { packTerms, unpackTerms } from '../../../src/quads/packed-terms.ts';
import { buildRun, completeRun } from '../../../src/quads/run.ts';
import { TermTable } from '../../../src/quads/term-table.ts';

const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const uint32s = fc.array(uint32, { maxLength: 8 }).map((values) => Uint32Array.from(values));
const id = fc.integer({ min: 1, max: 40 });
const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), id, id, id), { maxLength: 60 }).map((quads) => {
  const column = (i: number) => Uint32Array.from(quads, (quad) => quad[i]);
  return runAtOnce(
    buildRun({
      length: quads.length,
      context: column(0),
      subject: column(1),
      predicate: column(2),
      object: column(3),
    }),
  );
});

const graphOf = (context: number) => context + 100;

const texts = fc.array(fc.tuple(uint32, fc.string({ unit: 'binary', maxLength: 300 })), { maxLength: 40 });

/** A table of some terms; the same text may come with several metas, never a pair twice. */
function tableOf(terms: readonly (readonly [number, string])[]): TermTable {
  const table = new TermTable({ low: 1, high: 2 });
  for (const [meta, text] of terms) {
    const bytes = viewOf(Buffer.from(text));
    const hash = table.hash(bytes, 0, bytes.byteLength);
    if (!table.find(meta, bytes, 0, bytes.byteLength, hash)) table.add(meta, bytes, 0, bytes.byteLength, hash);
  }
  return table;
}

const commits = fc
  .record({
    revision: fc.nat(),
    timeMs: fc.nat(),
    nextWorld: uint32,
    nextContext: uint32,
    world: uint32,
    kind: fc.constantFrom(...CHANGE_KINDS),
    record: fc.record(
      {
        slug: fc.string({ minLength: 1 }),
        label: fc.string({ unit: 'binary' }),
        description: fc.option(fc.string()),
        createdAt: fc.nat(),
        updatedAt: fc.nat(),
      },
      { requiredKeys: ['slug', 'createdAt', 'updatedAt'], noNullPrototype: true },
    ),
    defaultContext: uint32,
    createdGraphs: uint32s,
    droppedGraphs: uint32s,
    inserted: rows.map((run) => rowsOfRun(run, graphOf)),
    deleted: rows.map((run) => rowsOfRun(run, graphOf)),
    firstTerm: fc.integer({ min: 1, max: 5 }),
    table: texts.map(tableOf),
  })
  .map(
    ({ table, ...rest }): CommitRecord => ({
      ...rest,
      createdContexts: rest.createdGraphs.map((graph) => graph ^ 1),
      terms: packTerms(table, rest.firstTerm, table.size),
    }),
  );

const encode = (commit: CommitRecord) => Buffer.concat(runAtOnce(encodeCommitRecord(commit)));
const decode = (data: Uint8Array) => runAtOnce(decodeCommitRecord(data, 'a test'));
const codeOf = (data: Uint8Array) => {
  try {
    decode(data);
    return 'nothing thrown';
  } catch (error) {
    return error instanceof WorldsError ? error.code : error;
  }
};
const plain = ({ terms, ...rest }: CommitRecord) => ({
  ...rest,
  metas: terms.metas,
  texts: Buffer.concat(terms.texts).toString('hex'),
});

describe('a commit record', () => {
  it('is read as it was written, wherever its bytes lie', () => {
    fc.assert(
      fc.property(commits, fc.nat(9), (commit, shift) => {
        const bytes = encode(commit);
        const moved = Buffer.alloc(bytes.length + shift);
        bytes.copy(moved, shift);
        expect(plain(decode(moved.subarray(shift)))).toEqual(plain(commit));
      }),
      { numRuns: 300 },
    );
  });

  it('is CORRUPT when any byte is another, or any are missing', () => {
    fc.assert(
      fc.property(commits, fc.nat(), fc.integer({ min: 1, max: 255 }), (commit, at, flip) => {
        const bytes = encode(commit);
        const position = at % bytes.length;
        bytes[position] ^= flip;
        expect(codeOf(bytes)).toBe('CORRUPT');
        bytes[position] ^= flip;
        expect(codeOf(bytes)).toBe('nothing thrown');
        expect(codeOf(bytes.subarray(0, position))).toBe('CORRUPT');
      }),
      { numRuns: 300 },
    );
  });

  it('of a newer version is refused as such, and not as damage', () => {
    const [commit] = fc.sample(commits, { numRuns: 1, seed: 1 });
    const bytes = encode(commit);
    bytes.writeUInt32LE(3, 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
    expect(codeOf(bytes)).toBe('UNSUPPORTED');
    expect(() => decode(bytes)).toThrow(/format version 3; this library reads up to 2/);
  });
});

describe('packed terms', () => {
  it('make the same table again, across chunks of the arena and texts larger than one', () => {
    const long = 'x'.repeat(1_500_001);
    const terms: [number, string][] = [];
    for (let i = 0; i < 30_000; i++) terms.push([2, `http://example.org/${i}/${'y'.repeat(i % 150)}`]);
    terms.splice(12_000, 0, [4, long], [4, ''], [36, long]);
    const table = tableOf(terms);
    for (const cut of [0, 1, 11_999, 12_000, 12_001, 12_002, 12_003, table.size]) {
      const copy = tableOf([]);
      for (const [first, last] of [
        [1, cut],
        [cut + 1, table.size],
      ]) {
        const { metas, texts } = packTerms(table, first, last);
        runAtOnce(unpackTerms(copy, metas, Buffer.concat(texts)));
      }
      expect(copy.size).toBe(table.size);
      for (let number = 1; number <= table.size; number += number > 11_990 && number < 12_010 ? 1 : 997) {
        const start = table.startOf(number);
        const end = start + table.lengthOf(number);
        const view = table.viewOf(number);
        const meta = table.metaOf(number);
        expect(copy.find(meta, view, start, end, copy.hash(view, start, end))).toBe(number);
      }
    }
  });
});

describe('the rows of a run', () => {
  it('make the same run again', () => {
    fc.assert(
      fc.property(rows, (run) => {
        const { contexts, starts, subject, predicate, object } = rowsOfRun(run, graphOf);
        const again = runAtOnce(completeRun(contexts, starts, [subject, predicate, object]));
        expect(again.columns).toEqual(run.columns);
        expect([again.contexts, again.starts]).toEqual([run.contexts, run.starts]);
      }),
    );
  });
});
