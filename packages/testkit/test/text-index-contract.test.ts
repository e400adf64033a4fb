import type { TextHit, TextIndex, TextIndexFactory } from '@rdf-worlds/core';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { describe, expect, it } from 'vitest';
import { textIndexContract } from '../src/text-index-contract.ts';

describe('textIndexContract accepts minisearchIndex', () => {
  for (const { name, run } of textIndexContract(minisearchIndex())) it(name, run);
});

/** Each row breaks one promise of a good index; the contract must notice. */
const DEFECTS: readonly (readonly [defect: string, caughtBy: RegExp, breakIt: (index: TextIndex) => TextIndex])[] = [
  [
    'cuts before it filters',
    /a filter applies before the limit/,
    (index) =>
      altered(index, {
        async search(query, options) {
          const hits = await index.search(query, { limit: options.limit });
          const allowed = options.filter && (await index.search(query, { ...options, limit: 1e6 }));
          return allowed ? hits.filter(({ doc }) => allowed.some((hit) => hit.doc === doc)) : hits;
        },
      }),
  ],
  ['ignores the filter', /a filter of any form/, (index) => searching(index, (hits) => hits, { dropFilter: true })],
  ['ignores the limit', /the limit cuts/, (index) => searching(index, (hits) => hits, { dropLimit: true })],
  ['ties descend', /ties ascend by document/, (index) => searching(index, descendingTies)],
  ['never removes', /a removed document is gone/, (index) => altered(index, { remove: () => undefined })],
  ['finds everything for an empty query', /a query without words/, everythingForNothing],
  [
    'does not fold case',
    /folds case$/,
    (index) => searchingFor(index, (query) => (/\p{Lu}/u.test(query) ? '' : query)),
  ],
];

it('textIndexContract accepts an index behind the wrapper that the defects are built with', async () => {
  for (const { run } of textIndexContract(async () => altered(await minisearchIndex()(), {}))) await run();
});

describe('textIndexContract notices an index that', () => {
  for (const [defect, caughtBy, breakIt] of DEFECTS) {
    it(defect, async () => {
      const make: TextIndexFactory = async () => breakIt(await minisearchIndex()());
      const failed: string[] = [];
      for (const { name, run } of textIndexContract(make)) {
        if (!caughtBy.test(name)) continue;
        await run().catch((error: Error) => {
          expect(error.name).toBe('AssertionError');
          failed.push(name);
        });
      }
      expect(failed).not.toEqual([]);
    });
  }
});

/** The same index, but for what `changes` replaces. */
function altered(index: TextIndex, changes: Partial<Omit<TextIndex, 'size'>>): TextIndex {
  return {
    get size() {
      return index.size;
    },
    add: (doc, text, language) => index.add(doc, text, language),
    remove: (doc, text, language) => index.remove(doc, text, language),
    search: (query, options) => index.search(query, options),
    ...changes,
  };
}

function searching(
  index: TextIndex,
  change: (hits: TextHit[]) => TextHit[],
  { dropFilter = false, dropLimit = false } = {},
): TextIndex {
  return altered(index, {
    search: async (query, { limit, filter, signal }) =>
      change(
        await index.search(query, {
          limit: dropLimit ? 1e6 : limit,
          ...(filter && !dropFilter && { filter }),
          ...(signal && { signal }),
        }),
      ),
  });
}

function searchingFor(index: TextIndex, change: (query: string) => string): TextIndex {
  return altered(index, { search: (query, options) => index.search(change(query), options) });
}

function descendingTies(hits: TextHit[]): TextHit[] {
  return hits.sort((a, b) => b.score - a.score || b.doc - a.doc);
}

function everythingForNothing(index: TextIndex): TextIndex {
  return searchingFor(index, (query) => (query.trim() === '' ? 'lantern' : query));
}
