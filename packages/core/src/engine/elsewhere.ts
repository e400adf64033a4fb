import type { WorldSource } from './world.ts';

/** Maximum number of names that a message lists. */
const MAX_NAMES = 3;

/** Whether a source is only a slug, so that the default namespace applies. */
export function namesNoNamespace(source: WorldSource): boolean {
  if (typeof source === 'string') return !source.includes('/');
  if ('name' in source && source.name !== undefined) return !source.name.includes('/');
  return (source as { namespace?: string }).namespace === undefined;
}

/**
 * Returns a hint for a world that was not found in the default namespace: where it may be instead.
 * Empty if there is none. Use it only if the request named no namespace; otherwise the caller must
 * not learn about other namespaces.
 *
 * @param holders other loaded namespaces with a world of that slug
 * @param others all other namespaces with worlds
 * @param isEmpty whether the default namespace has no worlds
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
