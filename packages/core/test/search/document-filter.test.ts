import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { docSetIds } from '../../src/search/doc-set.ts';
import { filterDocuments } from '../../src/search/document-filter.ts';
import { DocumentTable } from '../../src/search/document-table.ts';

/** A table of worlds whose documents came and went, with what is in it. */
function busyTable(random: SeededRandom, worlds: number, changes: number) {
  const table = new DocumentTable();
  const worldOf = new Map<number, number>();
  for (let change = 0; change < changes; change++) {
    const docs = [...worldOf.keys()];
    const roll = random.below(10);
    if (docs.length > 0 && roll < 3) {
      const doc = random.pick(docs);
      if (roll === 0 && random.below(4) === 0) table.retire(doc);
      else table.remove(doc);
      worldOf.delete(doc);
    } else {
      const world = 1 + random.below(worlds);
      worldOf.set(table.add(world, change, 1 + random.below(3), change), world);
    }
  }
  return { table, worldOf };
}

describe('the documents of some worlds', () => {
  it.each([2, 5, 40])('are exactly theirs, whatever came and went: %i worlds', async (worlds) => {
    const random = new SeededRandom(worlds);
    for (let round = 0; round < 12; round++) {
      const { table, worldOf } = busyTable(random, worlds, 30 + random.below(600));
      for (let trial = 0; trial < 8; trial++) {
        const wanted = Uint32Array.from({ length: 1 + random.below(worlds) }, () => 1 + random.below(worlds + 1));
        const expected = [...worldOf].filter(([, world]) => wanted.includes(world)).map(([doc]) => doc);
        const found = await filterDocuments(table, { worlds: wanted }, new Slicer());
        if (!found) {
          expect(expected).toHaveLength(table.size);
          continue;
        }
        expect(found.size).toBe(expected.length);
        expect([...docSetIds(found)]).toEqual(expected.sort((a, b) => a - b));
        const narrow = await filterDocuments(table, { worlds: wanted, predicates: new Set([2]) }, new Slicer());
        expect([...docSetIds(narrow!)]).toEqual(expected.filter((doc) => table.predicate[doc] === 2));
      }
    }
  });

  it('take two numbers a run', async () => {
    const table = new DocumentTable();
    for (let doc = 0; doc < 900; doc++) table.add(1 + Math.floor(doc / 300), 1, 1, doc + 1);
    const set = await filterDocuments(table, { worlds: Uint32Array.of(2, 2) }, new Slicer());
    expect(set).toMatchObject({ kind: 'ranges', size: 300 });
    expect(set?.kind === 'ranges' && set.ranges).toHaveLength(2);
  });
});
