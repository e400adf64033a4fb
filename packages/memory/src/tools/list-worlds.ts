import { z } from 'zod';
import { fitItems, linesOr } from '../fit-items.ts';
import { defineTool, READS } from '../tool.ts';

export const listWorlds = defineTool({
  name: 'list_worlds',
  title: 'List worlds',
  description:
    'Lists the worlds (separate knowledge graphs) that you may read. Call it first if you do not know their names.',
  annotations: READS,
  example: {},
  input: z.strictObject({ after: z.string().max(300).optional().describe('Continue after this name.') }),
  output: z.object({
    worlds: z.array(z.object({ world: z.string(), label: z.string().optional(), description: z.string().optional() })),
    more: z.boolean(),
  }),
  async run({ after }, { memory: { engine, scope, limits } }) {
    const found: { world: string; label?: string; description?: string }[] = [];
    let more = false;
    for await (const record of scope.readable(engine)) {
      if (after !== undefined && record.slug <= after) continue;
      if ((more = found.length === limits.maxRows)) break;
      const { label, description } = record;
      found.push({
        world: scope.nameOf(record),
        ...(label !== undefined && { label: label.slice(0, limits.maxTextLength) }),
        ...(description && { description: description.slice(0, limits.maxTextLength) }),
      });
    }
    const fitted = fitItems(
      found,
      ({ world, label, description }) => [world, label, description].filter(Boolean).join(' — '),
      limits.maxResultTokens - 50,
    );
    const { items } = fitted;
    more ||= fitted.omitted > 0;
    const note =
      more && items.length > 0 ? [`There are more; pass after: ${JSON.stringify(items.at(-1)!.world)}.`] : [];
    const none = `There are no worlds${after === undefined ? '; create_world makes one' : ' after it'}.`;
    const text = [...linesOr(fitted, none), ...note].join('\n');
    return { text, data: { worlds: [...items], more } };
  },
});
