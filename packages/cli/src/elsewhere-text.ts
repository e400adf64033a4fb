/** Maximum number of names that a message lists. */
const MAX_NAMES = 3;

/** Says in which namespaces there are worlds, since the default namespace has none. */
export function elsewhereText(defaultNamespace: string, names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const shown = names.slice(0, MAX_NAMES).join(', ') + more;
  return `rdf-worlds: ${defaultNamespace} has no worlds; there are worlds in ${shown}: specify it with --namespace.\n`;
}
