import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import { fitItems } from '../fit-items.ts';
import { FACT_PROPERTIES, FACTS_GRAPH } from '../memory-vocabulary.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { worldInput } from '../world-input.ts';

const MAX_CLASSES = 50;
const MAX_PREDICATES = 150;

const CLASSES = `SELECT ?class (COUNT(*) AS ?count) (SAMPLE(?entity) AS ?example) WHERE { ?entity a ?class }
  GROUP BY ?class ORDER BY DESC(?count) ?class LIMIT ${MAX_CLASSES + 1}`;
const PREDICATES = `SELECT ?predicate (COUNT(*) AS ?count) (SAMPLE(?object) AS ?example) WHERE { ?subject ?predicate ?object }
  GROUP BY ?predicate ORDER BY DESC(?count) ?predicate LIMIT ${MAX_PREDICATES + 1}`;
const COUNTS = `SELECT ?triples ?facts WHERE {
  { SELECT (COUNT(*) AS ?triples) WHERE { ?s ?p ?o } }
  { SELECT (COUNT(*) AS ?facts) WHERE { GRAPH <${FACTS_GRAPH}> { ?fact <${FACT_PROPERTIES.about}> ?entity } } } }`;

export const describeWorld = defineTool({
  name: 'describe_world',
  title: 'Describe a world',
  description:
    'Shows what a world has: classes and predicates with counts and examples, and prefixes. Call it before you write a query.',
  annotations: READS,
  example: { max_tokens: 2000 },
  input: z.strictObject({
    world: worldInput,
    max_tokens: z.int().min(100).optional().describe('Budget of the answer.'),
  }),
  output: z.object({
    world: z.string(),
    label: z.string().optional(),
    description: z.string().optional(),
    triples: z.int(),
    facts: z.int(),
    revision: z.int(),
    updated: z.string(),
    classes: z.array(z.object({ class: z.string(), count: z.int(), example: z.string() })),
    predicates: z.array(z.object({ predicate: z.string(), count: z.int(), example: z.string() })),
    prefixes: z.record(z.string(), z.string()),
    truncated: z.boolean(),
  }),
  async run({ world: name, max_tokens }, { memory, signal }) {
    const { engine, scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const record = await engine.getWorld({ source: world });
    if (!record)
      throw new WorldsError(
        'NOT_FOUND',
        `There is no world ${scope.nameOf(world)}; call list_worlds, or create_world to make it.`,
      );
    const { timeoutMs, maxMemoryBytes } = limits;
    const bounds = { sources: [world], timeoutMs, maxMemoryBytes, canonicalOrder: scope.hidesSome([world]), signal };
    const maxTokens = Math.min(max_tokens ?? limits.maxResultTokens, limits.maxResultTokens);
    // Examples only show what values look like, so they may be cut.
    const text = new TermText(prefixes, { maxTextLength: Math.min(60, limits.maxTextLength) });
    const rowsOf = async (query: string, key: 'class' | 'predicate') => {
      const rows: { name: string; count: number; example: string }[] = [];
      for await (const row of await engine.select({ ...bounds, query })) {
        const example = row.get('example');
        rows.push({
          name: text.term(row.get(key)!),
          count: Number(row.get('count')!.value),
          example: example ? text.term(example) : '',
        });
      }
      return rows;
    };
    const [counts] = await (await engine.select({ ...bounds, query: COUNTS })).array();
    const classes = await rowsOf(CLASSES, 'class');
    const predicates = await rowsOf(PREDICATES, 'predicate');
    const label = record.label?.slice(0, limits.maxTextLength);
    const description = record.description?.slice(0, limits.maxTextLength) || undefined;
    // The remaining budget is for the heading and the prefixes.
    const budget = Math.max(1, Math.floor(maxTokens * 0.75) - 100);
    const line = (row: { name: string; count: number; example: string }) =>
      `  ${row.name} ${row.count}  e.g. ${row.example}`;
    const shownClasses = fitItems(classes.slice(0, MAX_CLASSES), line, Math.floor(budget * 0.35));
    const shownPredicates = fitItems(predicates.slice(0, MAX_PREDICATES), line, Math.floor(budget * 0.65));
    const truncated = shownClasses.lines.length < classes.length || shownPredicates.lines.length < predicates.length;
    const triples = Number(counts.get('triples')!.value);
    const facts = Number(counts.get('facts')!.value);
    const used = text.usedPrefixes();
    return {
      text: [
        [scope.nameOf(world), label, description].filter(Boolean).join(' — '),
        `${triples} triples hold; ${facts} facts with provenance; revision ${record.revision}`,
        ...(shownClasses.lines.length > 0 ? ['Classes:', ...shownClasses.lines] : []),
        ...(shownPredicates.lines.length > 0 ? ['Predicates:', ...shownPredicates.lines] : []),
        ...(truncated ? ['(truncated: there are more; query for the rest)'] : []),
        Object.entries(used)
          .map(([prefix, iri]) => `${prefix}: <${iri}>`)
          .join(' '),
      ]
        .filter((part) => part !== '')
        .join('\n'),
      data: {
        world: scope.nameOf(world),
        ...(label !== undefined && { label }),
        ...(description !== undefined && { description }),
        ...{ triples, facts, revision: record.revision, updated: new Date(record.updatedAt).toISOString() },
        classes: shownClasses.items.map(({ name: iri, count, example }) => ({ class: iri, count, example })),
        predicates: shownPredicates.items.map(({ name: iri, count, example }) => ({ predicate: iri, count, example })),
        prefixes: used,
        truncated,
      },
    };
  },
});
