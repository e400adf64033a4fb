import type { TripleSearchResult } from '@rdf-worlds/core';
import { z } from 'zod';
import { labelOf } from '../entity-labels.ts';
import { hitSubject } from '../fact-quads.ts';
import { fitItems, linesOr } from '../fit-items.ts';
import { DOCUMENT_PROPERTIES, FACT_PROPERTIES } from '../memory-vocabulary.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import type { StoredDocument, StoredPassage } from '../world-documents.ts';
import { scopeOf, worldsInput } from '../world-input.ts';

const OF_FACTS = new Set<string>(Object.values(FACT_PROPERTIES));
/** Hits in the provenance of facts are dropped, so more are asked for. */
const SURPLUS = 3;
const MAX_HITS = 1_000;

/** Where a passage is in its document, in UTF-16 code units. */
const passagePlace = z.object({ number: z.int(), start: z.int(), end: z.int(), length: z.int() });

export const search = defineTool({
  name: 'search',
  title: 'Search texts',
  description:
    'Finds facts, and passages of documents with their place, whose text matches words (and meaning, if vectors are set up), best first. For a question in words. To find who or what has a name, call find_entity.',
  annotations: READS,
  example: { query: 'crane inspection', limit: 5 },
  input: z.strictObject({
    query: z.string().regex(/\S/, 'it is empty; pass words').describe('Words.'),
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
        passage: passagePlace.optional().describe('The subject is its document.'),
      }),
    ),
    truncated: z.boolean(),
  }),
  async run({ query, worlds, limit = 10 }, { memory, signal }) {
    const { engine, scope, limits, prefixes } = memory;
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
    // A passage is shown as a whole, unless few of them would fit into the result.
    const maxPassageLength = Math.min(limits.maxPassageLength, Math.ceil(limits.maxResultTokens / 4));
    const passages = new TermText(prefixes, { maxTextLength: maxPassageLength });
    for (const { subject, predicate, object, world: record } of relevant.slice(0, wanted)) {
      const world = { namespace: record.namespace, slug: record.slug };
      const documents = memory.documents(world);
      const isText = predicate === DOCUMENT_PROPERTIES.text;
      const passage = isText ? await documents.passage(subject, { signal }) : undefined;
      const document = passage && (await documents.get(passage.document, { signal }));
      const shown = document?.document ?? hitSubject(subject);
      const label = await labelOf(engine, world, shown, signal);
      hits.push({
        subject: text.term(shown),
        ...(label !== undefined && { label: label.slice(0, limits.maxTextLength) }),
        predicate: text.iri(predicate),
        text: (passage ? passages : text).cut(object),
        world: scope.nameOf(world),
        ...(passage && document && { passage: placeOf(passage, document) }),
      });
    }
    const fitted = fitItems(
      hits,
      (hit) =>
        `${hit.subject}${hit.label === undefined ? '' : ` (${hit.label})`} ${hit.passage ? placeText(hit.passage) : hit.predicate} ${hit.text}  [${hit.world}]`,
      limits.maxResultTokens - 50,
      (hit, maxLength) => ({ ...hit, text: new TermText(prefixes, { maxTextLength: maxLength }).cut(hit.text) }),
    );
    const { items, omitted } = fitted;
    const truncated = omitted > 0 || relevant.length > wanted;
    const note = truncated ? ['(there are more hits; use other words, or raise limit)'] : [];
    const none = 'Nothing found; try other words, or find_entity for a name.';
    return { text: [...linesOr(fitted, none), ...note].join('\n'), data: { hits: [...items], truncated } };
  },
});

function placeOf({ order, start, end }: StoredPassage, { length }: StoredDocument): z.output<typeof passagePlace> {
  return { number: order, start, end, length };
}

function placeText({ number, start, end, length }: z.output<typeof passagePlace>): string {
  return `passage ${number}, ${start}-${end} of ${length}`;
}
