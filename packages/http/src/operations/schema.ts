import { WorldsError } from '@rdf-worlds/core';
import { type Call, pathWorld } from '../call.ts';
import { matchesEtag, stateTags } from '../etag.ts';
import { longJsonReply } from '../json-chunks.ts';
import { emptyReply, type Reply } from '../reply.ts';
import { unknownWorld } from '../unknown-world.ts';
import { consistencyOf } from './consistency.ts';
import { upToDate } from './up-to-date.ts';

/** Returns the classes, predicates and links of a world, with counts. */
export async function worldSchema(call: Call): Promise<Reply> {
  const { engine, incoming, limits, signal } = call;
  const source = pathWorld(call);
  const limit = limitOf(incoming.query.getAll('limit'));
  await upToDate(call, [source.namespace], consistencyOf(incoming.query.getAll('consistency')));
  const world = await engine.getWorld({ source });
  if (!world) throw unknownWorld(source);
  const etag = (await stateTags(call, world)).ofData(`schema.${limit ?? ''}`);
  if (matchesEtag(incoming.header('if-none-match'), etag)) return emptyReply(304, { etag });
  const schema = await engine.schema({ source, limit, maxMemoryBytes: limits.maxMemoryBytes, signal });
  return longJsonReply(call, { ...source, ...schema }, { etag });
}

function limitOf(values: readonly string[]): number | undefined {
  const [value, ...more] = values;
  if (value === undefined) return undefined;
  if (more.length === 0 && /^\d{1,9}$/.test(value)) return Number(value);
  throw new WorldsError('INVALID_ARGUMENT', 'limit: expected a whole number, 0 or more, once.');
}
