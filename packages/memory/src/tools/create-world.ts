import { z } from 'zod';
import { ADDS, defineTool } from '../tool.ts';

export const createWorld = defineTool({
  name: 'create_world',
  title: 'Create a world',
  description:
    'Creates an empty world. If it exists, nothing changes. Keep related facts in one world: queries can join several.',
  annotations: ADDS,
  example: { world: 'projects', description: 'Who works on what.' },
  input: z.strictObject({
    world: z.string().max(300).describe('Name: letters, digits, - and _.'),
    label: z.string().max(200).optional(),
    description: z.string().max(2_000).optional().describe('What belongs into it.'),
  }),
  output: z.object({ world: z.string(), created: z.boolean() }),
  async run({ world, label, description }, { memory: { engine, scope } }) {
    const name = scope.require('write', world);
    // A caller that may write but not read must not learn which worlds exist.
    const known = scope.may('read', name) ? await engine.getWorld({ source: name }) : null;
    await engine.createWorld({ ...name, label, description, ifExists: 'return' });
    const shown = scope.nameOf(name);
    return {
      text: known ? `The world ${shown} exists already; nothing was changed.` : `Created the world ${shown}.`,
      data: { world: shown, created: !known },
    };
  },
});
