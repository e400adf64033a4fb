import { WorldsError } from '@rdf-worlds/core';
import type { WorldName } from './world-name.ts';

export function unknownWorld({ namespace, slug }: WorldName): WorldsError {
  return new WorldsError(
    'NOT_FOUND',
    `There is no world ${namespace}/${slug}; create it first, or check the name.${REMEDIES[slug] ?? ''}`,
  );
}

/** What was meant by the path of a request whose method or parameters are those of a world. */
const REMEDIES: Readonly<Record<string, string>> = {
  search: ' To search all worlds, send POST.',
  sparql: ' To query all worlds, send POST, or GET with the parameter query.',
};
