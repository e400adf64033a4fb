import type { TripleSearchResult } from '@rdf-worlds/core';
import { z } from 'zod';
import { labelOf } from '../entity-labels.ts';
import { hitSubject } from '../fact-quads.ts';
import { fitItems } from '../fit-items.ts';
import { FACT_PROPERTIES } from '../memory-vocabulary.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { scopeOf, worldsInput } from '../world-input.ts';

const OF_FACTS = new Set<string>(Object.values(FACT_PROPERTIES));
/** Hits in the provenance of facts are dropped, so more are asked for. */
const SURPLUS = 3;
const MAX_HITS = 1_000;

export const search = defineTool({
  name: 'search',
  title: 'Search texts',
  description:
    'Finds facts whose text matches words (and meaning, if vectors are set up), best first. For a question in words. To find who or what has a name, call find_entity.',
  annotations: READS,
  input: z.strictObject({
    query: z.string().describe('Words.'),
    worlds: worldsInput,
    limit: z.int().min(1).optional().describe('Default: 10.'),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        subject: z.string(),
        label: z.string().optional(),
        predicate: z.string(),
        text: z.string(),
        world: z.string(),
      }),
    ),
    truncated: z.boolean(),
  }),
  async run({ query, worlds, limit = 10 }, { memory: { engine, scope, limits, prefixes }, signal }) {
    const sources = await scopeOf(scope, engine, worlds);
    const wanted = Math.min(limit, limits.maxRows);
    const canonicalOrder = scope.hidesSome(sources);
    let relevant: TripleSearchResult[] = [];
    // Words of sources and reasons match too, so more hits are asked for, and all if need be.
    for (const most of sources.length === 0 ? [] : [wanted * SURPLUS, MAX_HITS]) {
      const hits = await engine.search({ query, sources, limit: Math.min(MAX_HITS, most), canonicalOrder, signal });
      relevant = hits.filter(({ predicate }) => !OF_FACTS.has(predicate));
      if (relevant.length > wanted || hits.length < most) break;
    }
    const text = new TermText(prefixes, limits);
    const hits = [];
    for (const { subject, predicate, object, world } of relevant.slice(0, wanted)) {
      const label = await labelOf(
        engine,
        { namespace: world.namespace, slug: world.slug },
        hitSubject(subject),
        signal,
      );
      hits.push({
        subject: text.term(hitSubject(subject)),
        ...(label !== undefined && { label: label.slice(0, limits.maxTextLength) }),
        predicate: text.iri(predicate),
        text: text.cut(object),
        world: scope.nameOf(world),
      });
    }
    const { items, lines, omitted } = fitItems(
      hits,
      (hit) =>
        `${hit.subject}${hit.label === undefined ? '' : ` (${hit.label})`} ${hit.predicate} ${hit.text}  [${hit.world}]`,
      limits.maxResultTokens - 50,
    );
    const truncated = omitted > 0 || relevant.length > wanted;
    const note = truncated ? ['(there are more hits; use other words, or raise limit)'] : [];
    const none = 'Nothing found; try other words, or find_entity for a name.';
    return { text: lines.length === 0 ? none : [...lines, ...note].join('\n'), data: { hits: [...items], truncated } };
  },
});
