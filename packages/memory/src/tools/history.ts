import { z } from 'zod';
import { requireEntity } from '../entity-input.ts';
import { factAsData, factData, factLine } from '../fact-text.ts';
import { fitItems } from '../fit-items.ts';
import { readReference } from '../term-input.ts';
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
  input: z.strictObject({
    entity: z.string().min(1).max(2_000).describe('IRI, prefix:name, or an exact name.'),
    predicate: z.string().max(2_000).optional().describe('Only this predicate.'),
    world: worldInput,
    newest: z.boolean().optional().describe('Newest first. Default: oldest first.'),
  }),
  output: z.object({ entity: z.string(), facts: z.array(factData), truncated: z.boolean() }),
  async run({ entity: given, predicate, world: name, newest = false }, { memory, signal }) {
    const { scope, limits, prefixes } = memory;
    const world = scope.target('read', name);
    const wanted =
      predicate === undefined ? undefined : predicateOf(readReference(predicate, 'predicate', prefixes), 'predicate');
    const entity = await requireEntity(memory, world, given, 'entity', signal);
    const all = await memory.facts(world).history(entity, { signal });
    const facts = all.filter((fact) => wanted === undefined || fact.predicate.equals(wanted));
    if (newest) facts.reverse();
    const text = new TermText(prefixes, limits);
    const now = memory.now();
    const shown = facts.slice(0, limits.maxRows).map((fact) => factAsData(fact, text, now));
    const { items, lines, omitted } = fitItems(
      shown,
      (fact) => factLine(fact, { withSubject: false }),
      limits.maxResultTokens - 100,
    );
    const missing = omitted + facts.length - shown.length;
    const note = missing > 0 ? [`(truncated: ${missing} more; pass predicate, or newest: ${!newest})`] : [];
    const none = 'Nothing is or was known.';
    return {
      text: [text.term(entity), ...(lines.length === 0 ? [none] : lines), ...note].join('\n'),
      data: { entity: text.term(entity), facts: [...items], truncated: missing > 0 },
    };
  },
});
