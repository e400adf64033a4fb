import { WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';

/** Maximum number of names in the header. */
const MAX_NAMES = 10;

/**
 * Returns a header with the names of other namespaces that have worlds the caller may read, for an
 * empty list of the caller's default namespace: the worlds may be in a namespace that was not
 * named. Empty if there are none, or if the path names a namespace.
 */
export async function elsewhereHeader(call: Call): Promise<Record<string, string>> {
  if (call.isNamespaced) return {};
  const names: string[] = [];
  for (const name of await readableNamespaces(call)) {
    if (name === call.namespace || !(await hasReadableWorld(call, name))) continue;
    names.push(name);
    if (names.length === MAX_NAMES) break;
  }
  return names.length === 0 ? {} : { 'rdf-worlds-elsewhere': names.join(', ') };
}

async function readableNamespaces({ engine, access }: Call): Promise<readonly string[]> {
  const granted = access.readableNamespaces;
  if (granted !== 'all') return granted;
  try {
    return await engine.listNamespaces();
  } catch (error) {
    // The list of the default namespace is complete, even if others cannot be listed.
    if (error instanceof WorldsError && error.code === 'CORRUPT') return [];
    throw error;
  }
}

async function hasReadableWorld({ engine, access }: Call, namespace: string): Promise<boolean> {
  for await (const { slug } of engine.worlds({ namespace })) if (access.may('read', { namespace, slug })) return true;
  return false;
}
