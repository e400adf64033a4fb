import { z } from 'zod';
import { requireEntity } from '../entity-input.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems, linesOr } from '../fit-items.ts';
import { orPlainOfNow, PLAIN_OF_NOW } from '../plain-of-now.ts';
import { readReference, readTime, timeInput } from '../term-input.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { predicateOf } from '../triple-input.ts';
import { worldInput } from '../world-input.ts';

export const history = defineTool({
  name: 'history',
  title: 'History of an entity',
  description:
    'Shows everything that is or was known about an entity, in the order in which it was recorded: with corrections, retractions and their reasons.',
  annotations: READS,
  example: { entity: 'Ada Lovelace' },
  input: z.strictObject({
    entity: z.string().min(1).max(2_000).describe('IRI, prefix:name, or an exact name.'),
    predicate: z.string().max(2_000).optional().describe('Only this predicate.'),
    recorded_at: timeInput.optional().describe('As it was known here at that time. Default: now.'),
    world: worldInput,
    newest: z.boolean().optional().describe('Newest first. Default: oldest first.'),
  }),
  output: z.object({
    entity: z.string(),
    facts: z.array(factData),
    plainAsOfNow: z.boolean().optional().describe('Facts without provenance may be newer than recorded_at.'),
    truncated: z.boolean(),
  }),
  async run({ entity: given, predicate, recorded_at, world: name, newest = false }, { memory, signal }) {
    const { scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const wanted =
      predicate === undefined ? undefined : predicateOf(readReference(predicate, 'predicate', prefixes), 'predicate');
    const entity = await requireEntity(memory, world, given, 'entity', signal);
    const recordedAt = recorded_at === undefined ? undefined : readTime(recorded_at, 'recorded_at');
    const { facts: all, isPlainOfNow } = await orPlainOfNow(
      (plainAt) => memory.facts(world).history(entity, { recordedAt, plainAt, signal }),
      recordedAt,
    );
    const facts = all.filter((fact) => wanted === undefined || fact.predicate.equals(wanted));
    if (newest) facts.reverse();
    const text = new TermText(prefixes, limits);
    const now = memory.now();
    const shown = facts.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, now));
    const fitted = fitItems(shown, (fact) => factLine(fact, { withSubject: false }), limits.maxResultTokens - 100);
    const missing = fitted.omitted + facts.length - shown.length;
    const note = missing > 0 ? [`(truncated: ${missing} more; pass predicate, or newest: ${!newest})`] : [];
    const none = 'Nothing is or was known.';
    return {
      text: [text.term(entity), ...linesOr(fitted, none), ...(isPlainOfNow ? [PLAIN_OF_NOW] : []), ...note].join('\n'),
      data: {
        entity: text.term(entity),
        facts: [...fitted.items],
        ...(isPlainOfNow && { plainAsOfNow: true }),
        truncated: missing > 0,
      },
    };
  },
});
