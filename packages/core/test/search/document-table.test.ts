import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_DOC } from '../../src/search/document-chains.ts';
import { DocumentTable } from '../../src/search/document-table.ts';

type Ids = readonly [world: number, subject: number, predicate: number, object: number];

const small = fc.integer({ min: 1, max: 4 });
const ids: fc.Arbitrary<Ids> = fc.tuple(small, small, small, small);

const at = (table: DocumentTable, doc: number): Ids => [
  table.worldOf(doc),
  table.subject[doc],
  table.predicate[doc],
  table.object[doc],
];

function documentsOf(table: DocumentTable, world: number): number[] {
  const docs: number[] = [];
  for (let doc = table.firstOf(world); doc !== NO_DOC; doc = table.nextOf(doc)) docs.push(doc);
  return docs.sort((a, b) => a - b);
}

function chain(chains: NonNullable<DocumentTable['objects']>, key: number): number[] {
  const docs: number[] = [];
  for (let doc = chains.first(key); doc !== NO_DOC; doc = chains.next(doc)) docs.push(doc);
  return docs;
}

describe('DocumentTable', () => {
  it('behaves as a Map keyed by the four ids', () => {
    const step = fc.record({ ids, kind: fc.constantFrom('add', 'add', 'remove', 'retire') });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const table = new DocumentTable({ byLiteral: true });
        const model = new Map<string, { doc: number; ids: Ids }>();
        const retired = new Set<number>();
        for (const { ids, kind } of steps) {
          const key = ids.join();
          const held = model.get(key);
          expect(table.find(...ids)).toBe(held?.doc ?? -1);
          if (kind === 'add' && !held) {
            const doc = table.add(...ids);
            expect([...model.values()].some((other) => other.doc === doc)).toBe(false);
            expect(retired.has(doc)).toBe(false);
            model.delete(key);
            model.set(key, { doc, ids });
          }
          if (kind === 'remove' && held) {
            table.remove(held.doc);
            model.delete(key);
          }
          if (kind === 'retire' && held) {
            table.retire(held.doc);
            model.delete(key);
            retired.add(held.doc);
          }
        }
        expect(table.size).toBe(model.size);
        for (const { doc, ids } of model.values()) {
          expect(table.has(doc)).toBe(true);
          expect(at(table, doc)).toEqual(ids);
        }
        for (let doc = 0; doc < table.end; doc++)
          expect(table.has(doc)).toBe([...model.values()].some((held) => held.doc === doc));
        for (let key = 1; key <= 4; key++) {
          // In the order of adding, which is the order of a Map.
          const ofWorld = [...model.values()].filter((held) => held.ids[0] === key).map(({ doc }) => doc);
          const ofObject = [...model.values()].filter((held) => held.ids[3] === key).map(({ doc }) => doc);
          expect(documentsOf(table, key)).toEqual(ofWorld.sort((a, b) => a - b));
          expect(chain(table.objects!, key)).toEqual(ofObject);
          expect(table.worldSize(key)).toBe(ofWorld.length);
          expect(table.objects!.has(key)).toBe(ofObject.length > 0);
        }
      }),
    );
  });

  it('finds each of many documents, and releases its memory when they are removed', () => {
    const table = new DocumentTable();
    const count = 20_000;
    for (let row = 0; row < count; row++) table.add(row % 7, 1 + row, 1 + (row % 11), 1 + (row % 501));
    expect(table.size).toBe(count);
    for (let row = 0; row < count; row++)
      expect(at(table, table.find(row % 7, 1 + row, 1 + (row % 11), 1 + (row % 501)))[1]).toBe(1 + row);
    expect(table.find(0, 2, 1, 1)).toBe(-1);
    for (let row = 0; row < count; row++) table.remove(table.find(row % 7, 1 + row, 1 + (row % 11), 1 + (row % 501)));
    expect(table.size).toBe(0);
    expect(table.subject.length).toBeLessThan(100);
    expect(table.add(1, 2, 3, 4)).toBe(0);
  });

  it('has at most 28 bytes a document', () => {
    for (const count of [20_000, 70_000, 200_000, 400_000]) {
      const table = new DocumentTable();
      for (let row = 0; row < count; row++) table.add(row % 3, 1 + row, 1, 1 + row);
      // Small columns double; from 65,536 rows on they grow by a quarter.
      expect(table.memoryBytes / count).toBeLessThanOrEqual(count < 65_536 ? 36 : 28);
    }
  });

  it('reuses the numbers of removed documents for new ones, in any world', () => {
    const table = new DocumentTable();
    for (let row = 0; row < 4096; row++) table.add(row % 4, 1 + row, 1, 1);
    const end = table.end;
    for (let turn = 1; turn <= 20; turn++) {
      for (let row = 0; row < 4096; row++) table.remove(table.find((row + turn - 1) % 4, 1 + row, 1, 1));
      if (turn % 5 === 0) table.add(9, 1, 1, 1);
      for (let row = 0; row < 4096; row++) table.add((row + turn) % 4, 1 + row, 1, 1);
      if (turn % 5 === 0) table.remove(table.find(9, 1, 1, 1));
    }
    expect(table.end).toBeLessThanOrEqual(end + 16);
    // Some of every block: what comes again takes the gaps.
    for (let row = 0; row < 4096; row += 3) table.remove(table.find((row + 20) % 4, 1 + row, 1, 1));
    for (let row = 0; row < 4096; row += 3) table.add((row + 20) % 4, 1 + row, 1, 1);
    expect(table.end).toBeLessThanOrEqual(end + 16);
  });

  it('keeps ids with the highest bit apart from others', () => {
    const table = new DocumentTable();
    const one = table.add(0xffff_fffe, 0x8000_0001, 1, 0xffff_ffff);
    const other = table.add(0xffff_fffe, 1, 1, 0xffff_ffff);
    expect(table.find(0xffff_fffe, 0x8000_0001, 1, 0xffff_ffff)).toBe(one);
    expect(table.compare(one, other)).toBeGreaterThan(0);
  });

  it('compares by literal, world, subject, predicate', () => {
    const table = new DocumentTable();
    const ordered: Ids[] = [
      [9, 9, 9, 1],
      [1, 9, 9, 2],
      [2, 1, 9, 2],
      [2, 2, 1, 2],
      [2, 2, 2, 2],
    ];
    const docs = [4, 2, 0, 3, 1].map((place) => ({ place, doc: table.add(...ordered[place]) }));
    docs.sort((a, b) => table.compare(a.doc, b.doc));
    expect(docs.map(({ place }) => place)).toEqual([0, 1, 2, 3, 4]);
  });
});
