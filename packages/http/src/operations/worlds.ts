import { type CreateWorldRequest, type World, WorldsError } from '@rdf-worlds/core';
import { resolveNamespace } from '@rdf-worlds/core/internal';
import { type Call, pathWorld } from '../call.ts';
import { matchesEtag, stateTags } from '../etag.ts';
import { emptyReply, jsonReply, type Reply, worldBody } from '../reply.ts';
import { tokenHeader, tokenOfNow } from '../revision-token.ts';
import { revisionHeader } from '../revisions.ts';
import { CreateWorldParams, DeleteWorldBody, parseBody, UpdateWorldParams } from '../schemas.ts';
import { unknownWorld } from '../unknown-world.ts';
import { quoted } from '../world-name.ts';
import { consistencyOf } from './consistency.ts';
import { elsewhereHeader } from './elsewhere-header.ts';
import { momentOf, momentParameter, readingPast } from './moment.ts';
import { jsonBody, optionalJsonBody, targetOf } from './target.ts';
import { upToDate } from './up-to-date.ts';
import { writeConditionally } from './write-condition.ts';

const DEFAULT_PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 100;

/** Lists the worlds of a namespace that the caller may read, by slug, one page at a time. */
export async function listWorlds(call: Call): Promise<Reply> {
  const { engine, access, namespace, incoming } = call;
  const page = Math.max(1, integer(incoming.query, 'page') ?? 1);
  const pageSize = Math.min(MAX_PAGE_SIZE, Math.max(1, integer(incoming.query, 'pageSize') ?? DEFAULT_PAGE_SIZE));
  await upToDate(call, [namespace], consistencyOf(incoming.query.getAll('consistency')));
  const worlds: World[] = access.mayAll('read', namespace)
    ? await engine.listWorlds({ namespace, page, pageSize })
    : await readableWorlds(call, (page - 1) * pageSize, pageSize);
  const headers = worlds.length === 0 && page === 1 ? await elsewhereHeader(call) : {};
  return jsonReply(
    worlds.map((world) => worldBody(call, world)),
    200,
    headers,
  );
}

/** Returns a page of the worlds that the caller may read, some of which are hidden. */
async function readableWorlds(call: Call, first: number, pageSize: number): Promise<World[]> {
  const { engine, access, namespace } = call;
  const worlds: World[] = [];
  let place = 0;
  for await (const world of engine.worlds({ namespace })) {
    if (!access.may('read', { namespace, slug: world.slug })) continue;
    if (place++ >= first) worlds.push(world);
    if (worlds.length === pageSize) break;
  }
  return worlds;
}

/**
 * Parses an integer of the query string; undefined if it is missing. Values out of range are
 * clamped. Throws `INVALID_ARGUMENT` for anything else.
 */
function integer(query: URLSearchParams, field: string): number | undefined {
  const [value, ...more] = query.getAll(field);
  if (value === undefined) return undefined;
  if (more.length === 0 && /^[+-]?\d+$/.test(value)) {
    return Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Number(value)));
  }
  const problem =
    more.length > 0 ? 'it is given more than once; send it once' : `expected an integer, found ${quoted(value)}`;
  throw new WorldsError('INVALID_ARGUMENT', `${field}: ${problem}.`);
}

export async function createWorld(call: Call): Promise<Reply> {
  const { access, isNamespaced } = call;
  const { slug, namespace: own, label, description } = parseBody(CreateWorldParams, await jsonBody(call));
  // The namespace of the path takes precedence over the body's.
  const namespace =
    isNamespaced || own === undefined ? call.namespace : resolveNamespace(own, call.defaultNamespace, 'namespace');
  access.require('write', { namespace, slug });
  const world = await created(call, { slug, namespace, label, description });
  return jsonReply(worldBody(call, world), 201, {
    etag: (await stateTags(call, world)).record,
    ...tokenHeader(call, namespace, world.revision),
  });
}

/** Creates a world. The engine's advice for one that exists is an option that this route lacks. */
async function created({ engine }: Call, request: CreateWorldRequest): Promise<World> {
  try {
    return await engine.createWorld(request);
  } catch (cause) {
    if (!(cause instanceof WorldsError) || cause.code !== 'ALREADY_EXISTS') throw cause;
    const message = `The world ${request.namespace}/${request.slug} already exists; choose another slug, or use that world.`;
    throw new WorldsError('ALREADY_EXISTS', message, { cause });
  }
}

export async function getWorld(call: Call): Promise<Reply> {
  const { namespace, slug } = pathWorld(call);
  const at = momentOf(call, momentParameter(call.incoming.query), namespace);
  const source = { namespace, slug };
  await upToDate(call, [namespace], consistencyOf(call.incoming.query.getAll('consistency')));
  const world = await readingPast(call, [source], () => call.engine.getWorld({ source, at }));
  if (!world) throw unknownWorld(source);
  const etag = (await stateTags(call, world)).record;
  if (matchesEtag(call.incoming.header('if-none-match'), etag)) {
    return emptyReply(304, { etag });
  }
  return jsonReply(worldBody(call, world), 200, { etag });
}

export async function updateWorld(call: Call): Promise<Reply> {
  const { source, label, description } = parseBody(UpdateWorldParams, await jsonBody(call));
  const target = targetOf(call, source, 'write');
  const world = await writeConditionally(call, target, (ifRevision) =>
    call.engine.updateWorld({ source: target, label, description, ifRevision }),
  );
  return emptyReply(204, revisionHeader(call, world));
}

export async function deleteWorld(call: Call): Promise<Reply> {
  const { source } = parseBody(DeleteWorldBody, await optionalJsonBody(call));
  const target = targetOf(call, source, 'write');
  await writeConditionally(call, target, (ifRevision) => call.engine.deleteWorld({ source: target, ifRevision }));
  return emptyReply(204, await tokenOfNow(call, target.namespace));
}
