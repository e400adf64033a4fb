import type { HitExplanation, TripleSearchResult } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from '../arguments.ts';
import { worldsCommand } from '../command.ts';
import { READ_ONLY_OPTION } from '../durable-storage.ts';
import { EMBEDDER_OPTION, givenEmbedder } from '../embedder-option.ts';
import { integer, several } from '../option-value.ts';
import { writeText } from '../output.ts';
import { placeOf } from '../place.ts';
import { fullIri, ShortNames } from '../prefixes.ts';
import { asksJson, jsonText, RECORD_TABLE_OPTIONS } from '../record-format.ts';
import { settingOption } from '../search-setting.ts';
import { jsonQuery, type Service } from '../service.ts';
import { chosenPath, openSource, SOURCE_OPTIONS } from '../service-options.ts';
import { tableStyle } from '../table-style.ts';
import { type TableStyle, textTable } from '../text-table.ts';
import { UsageError } from '../usage-error.ts';
import { WORLD_OR_ALL_OPTION } from '../world-option.ts';

/** The interface's maximum; larger values are clamped to it. */
const MAX_LIMIT = 1_000;
const SCORE_DIGITS = 4;

export const search = worldsCommand({
  name: 'search',
  summary: 'Find the triples that match a text best.',
  operand: '<TEXT>',
  options: [
    WORLD_OR_ALL_OPTION,
    new Option('--limit <N>', `maximum number of hits, at most ${MAX_LIMIT} (default: 20)`).argParser(
      integer(1, MAX_LIMIT),
    ),
    new Option('--subject <IRI>', 'only triples with this subject (repeatable)').argParser(several),
    new Option('--predicate <IRI>', 'only triples with this predicate (repeatable)').argParser(several),
    new Option('--type <IRI>', 'only triples whose subject has this type (repeatable)').argParser(several),
    settingOption('fusion', 'how the text ranking and the vector ranking are combined'),
    settingOption('fields', 'also match words in labels and local names'),
    settingOption('feedback', 'expand the query with words of the best hits'),
    EMBEDDER_OPTION,
    new Option('--prefix', 'match the last word as a prefix'),
    new Option('--explain', 'show why each hit matched'),
    ...RECORD_TABLE_OPTIONS,
    ...SOURCE_OPTIONS,
    READ_ONLY_OPTION,
  ],
  // The first search of worlds has to index all of their texts.
  activity: 'indexing and searching',
  open: openSearched,
  begin(given) {
    const isJson = asksJson(given);
    if (given.operands[0].trim() === '') throw new UsageError('search: the text is empty; name words to search for.');
    const body = {
      query: given.operands[0],
      limit: given.integer('limit'),
      subjects: filter(given.texts('subject').map(fullIri)),
      predicates: filter(given.texts('predicate').map(fullIri)),
      types: filter(given.texts('type').map(fullIri)),
      fusion: given.setting('fusion'),
      fields: given.setting('fields'),
      feedback: given.setting('feedback'),
      prefix: given.flag('prefix') || undefined,
      explain: given.flag('explain') || undefined,
    };
    return async (service) => {
      const response = await service.send(`${chosenPath(given, service)}/search`, jsonQuery(body));
      const hits = (await response.json()) as TripleSearchResult[];
      if (given.text('embedder') !== undefined) tellMissingVectors(hits);
      if (isJson) return writeText(jsonText(hits));
      if (hits.length === 0) process.stderr.write('rdf-worlds: nothing matches.\n');
      await writeText(hitsTable(hits, tableStyle(given)));
    };
  },
});

/** Opens what is searched. A local engine indexes names only if the search uses them. */
async function openSearched(given: Arguments): Promise<Service> {
  const embedder = await givenEmbedder(given);
  if (embedder !== undefined && placeOf(given).url !== undefined)
    throw new UsageError(
      'search: the server decides whether vectors are used, so --embedder would have no effect; omit it here, and pass it to rdf-worlds serve.',
    );
  return openSource(given, { fields: Boolean(given.setting('fields')), embedder });
}

/** Says why an embedder that was asked for did not contribute to any hit. */
function tellMissingVectors(hits: readonly TripleSearchResult[]): void {
  if (hits.length === 0 || hits.some(({ vecRank }) => vecRank !== null)) return;
  process.stderr.write(
    'rdf-worlds: there are no vectors: a model is learnt once a namespace has 2,000 different texts. The hits are found by words.\n',
  );
}

/** Returns undefined if there are no values: an empty filter would match nothing. */
function filter(values: readonly string[]): readonly string[] | undefined {
  return values.length > 0 ? values : undefined;
}

function hitsTable(hits: readonly TripleSearchResult[], style: TableStyle): string {
  const names = new ShortNames();
  const isExplained = hits.some(({ explanation }) => explanation);
  return textTable(
    ['score', 'world', 'subject', 'predicate', 'object', ...(isExplained ? ['why'] : [])],
    hits.map(({ score, world, subject, predicate, object, explanation }) => [
      score.toFixed(SCORE_DIGITS),
      `${world.namespace}/${world.slug}`,
      subject.startsWith('_:') ? subject : names.of(subject),
      names.of(predicate),
      explanation ? explanation.snippet.marked : object,
      ...(explanation ? [why(explanation)] : []),
    ]),
    style,
  );
}

/** Formats the words that count towards the score, with field and score: `oil in text 1.2040`. */
function why({ terms, similarity }: HitExplanation): string {
  const words = terms
    .filter(({ counted }) => counted)
    .map(({ term, field, score }) => `${term} in ${field} ${score.toFixed(SCORE_DIGITS)}`);
  if (similarity !== null) words.push(`similarity ${similarity.toFixed(SCORE_DIGITS)}`);
  return words.join(', ');
}
