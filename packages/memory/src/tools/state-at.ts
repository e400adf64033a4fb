import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import { requireEntity } from '../entity-input.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems, linesOr } from '../fit-items.ts';
import { orPlainOfNow, PLAIN_OF_NOW } from '../plain-of-now.ts';
import { readTime, timeInput } from '../term-input.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { worldInput } from '../world-input.ts';

export const stateAt = defineTool({
  name: 'state_at',
  title: 'State at a time',
  description:
    'Shows what held about an entity at a time (valid_at), or what was believed at a time (recorded_at: "what did we know on Tuesday"), or both.',
  annotations: READS,
  example: { entity: 'Ada Lovelace', valid_at: '2025-06-30' },
  input: z.strictObject({
    entity: z.string().min(1).max(2_000).describe('IRI, prefix:name, or an exact name.'),
    valid_at: timeInput.optional().describe('When it held, in the world. Default: now.'),
    recorded_at: timeInput.optional().describe('When it was known here. Default: now.'),
    world: worldInput,
  }),
  output: z.object({
    entity: z.string(),
    validAt: z.string(),
    recordedAt: z.string(),
    facts: z.array(factData),
    plainAsOfNow: z.boolean().optional().describe('Facts without provenance may be newer than recordedAt.'),
    truncated: z.boolean(),
  }),
  async run({ entity: given, valid_at, recorded_at, world: name }, { memory, signal }) {
    if (valid_at === undefined && recorded_at === undefined)
      throw new WorldsError('INVALID_ARGUMENT', 'state_at: pass valid_at, recorded_at or both; for now, call look.');
    const { scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const now = memory.now();
    const validAt = valid_at === undefined ? now : readTime(valid_at, 'valid_at');
    const recordedAt = recorded_at === undefined ? now : readTime(recorded_at, 'recorded_at');
    const entity = await requireEntity(memory, world, given, 'entity', signal);
    const times = { validAt, recordedAt, signal };
    const { facts, isPlainOfNow } = await orPlainOfNow(
      (plainAt) => memory.facts(world).stateAt(entity, { ...times, plainAt }),
      recordedAt < now ? recordedAt : undefined,
    );
    const text = new TermText(prefixes, limits);
    // As of then, a later retraction had not happened yet.
    const asOfThen = facts.map((fact) => ({ ...fact, retractedAt: undefined, reason: undefined }));
    const shown = asOfThen.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, validAt));
    const fitted = fitItems(shown, (fact) => factLine(fact, { withSubject: false }), limits.maxResultTokens - 100);
    const missing = fitted.omitted + facts.length - shown.length;
    const note = missing > 0 ? [`(truncated: ${missing} more; use query on GRAPH mem:Facts)`] : [];
    return {
      text: [
        `${text.term(entity)}, valid at ${validAt.toISOString()}, as recorded at ${recordedAt.toISOString()}`,
        ...linesOr(fitted, 'Nothing was known to hold then.'),
        ...(isPlainOfNow ? [PLAIN_OF_NOW] : []),
        ...note,
      ].join('\n'),
      data: {
        entity: text.term(entity),
        validAt: validAt.toISOString(),
        recordedAt: recordedAt.toISOString(),
        facts: [...fitted.items],
        ...(isPlainOfNow && { plainAsOfNow: true }),
        truncated: missing > 0,
      },
    };
  },
});
