import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { AllowedDocuments } from '../../src/search/allowed-documents.ts';
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
      worldOf.set(table.add(world, 1 + change, 1 + random.below(3), change), world);
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

describe('the documents that a search may return', () => {
  it('are the same by test and by list, whatever came and went', async () => {
    const random = new SeededRandom(3);
    for (let round = 0; round < 20; round++) {
      const { table, worldOf } = busyTable(random, 4, 30 + random.below(600));
      const some = (end: number) => new Set(Array.from({ length: random.below(20) }, () => random.below(end)));
      for (let trial = 0; trial < 20; trial++) {
        const filter = {
          worlds: random.chance(0.5) ? Uint32Array.of(1 + random.below(5), 1 + random.below(5)) : null,
          subjects: random.chance(0.3) ? new Set([...some(600), ...some(60)]) : null,
          predicates: random.chance(0.5) ? some(4) : null,
          objects: random.chance(0.2) ? new Set([...Array(400).keys()]) : null,
          subjectsByWorld: random.chance(0.3) ? (world: number, subject: number) => subject % 3 === world % 3 : null,
        };
        const expected = [...worldOf]
          .filter(([doc, world]) => {
            const [s, p, o] = [table.subject[doc], table.predicate[doc], table.object[doc]];
            return (
              (filter.worlds?.includes(world) ?? true) &&
              (filter.subjects?.has(s) ?? true) &&
              (filter.predicates?.has(p) ?? true) &&
              (filter.objects?.has(o) ?? true) &&
              (filter.subjectsByWorld?.(world, s) ?? true)
            );
          })
          .map(([doc]) => doc)
          .sort((a, b) => a - b);
        const allowed = await AllowedDocuments.open(table, filter, new Slicer());
        const tested = Array.from({ length: table.end }, (_, doc) => doc).filter(
          (doc) => table.has(doc) && allowed.has(doc),
        );
        expect(tested).toEqual(expected);
        const listed = await allowed.list(new Slicer());
        if (listed) expect([...docSetIds(listed)]).toEqual(expected);
        else expect(expected).toHaveLength(table.size);
        if (allowed.isNothing) expect(expected).toEqual([]);
        if (allowed.isEverything) expect(expected).toHaveLength(table.size);
        expect(allowed.most).toBeGreaterThanOrEqual(expected.length);
      }
    }
  });
});
