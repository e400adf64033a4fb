import { WorldsError } from '@rdf-worlds/core';
import { type Call, pathWorld } from '../call.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { unknownWorld } from '../unknown-world.ts';
import { shown } from '../world-name.ts';
import { upToDate } from './up-to-date.ts';

/**
 * Returns the size of a namespace and its quota usage. Requires `read` on the whole namespace,
 * because it counts all worlds.
 */
export async function namespaceStats(call: Call): Promise<Reply> {
  const { engine, access, namespace } = call;
  if (!access.mayAll('read', namespace)) {
    throw new WorldsError(
      'PERMISSION_DENIED',
      `You may not read all of the namespace ${shown(namespace)}; ask for a grant on it.`,
    );
  }
  await upToDate(call, [namespace], undefined);
  const { worlds, quads, quotas } = await engine.stats({ namespace });
  return jsonReply({ namespace, worlds, quads, quotas });
}

/** Returns a world's quota usage. */
export async function worldStats(call: Call): Promise<Reply> {
  const { engine } = call;
  const source = pathWorld(call);
  await upToDate(call, [source.namespace], undefined);
  const quotas = await engine.worldQuotas({ source });
  if (!quotas && !(await engine.getWorld({ source }))) throw unknownWorld(source);
  return jsonReply({ ...source, quotas: quotas ?? undefined });
}
