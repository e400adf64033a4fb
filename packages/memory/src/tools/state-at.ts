import { WorldsError } from '@rdf-worlds/core';
import { z } from 'zod';
import type { AgentMemory } from '../agent-memory.ts';
import { requireEntity } from '../entity-input.ts';
import type { Fact, Triple } from '../fact.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { readTime, timeInput } from '../term-input.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { worldInput } from '../world-input.ts';
import type { WorldName } from '../world-name.ts';

export const stateAt = defineTool({
  name: 'state_at',
  title: 'State at a time',
  description:
    'Shows what held about an entity at a time (valid_at), or what was believed at a time (recorded_at: "what did we know on Tuesday"), or both.',
  annotations: READS,
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
      throw new WorldsError('INVALID_ARGUMENT', 'Pass valid_at, recorded_at or both; for now, call look.');
    const { scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const now = memory.now();
    const validAt = valid_at === undefined ? now : readTime(valid_at, 'valid_at');
    const recordedAt = recorded_at === undefined ? now : readTime(recorded_at, 'recorded_at');
    const entity = await requireEntity(memory, world, given, 'entity', signal);
    const { facts, isPlainOfNow } = await believedAt(memory, world, entity, { validAt, recordedAt, now, signal });
    const text = new TermText(prefixes, limits);
    // As of then, a later retraction had not happened yet.
    const asOfThen = facts.map((fact) => ({ ...fact, retractedAt: undefined, reason: undefined }));
    const shown = asOfThen.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, validAt));
    const { items, lines, omitted } = fitItems(
      shown,
      (fact) => factLine(fact, { withSubject: false }),
      limits.maxResultTokens - 100,
    );
    const missing = omitted + facts.length - shown.length;
    const note = missing > 0 ? [`(truncated: ${missing} more; use query on GRAPH mem:Facts)`] : [];
    return {
      text: [
        `${text.term(entity)}, valid at ${validAt.toISOString()}, as recorded at ${recordedAt.toISOString()}`,
        ...(lines.length === 0 ? ['Nothing was known to hold then.'] : lines),
        ...(isPlainOfNow ? [PLAIN_OF_NOW] : []),
        ...note,
      ].join('\n'),
      data: {
        entity: text.term(entity),
        validAt: validAt.toISOString(),
        recordedAt: recordedAt.toISOString(),
        facts: [...items],
        ...(isPlainOfNow && { plainAsOfNow: true }),
        truncated: missing > 0,
      },
    };
  },
});

const PLAIN_OF_NOW =
  '(facts without a recorded time are shown as they are now: the history of the engine does not reach back to then)';

/**
 * Reads facts by their recorded time, and triples without one from the history of the engine; as
 * they are now where it does not reach back, which the result has to say.
 */
async function believedAt(
  memory: AgentMemory,
  world: WorldName,
  entity: Triple['subject'],
  { now, ...times }: { validAt: Date; recordedAt: Date; now: Date; signal: AbortSignal | undefined },
): Promise<{ readonly facts: readonly Fact[]; readonly isPlainOfNow: boolean }> {
  const facts = memory.facts(world);
  const isPast = times.recordedAt < now;
  if (!isPast) return { facts: await facts.stateAt(entity, times), isPlainOfNow: false };
  try {
    return { facts: await facts.stateAt(entity, { ...times, plainAt: times.recordedAt }), isPlainOfNow: false };
  } catch (error) {
    if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
    const known = await facts.stateAt(entity, times);
    return { facts: known, isPlainOfNow: known.some(({ recordedAt }) => !recordedAt) };
  }
}
