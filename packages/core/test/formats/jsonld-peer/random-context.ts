import type { SeededRandom } from '@rdf-worlds/testkit';
import { DATATYPE, IRIS, OTHER_PROPERTIES, WITH_NESTED_LISTS, WITHOUT_LISTS } from './random-dataset.ts';
import { EX, type JsonObject, PROPERTIES, some, TYPES } from './random-document.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

const CONTAINERS: readonly unknown[] = [
  '@set',
  '@list',
  '@language',
  '@index',
  '@graph',
  ['@set'],
  ['@language', '@set'],
  ['@index', '@set'],
  ['@graph', '@id'],
  ['@graph', '@index', '@set'],
];
const MAPS_OF_NODES: readonly unknown[] = ['@id', '@type', ['@id', '@set'], ['@type', '@set']];

type Aliases = readonly (readonly [string, string])[];
const ALIASES: Aliases = [
  ['list', '@list'],
  ['graph', '@graph'],
];
/** They write these where reading does not know them any more. */
const OUTER_ALIASES: Aliases = [
  ['id', '@id'],
  ['a', '@type'],
  ['value', '@value'],
  ['lang', '@language'],
  ['dir', '@direction'],
];
/** They look up the keys of maps in a scoped context. */
const NONE_ALIASES: Aliases = [
  ['none', '@none'],
  // As a key of a language map, it has two meanings.
  ['en', '@none'],
];
/** The property with at most one term: they select one with `@type: @none` before others. */
const UNTYPED = OTHER_PROPERTIES[0];

/** Where a context is. */
interface Place {
  readonly isWild: boolean;
  /** Number of levels of scoped contexts in it. */
  readonly depth: number;
  readonly scope?: 'property' | 'type';
  /** The property that the context is scoped to. */
  readonly property?: string;
  /** Whether a context precedes it in an array. */
  readonly isSecond?: boolean;
  /** Whether terms may be protected. */
  readonly mayProtect: boolean;
}

/**
 * Returns a random context, or an array of them, for datasets of `randomDataset`. A wild one has
 * what the two implementations do not do alike, too; see docs/reference/json-ld-differences.md.
 */
export function randomContext(random: SeededRandom, isWild: boolean): unknown {
  if (random.chance(0.03)) return [];
  const mayProtect = random.chance(0.3);
  // They refuse a scoped context that would redefine protected terms, if it were used.
  const place = { isWild, depth: mayProtect && !isWild ? 0 : 2, mayProtect };
  const first = context(random, place);
  if (random.chance(0.8)) return random.chance(0.1) ? { ...first, '@propagate': random.chance(0.5) } : first;
  const second = context(random, { ...place, depth: 0, isSecond: true });
  if (isWild) first['@propagate'] = random.chance(0.5);
  else {
    // They lose it in a context derived from that one, and prefer the alias of @type to @type.
    for (const name of ['@direction', 'a', '@type']) delete first[name];
    if (!mayProtect) delete second['@direction'];
  }
  return [first, random.chance(0.2) ? null : {}, second];
}

function context(random: SeededRandom, place: Place): JsonObject {
  const { isWild, depth, scope, mayProtect } = place;
  const result: JsonObject = {};
  if (random.chance(0.1)) result['@version'] = 1.1;
  // Neither loads the context, as there is no loader.
  if (random.chance(0.01)) result['@import'] = 'http://remote.org/';
  if (random.chance(0.4))
    result['@vocab'] = random.pick<unknown>([EX, EX, `${EX}sub/`, 'http://other.org/v#', 'ex:', null]);
  if (random.chance(0.3))
    result['@base'] = random.pick<unknown>([EX, `${EX}sub/`, `${EX}sub/c`, 'http://other.org/', null]);
  if (random.chance(0.3)) result['@language'] = random.pick<unknown>(['en', 'EN', 'de', null]);
  const keepsDirection = depth === 0 && !scope;
  if ((isWild || keepsDirection) && random.chance(0.2))
    result['@direction'] = random.pick<unknown>(['ltr', 'rtl', null]);
  if (mayProtect && random.chance(0.2)) result['@protected'] = isWild ? random.chance(0.7) : true;
  if (scope === 'type' && random.chance(0.2)) result['@propagate'] = random.chance(0.7);
  if (random.chance(0.5)) result['ex'] = EX;
  if (random.chance(0.2))
    result['sub'] = random.chance(0.5) ? `${EX}sub/` : { '@id': `${EX}sub`, '@prefix': random.chance(0.8) };
  if (random.chance(0.1)) result['xsd'] = XSD;
  for (const [alias, keyword] of some(random, aliases(place), 0.15)) result[alias] = keyword;
  if (random.chance(0.2)) result['more'] = '@nest';
  for (const property of [...PROPERTIES, ...OTHER_PROPERTIES]) {
    // They read a value by the term that a context scoped to its property defines for that.
    if (!isWild && property === place.property) continue;
    if (!isWild && property === UNTYPED && (scope || place.isSecond)) continue;
    const limit = property === UNTYPED ? 2 : 3;
    for (let terms = random.below(limit); terms > 0; terms--) addTerm(random, place, result, property, terms);
  }
  for (const type of TYPES) {
    if (random.chance(0.6)) continue;
    const name = type.slice(EX.length);
    const isScoped = depth > 0 && random.chance(0.4);
    result[name] = isScoped ? { '@id': type, '@context': scoped(random, { ...place, scope: 'type' }) } : type;
  }
  if (random.chance(0.3)) result['D'] = DATATYPE;
  // A term for a node, for @type: @vocab.
  if (random.chance(0.2)) result['n'] = random.pick(IRIS);
  // They select an alias of @type although @type itself has a container.
  const hasTypeContainer = isWild || (!scope && depth === 0 && !('a' in result));
  if (hasTypeContainer && random.chance(0.1)) result['@type'] = { '@container': '@set' };
  if (random.chance(0.05)) result[random.pick(['p', 'q', 's'])] = null;
  return result;
}

