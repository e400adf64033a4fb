import type { SeededRandom } from '@rdf-worlds/testkit';
import { EX, type JsonObject, LITERAL_PROPERTIES, NODES, PROPERTIES, some, TYPES } from './random-document.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** Contexts that frames are written with. */
const CONTEXTS: readonly JsonObject[] = [
  {},
  { '@vocab': EX },
  { '@vocab': EX, p: { '@type': '@id' }, q: { '@container': '@set' }, id: '@id' },
  { ex: EX, P: { '@id': 'ex:p' }, Q: { '@id': 'ex:q', '@language': 'en' }, backP: { '@reverse': 'ex:p' } },
];

/** Names for keywords, in a part of the frames. */
const ALIASES: JsonObject = {
  type: '@type',
  graph: '@graph',
  embed: '@embed',
  explicit: '@explicit',
  all: '@requireAll',
  omit: '@omitDefault',
  otherwise: '@default',
  value: '@value',
  list: '@list',
};

/** What both implementations do alike is left in; see docs/reference/json-ld-differences.md. */
export function randomFrame(random: SeededRandom, graphs: boolean): JsonObject {
  const frame = nodeFrame(random, 2, 0.1);
  // They look for reverse properties in the outermost graph only.
  if (graphs) delete frame['@reverse'];
  if (graphs && random.chance(0.5))
    frame['@graph'] = random.chance(0.5) ? {} : { ...nodeFrame(random, 1), '@reverse': {} };
  // They refuse an included frame that has an @id alone.
  if (random.chance(0.1)) frame['@included'] = { ...nodeFrame(random, 0), '@type': random.pick(TYPES) };
  // They do not compact the identifiers of graph objects with prefixes.
  const context = random.pick(graphs ? CONTEXTS.slice(0, 3) : CONTEXTS);
  if (random.chance(0.3)) return { '@context': { ...context, ...ALIASES }, ...(aliased(frame) as JsonObject) };
  return Object.keys(context).length > 0 ? { '@context': context, ...frame } : frame;
}

function aliased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(aliased);
  if (typeof value !== 'object' || value === null) return value;
  const names = new Map(Object.entries(ALIASES).map(([alias, keyword]) => [keyword, alias]));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      // They take a node there for a pattern under an alias.
      const isNodeDefault = key === '@default' && typeof member === 'object';
      return [(!isNodeDefault && names.get(key)) || key, aliased(member)];
    }),
  );
}

function nodeFrame(random: SeededRandom, depth: number, idChance = 0.3): JsonObject {
  const frame: JsonObject = {};
  if (random.chance(idChance)) frame['@id'] = random.pick<unknown>([random.pick(NODES), some(random, NODES, 0.5), {}]);
  if (random.chance(0.4))
    frame['@type'] = random.pick<unknown>([
      random.pick(TYPES),
      some(random, TYPES, 0.6),
      {},
      [],
      { '@default': random.pick(TYPES) },
    ]);
  flags(random, frame);
  if (depth > 0) {
    const isDecided = frame['@requireAll'] !== true && ('@id' in frame || '@type' in frame);
    for (const property of some(random, PROPERTIES, 0.35))
      frame[property] = propertyFrame(random, depth, isDecided, LITERAL_PROPERTIES.has(property));
    if (random.chance(0.15))
      // They embed again in the nodes of a reverse property.
      frame['@reverse'] = { [random.pick(PROPERTIES)]: { '@embed': random.pick(['@always', '@never']) } };
  }
  return frame;
}

function flags(random: SeededRandom, frame: JsonObject): void {
  if (random.chance(0.3)) frame['@embed'] = random.pick<unknown>(['@always', '@once', '@never', true, false]);
  if (random.chance(0.15)) frame['@explicit'] = random.chance(0.7);
  if (random.chance(0.2)) frame['@requireAll'] = random.chance(0.7);
}

/**
 * @param isDecided whether `@id` or `@type` decide which nodes match; otherwise the pattern does,
 *   and they take most node patterns for wildcards
 * @param hasLiterals whether values may be literals, which they leave out where a frame has `@type`
 */
function propertyFrame(random: SeededRandom, depth: number, isDecided: boolean, hasLiterals: boolean): unknown {
  const roll = random.below(10);
  // They throw for an empty array that is not used for matching.
  if (roll === 0 && !isDecided) return [];
  if (roll === 1 && hasLiterals) return valuePattern(random, isDecided);
  // They write a default as a term has it, even where it then is another value.
  if (roll === 2)
    return { '@default': random.pick<unknown>([hasLiterals ? 'none' : '@null', '@null', { '@id': `${EX}none` }]) };
  if (roll === 3)
    return { '@list': [random.chance(0.5) ? valuePattern(random, isDecided) : { '@id': random.pick(NODES) }] };
  if (roll === 4) return { '@id': random.pick(NODES) };
  const frame: JsonObject = {};
  if (isDecided && !hasLiterals && random.chance(0.6)) Object.assign(frame, nodeFrame(random, depth - 1));
  else flags(random, frame);
  if (random.chance(0.3)) frame['@omitDefault'] = random.chance(0.8);
  if (roll === 5) frame['@graph'] = {};
  return frame;
}

/** @param hasWildcard whether the wildcard is used, which matches nodes, too, for them */
function valuePattern(random: SeededRandom, hasWildcard: boolean): JsonObject {
  const values: unknown[] = ['x', ['x', 'y']];
  const pattern: JsonObject = { '@value': random.pick(hasWildcard ? [...values, {}] : values) };
  const roll = random.below(5);
  if (roll === 0) pattern['@language'] = random.pick<unknown>([{}, 'en', 'EN', []]);
  if (roll === 1) pattern['@type'] = random.pick<unknown>([{}, `${XSD}integer`, []]);
  return pattern;
}
