import { WorldsError } from '../model/worlds-error.ts';
import type { ExpandedObject } from './expanded-jsonld.ts';
import { NEST } from './jsonld-disguise.ts';

/**
 * Gives a node of expanded JSON-LD with the properties under {@link NEST} as its own: semantically, nesting is transparent (JSON-LD 1.1 section 4.4).
 *
 * Refuses keywords in what is nested: `fail`s for `@value`, as JSON-LD 1.1 API section 5.1.2 step 14.2.1 has it, and throws UNSUPPORTED for those
 * that make a node what it is, since expansion looked for them in the node itself.
 */
export function mergeNests(node: ExpandedObject, fail: (message: string) => never): ExpandedObject {
  // Keys are IRIs and keywords in disguise: none is the name of a member that objects inherit.
  const merged: Record<string, unknown> = {};
  const pending: ExpandedObject[] = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    for (const [key, value] of Object.entries(next)) {
      if (key === NEST) {
        for (const nested of value as ExpandedObject[]) {
          if ('@value' in nested) fail('invalid @nest value: what is nested must be an object of properties');
          pending.push(nested);
        }
      } else if (next === node) merged[key] = value;
      else if (key === '@reverse') merged[key] = joined((merged[key] ?? {}) as ExpandedObject, value as ExpandedObject);
      else if (key === '@included' || !key.startsWith('@'))
        merged[key] = [...((merged[key] ?? []) as unknown[]), ...(value as unknown[])];
      else if (key !== '@index')
        throw new WorldsError(
          'UNSUPPORTED',
          `Not supported in JSON-LD: ${key} in an alias of @nest that has a context. Put it into the node itself.`,
        );
    }
  }
  return merged;
}

/** Two maps of reverse properties as one. */
function joined(one: ExpandedObject, other: ExpandedObject): ExpandedObject {
  const result: Record<string, unknown> = { ...one };
  for (const [property, subjects] of Object.entries(other))
    result[property] = [...((result[property] ?? []) as unknown[]), ...(subjects as unknown[])];
  return result;
}
