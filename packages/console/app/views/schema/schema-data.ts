import type { WorldSchema } from '@rdf-worlds/core';
import { learnFrom } from '../../rdf/prefixes.ts';
import { client } from '../../session/service.ts';

/** Lists longer than this are cut: a picture of more classes shows nothing. */
const LIMIT = 1_000;

/** Returns the classes of a world and how they are linked, counted by the server. */
export async function schemaOf(world: string, signal: AbortSignal): Promise<WorldSchema> {
  const schema = await client.schema({ source: world, limit: LIMIT, signal });
  learnFrom([...schema.classes.map((each) => each.class), ...schema.links.map(({ predicate }) => predicate)]);
  return schema;
}
