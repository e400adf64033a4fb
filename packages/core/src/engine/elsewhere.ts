import type { WorldSource } from './world.ts';

/** How many names a message lists. */
const MAX_NAMES = 3;

/** Whether a source is a slug alone, so that the default namespace decides which world it is. */
export function namesNoNamespace(source: WorldSource): boolean {
  if (typeof source === 'string') return !source.includes('/');
  if ('name' in source && source.name !== undefined) return !source.name.includes('/');
  return (source as { namespace?: string }).namespace === undefined;
}

/**
 * Advice for a world that is not in the default namespace, where a caller named none: where it may
 * be instead. Only for such callers: one that names its namespace need not learn of others. Empty
 * if there is nothing to say.
 *
 * @param holders other namespaces in memory that have a world of that slug
 * @param others all other namespaces that hold worlds
 * @param isEmpty whether the default namespace holds no world
 */
export function elsewhereText(
  { namespace, slug }: { readonly namespace: string; readonly slug: string },
  { holders, others, isEmpty }: { holders: readonly string[]; others: readonly string[]; isEmpty: boolean },
): string {
  const remedy = (name: string) =>
    `name the namespace, or open the engine with defaultNamespace: ${JSON.stringify(name)}.`;
  if (holders.length > 0) {
    const worlds = listed(holders.map((name) => `${name}/${slug}`));
    return ` There is ${worlds}: ${remedy(holders[0])}`;
  }
  if (!isEmpty || others.length === 0) return '';
  return ` The default namespace ${namespace} holds no world; there are worlds in ${listed(others)}: ${remedy(others[0])}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const shown = more > 0 ? [...names.slice(0, MAX_NAMES), `${more} more`] : names;
  return shown.length === 1 ? shown[0] : `${shown.slice(0, -1).join(', ')} and ${shown[shown.length - 1]}`;
}
