import { z } from 'zod';
import type { MemoryEngine } from './agent-memory.ts';
import type { WorldName } from './world-name.ts';
import type { WorldScope } from './world-scope.ts';

/** The argument that names one world. */
export const worldInput = z.string().max(300).optional().describe('Name of the world.');

/** The argument that restricts a call to some worlds. */
export const worldsInput = z
  .array(z.string().max(300))
  .max(1_000)
  .optional()
  .describe('Names of worlds. Default: all that you may read.');

/** Returns the worlds of a call: those it names, or all that may be read. */
export async function scopeOf(
  scope: WorldScope,
  engine: Pick<MemoryEngine, 'worlds'>,
  names: readonly string[] | undefined,
): Promise<WorldName[]> {
  if (names && names.length > 0) return names.map((name) => scope.require('read', name));
  const worlds: WorldName[] = [];
  for await (const { namespace, slug } of scope.readable(engine)) worlds.push({ namespace, slug });
  return worlds;
}
