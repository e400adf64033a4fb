import { bm25TextIndex } from '@rdf-worlds/core';
import type { TextHit, TextIndex, TextIndexFactory } from '@rdf-worlds/core/plugin';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../test/turn.ts';
import { textIndexContract } from '../src/text-index-contract.ts';

describe('textIndexContract accepts minisearchIndex', () => {
  for (const { name, run } of textIndexContract(minisearchIndex())) it(name, run);
});

describe('textIndexContract accepts bm25TextIndex', () => {
  for (const { name, run } of textIndexContract(bm25TextIndex())) it(name, run);
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
  [
    'ignores `accepts`',
    /applies `accepts`/,
    (index) => altered(index, { search: (query, { accepts: _, ...options }) => index.search(query, options) }),
  ],
  [
    'applies `accepts` after the limit',
    /applies `accepts`/,
    (index) =>
      altered(index, {
        search: async (query, { accepts, ...options }) =>
          (await index.search(query, options)).filter(({ doc }) => accepts?.(doc) ?? true),
      }),
  ],
  ['ignores the limit', /the limit keeps/, (index) => searching(index, (hits) => hits, { dropLimit: true })],
  ['ties descend', /ties are in ascending order/, (index) => searching(index, descendingTies)],
  ['never removes', /a removed document is no longer found/, (index) => altered(index, { remove: () => undefined })],
  ['finds everything for an empty query', /a query without words/, everythingForNothing],
  [
    'does not fold case',
    /folds case$/,
    (index) => searchingFor(index, (query) => (/\p{Lu}/u.test(query) ? '' : query)),
  ],
  [
    'never completes',
    /matches the last word of a query as a prefix/,
    (index) => searchingWith(index, { prefix: false }),
  ],
  [
    'always completes',
    /matches the last word of a query as a prefix/,
    (index) => searchingWith(index, { prefix: true }),
  ],
  ['ranks completions like words', /a whole word ranks above/, (index) => searching(index, (hits) => hits.reverse())],
  [
    'explains other scores',
    /explains its scores/,
    (index) =>
      altered(index, {
        explain: async (query, doc, options) =>
          (await index.explain!(query, doc, options)).map((term) => ({ ...term, score: term.score * 1.01 })),
      }),
  ],
  [
    'explains what it does not find',
    /explains its scores/,
    (index) => altered(index, { explain: (query, _doc, options) => index.explain!(query, 0, options) }),
  ],
  [
    'explains many documents otherwise than one',
    /explains many documents/,
    (index) => altered(index, { explainer: async () => () => [] }),
  ],
  [
    'highlights everything',
    /highlights/,
    (index) => altered(index, { highlight: (text) => [{ start: 0, end: text.length }] }),
  ],
  ['takes punctuation for words', /as having no words/, (index) => altered(index, { hasWords: () => true })],
  [
    'forgets about filters in a scope',
    /a scope limits/,
    (index) =>
      altered(index, {
        search: (query, { filter, scope, ...options }) =>
          index.search(query, { ...options, ...(filter && !scope && { filter }) }),
      }),
  ],
  [
    'loses documents when it puts itself in order',
    /optimizes itself/,
    (index) =>
      altered(index, {
        compact: async (signal) => {
          await index.compact!(signal);
          index.remove(1, 'birch cedar birch', '');
        },
      }),
  ],
  ['keeps its memory', /reports its memory/, (index) => altered(index, { memoryBytes: 1e6 })],
];

it('textIndexContract accepts an index behind the wrapper that the defects are built with', async () => {
  for (const make of [minisearchIndex(), bm25TextIndex()])
    for (const { run } of textIndexContract(async () => altered(await make(), {}))) await run();
});

describe('textIndexContract notices an index that', () => {
  for (const [defect, caughtBy, breakIt] of inTurn(DEFECTS, 3)) {
    it(defect, async () => {
      const make: TextIndexFactory = async () => breakIt(await bm25TextIndex()());
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
    get memoryBytes() {
      return changes.memoryBytes ?? index.memoryBytes;
    },
    supportsAccepts: changes.supportsAccepts ?? index.supportsAccepts,
    add: changes.add ?? ((...document) => index.add(...document)),
    remove: changes.remove ?? ((...document) => index.remove(...document)),
    search: changes.search ?? ((query, options) => index.search(query, options)),
    explain: changes.explain ?? (index.explain && ((query, doc, options) => index.explain!(query, doc, options))),
    explainer: changes.explainer ?? (index.explainer && ((query, options) => index.explainer!(query, options))),
    highlight: changes.highlight ?? (index.highlight && ((...text) => index.highlight!(...text))),
    hasWords: changes.hasWords ?? (index.hasWords && ((query) => index.hasWords!(query))),
    compact: changes.compact ?? (index.compact && ((signal) => index.compact!(signal))),
  };
}

function searchingWith(index: TextIndex, fixed: { prefix: boolean }): TextIndex {
  return altered(index, { search: (query, options) => index.search(query, { ...options, ...fixed }) });
}

function searching(
  index: TextIndex,
  change: (hits: TextHit[]) => TextHit[],
  { dropFilter = false, dropLimit = false } = {},
): TextIndex {
  return altered(index, {
    search: async (query, { limit, filter, prefix, signal }) =>
      change(
        await index.search(query, {
          limit: dropLimit ? 1e6 : limit,
          ...(filter && !dropFilter && { filter }),
          ...(prefix !== undefined && { prefix }),
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