function aliases({ isWild, scope, depth }: Place): Aliases {
  if (!isWild && scope) return ALIASES;
  return isWild || depth === 0 ? [...ALIASES, ...OUTER_ALIASES, ...NONE_ALIASES] : [...ALIASES, ...OUTER_ALIASES];
}

function scoped(random: SeededRandom, place: Place): unknown {
  // They do not return from a context of null.
  if ((place.isWild || place.scope === 'property') && random.chance(0.1)) return null;
  return context(random, { ...place, depth: place.depth - 1 });
}

function addTerm(random: SeededRandom, place: Place, result: JsonObject, property: string, number: number): void {
  const { isWild, scope } = place;
  const name = property.slice(Math.max(property.lastIndexOf('/'), property.lastIndexOf('#')) + 1);
  // They take the values of a term for reversed if a context scoped to it says so.
  if (random.chance(0.08) && (isWild || scope !== 'property')) {
    result[`${name}${number}`] = { '@reverse': property, ...(random.chance(0.5) && { '@container': '@set' }) };
    return;
  }
  const names = [name, `${name}${number}`, `${name}${number}`, property];
  if (result['ex'] === EX && property === EX + name) names.push(`ex:${name}`);
  const term = random.pick(names);
  const definition = termDefinition(random, place, term, property, 'more' in result);
  // They read a value as a graph if the term has that container where a scoped context does not
  // apply.
  const isGraph = !isWild && JSON.stringify(definition['@container'] ?? '').includes('@graph');
  const isSimple = Object.keys(definition).length === 1;
  result[isGraph ? `${name}G` : term] = isSimple && random.chance(0.5) ? property : definition;
}

function termDefinition(
  random: SeededRandom,
  place: Place,
  term: string,
  property: string,
  hasNest: boolean,
): JsonObject {
  const { isWild, depth, mayProtect } = place;
  const definition: JsonObject = { '@id': property };
  if (random.chance(0.2)) return definition;
  // What a term with the name of the IRI does not hold cannot be written.
  const isIri = term === property;
  if (random.chance(0.5)) {
    // They write the entries of a map by @type in a type-scoped context that does not apply to
    // them.
    const hasMaps = isWild || (property === WITHOUT_LISTS && !isIri && depth === 0 && !place.scope);
    const containers = hasMaps ? [...CONTAINERS, ...MAPS_OF_NODES] : CONTAINERS;
    definition['@container'] = random.pick(isIri && random.chance(0.9) ? ['@set', '@index'] : containers);
  }
  const isTypeMap = JSON.stringify(definition['@container'] ?? '').includes('@type');
  const isCoerced = isWild || property !== WITH_NESTED_LISTS;
  if (isTypeMap) definition['@type'] = random.pick(['@id', '@vocab']);
  else if (isCoerced && random.chance(0.4)) {
    const types = ['@id', '@vocab', `${XSD}integer`, `${XSD}date`, DATATYPE];
    // They write a JSON literal into a set, and others into a JSON term.
    if (isWild || (!definition['@container'] && !isIri && random.chance(0.3))) types.push('@json');
    if (isWild || property === UNTYPED) types.push('@none', '@none', '@none');
    definition['@type'] = random.pick(types);
  } else if (isCoerced) {
    if (random.chance(0.3)) definition['@language'] = random.pick<unknown>(['en', 'de', 'ar', null]);
    // They prefer a term with a direction alone to one with neither direction nor language.
    if ((isWild || property === UNTYPED || definition['@language']) && random.chance(0.3))
      definition['@direction'] = random.pick<unknown>(['ltr', 'rtl', null]);
  }
  if (isWild && definition['@container'] === '@index' && random.chance(0.3)) definition['@index'] = `${EX}s`;
  if (depth > 0 && random.chance(0.12))
    definition['@context'] = scoped(random, { ...place, scope: 'property', property });
  if (hasNest && random.chance(0.2)) definition['@nest'] = random.pick(['more', '@nest']);
  if (mayProtect && random.chance(0.2)) definition['@protected'] = true;
  return definition;
}
