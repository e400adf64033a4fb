import { looksLikeIri } from './keywords.ts';
import { invalidJsonLd, shown } from './work.ts';

/**
 * A node, value or list object of expanded JSON-LD: maps keywords and absolute IRIs to their
 * values. Every name contains a colon or starts with `@`, so none collides with an inherited
 * member.
 */
export type ExpandedObject = Record<string, unknown>;

/**
 * A member of large nodes that is not in the specification: node objects without an identifier,
 * with further properties of the node.
 */
export const PARTS = '@parts';

/** The result of expanding an element. */
export type Expanded = ExpandedObject | ExpandedObject[] | null;

/** Appends a value to the array of a member. */
export function push(object: ExpandedObject, name: string, value: ExpandedObject): void {
  const values = object[name];
  if (values === undefined) object[name] = [value];
  else (values as ExpandedObject[]).push(value);
}

/**
 * Validates and normalises an expanded object (JSON-LD 1.1 API section 5.1.2, steps 15 to 19).
 * Throws INVALID_RDF.
 */
export function finishObject(result: ExpandedObject, property: string | null): Expanded {
  let finished: Expanded = result;
  if ('@value' in result) {
    if (!checkValueObject(result)) return null;
  } else if ('@set' in result || '@list' in result) {
    const members = memberCount(result, 3);
    if (members > 2 || (members === 2 && !('@index' in result)))
      invalidJsonLd('invalid set or list object: besides @set or @list, only @index is allowed');
    if ('@set' in result) {
      finished = result['@set'] as Expanded;
      if (finished === null || Array.isArray(finished)) return finished;
    }
  } else if ('@type' in result && !Array.isArray(result['@type'])) result['@type'] = [result['@type']];
  if ('@language' in finished && memberCount(finished, 2) === 1) return null;
  if (property !== null && property !== '@graph') return finished;
  // Step 19: drops objects without information about a node.
  const members = memberCount(finished, 2);
  return members === 0 || '@value' in finished || '@list' in finished || (members === 1 && '@id' in finished)
    ? null
    : finished;
}

/** Returns the number of members of an object, at most `limit`. */
function memberCount(object: ExpandedObject, limit: number): number {
  let count = 0;
  for (const _ in object) if (++count === limit) break;
  return count;
}

const VALUE_MEMBERS = new Set(['@direction', '@index', '@language', '@type', '@value']);

/** Step 15: validates a value object. Returns false if it has no value. */
function checkValueObject(result: ExpandedObject): boolean {
  for (const name in result)
    if (!VALUE_MEMBERS.has(name))
      invalidJsonLd(`invalid value object: it has ${shown(name)} in addition to its @value`);
  const value = result['@value'];
  const type = result['@type'];
  if (type !== undefined && ('@language' in result || '@direction' in result))
    invalidJsonLd('invalid value object: it has both a @type and a @language or @direction');
  if (type === '@json') return true;
  if (value === null) return false;
  if (typeof value !== 'string' && '@language' in result)
    invalidJsonLd(`invalid language-tagged value: ${shown(value)} is not a string`);
  if (type !== undefined && !(typeof type === 'string' && looksLikeIri(type) && !type.startsWith('_:')))
    invalidJsonLd(`invalid typed value: the @type of a value object must be one IRI, not ${shown(type)}`);
  return true;
}

/**
 * Returns whether an item is a graph object: `@graph` and at most `@id` and `@index` (JSON-LD 1.1
 * section 9.4).
 */
export function isGraphObject(item: ExpandedObject): boolean {
  if (!('@graph' in item)) return false;
  for (const name in item) if (name !== '@graph' && name !== '@id' && name !== '@index') return false;
  return true;
}
