import { z } from 'zod';
import { CANDIDATE_REASONS, findEntities } from '../find-entity.ts';
import { fitItems, linesOr } from '../fit-items.ts';
import { TermText } from '../term-text.ts';
import { defineTool, READS } from '../tool.ts';
import { scopeOf, worldsInput } from '../world-input.ts';

export const findEntity = defineTool({
  name: 'find_entity',
  title: 'Find an entity by name',
  description:
    'Finds who or what has a name, also if it is misspelt or only a part of it. Call it before you store something about a person or thing, so that nobody is stored twice.',
  annotations: READS,
  example: { name: 'Ada Lovelace' },
  input: z.strictObject({
    name: z.string().min(1).max(500),
    worlds: worldsInput,
    limit: z.int().min(1).max(50).optional().describe('Default: 5.'),
  }),
  output: z.object({
    candidates: z.array(
      z.object({
        entity: z.string(),
        label: z.string(),
        world: z.string(),
        reason: z.enum(CANDIDATE_REASONS),
        score: z.number(),
      }),
    ),
    partial: z.boolean(),
  }),
  async run({ name, worlds, limit = 5 }, { memory, signal }) {
    const { engine, scope, limits, prefixes } = memory;
    const sources = await scopeOf(scope, engine, worlds);
    const hidesSome = scope.hidesSome(sources);
    const { candidates, isPartial } = await findEntities(memory, sources, name, { limit, signal, hidesSome });
    const text = new TermText(prefixes, limits);
    const shown = candidates.map(({ entity, label, world, reason, score }) => ({
      entity: text.term(entity),
      label: label.slice(0, limits.maxTextLength),
      world: scope.nameOf(world),
      reason,
      score: Math.round(score * 100) / 100,
    }));
    const fitted = fitItems(
      shown,
      ({ entity, label, world, reason, score }) =>
        `${entity} ${JSON.stringify(label)} (${reason}, ${score})  [${world}]`,
      limits.maxResultTokens - 50,
    );
    const note = isPartial ? ['(too many names to compare all; add another word of the name, or call search)'] : [];
    const none = `Nobody and nothing is called ${JSON.stringify(name.slice(0, 80))}; search finds by other words.`;
    return {
      text: [...linesOr(fitted, none), ...note].join('\n'),
      data: { candidates: [...fitted.items], partial: isPartial },
    };
  },
});
