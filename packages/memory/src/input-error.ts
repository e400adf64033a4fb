import { WorldsError } from '@rdf-worlds/core';
import { kindOf, misspeltName, nearestName } from '@rdf-worlds/core/internal';
import { z } from 'zod';
import type { AgentMemory } from './agent-memory.ts';
import { TIME } from './term-input.ts';
import type { Tool } from './tool.ts';

/** Problems of the arguments that one message lists. */
const MAX_PROBLEMS = 3;
/** Unknown arguments that one problem lists. */
const MAX_UNKNOWN = 5;
/** Unknown arguments that are compared with the known ones: each takes some 10 µs. */
const MAX_COMPARED = 100;
/** Code units of a message before its end, which lists the arguments and shows a right call. */
const MAX_LENGTH = 1_000;

type Issue = z.core.$ZodIssue;
type Path = Issue['path'];

/**
 * Returns the error for arguments that a tool cannot take, for a model: each problem with what to
 * pass instead, the arguments that there are, and a right call.
 */
export function inputError(tool: Tool, input: unknown, { issues }: z.ZodError, memory: AgentMemory): WorldsError {
  const now = memory.now();
  const problems = withoutRenamed(tool, issues).slice(0, MAX_PROBLEMS);
  const texts = problems.map((issue) => {
    const where = pathText(issue.path);
    return `${where}${where && ': '}${problemOf(tool, issue, input, now)}`;
  });
  // A memory of one world does not show these.
  const names = Object.keys(tool.input.shape).filter((name) => !memory.scope.isSingle || !/^worlds?$/.test(name));
  const known = names.length === 0 ? 'There are no arguments' : `The arguments are ${names.join(', ')}`;
  return new WorldsError(
    'INVALID_ARGUMENT',
    `${tool.name}: ${texts.join('; ').slice(0, MAX_LENGTH)}. ${known}; a correct call: ${JSON.stringify(tool.example)}`,
  );
}

/** `facts[0].subject`. */
function pathText(path: Path): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : `${text}${text && '.'}${String(step)}`),
    '',
  );
}

function problemOf(tool: Tool, issue: Issue, input: unknown, now: Date): string {
  const given = valueAt(input, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownText(tool, issue.keys, given, schemaAt(tool.input, issue.path));
    case 'invalid_type':
      return typeText(issue.expected, given, issue.path);
    case 'invalid_value':
      return given === undefined
        ? `it is missing; pass ${choices(issue.values)}`
        : `${shown(given)} is not one of ${choices(issue.values)}`;
    case 'invalid_union':
      return typeText('text, number or boolean', given, issue.path);
    case 'invalid_format':
      return issue.format === 'regex' && issue.pattern === String(TIME)
        ? `${shown(given)} is not a time; pass one such as 2026, 2026-03, 2026-03-31 or 2026-03-31T09:00:00Z (now it is ${now.toISOString().slice(0, 16)}Z)`
        : issue.message;
    case 'too_small':
      if (issue.minimum === 1 && issue.origin !== 'number' && issue.origin !== 'int')
        return 'it is empty; pass at least one '.concat(issue.origin === 'string' ? 'character' : 'item');
      return `${shown(given)} is too small; the least is ${issue.minimum}`;
    case 'too_big':
      if (issue.origin === 'string') return `it is longer than ${issue.maximum} characters; shorten it`;
      return issue.origin === 'number' || issue.origin === 'int'
        ? `${shown(given)} is too large; the most is ${issue.maximum}`
        : `it has more than ${issue.maximum} items; split it into several calls`;
    default:
      return issue.message;
  }
}

/** Names of the types of zod, as a model would say. */
const EXPECTED: Readonly<Record<string, string>> = {
  array: 'a list',
  object: 'an object',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function typeText(expected: string, given: unknown, path: Path): string {
  const wanted = EXPECTED[expected] ?? expected;
  if (given === undefined) return `it is missing; pass ${wanted}`;
  if (given === null) return `it is null; pass ${wanted}, or leave it out`;
  if (expected === 'string' && path.at(-1) === 'object' && typeof given !== 'object')
    return `it is ${kindOf(given)}; for a text, number or boolean pass value instead of object`;
  if (typeof given === 'string' && (expected === 'array' || expected === 'object')) {
    return /^\s*[[{]/.test(given)
      ? `it is JSON in a text; pass ${wanted} itself, without quotes around it`
      : `it is text; pass ${wanted}${expected === 'array' && given.length < 100 && path.length === 1 ? `, such as ${JSON.stringify([given])}` : ''}`;
  }
  if (typeof given === 'string') return `it is text; pass ${wanted}, without quotes around it`;
  if (expected === 'array') return `it is ${kindOf(given)}; pass a list of such, in []`;
  if (expected === 'string' && typeof given === 'number') return `it is a number; pass text: "${given}"`;
  return `it is ${kindOf(given)}; pass ${wanted}`;
}

function unknownText(tool: Tool, keys: readonly string[], given: unknown, schema: z.ZodType | undefined): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const present = new Set(Object.keys(Object(given)));
  const free = known.filter((name) => !present.has(name));
  const unknown = keys.slice(0, MAX_UNKNOWN).map((key) => ({ key, near: renamed(key, free, schema) }));
  const proposed = unknown.filter(({ near }) => near !== undefined);
  const none = `there is no argument ${unknown.map(({ key }) => shown(key)).join(', ')}`;
  if (tool.name === 'remember' && keys.includes('subject')) return `${none}; a fact is an item of facts`;
  if (proposed.length === 0) return none;
  return `${none}; did you mean ${proposed.map(({ key, near }) => (unknown.length === 1 ? near : `${near} for ${key}`)).join(', ')}?`;
}

/** What models call arguments that have another name here. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  query: ['q', 'text', 'sparql', 'question', 'search'],
  limit: ['top_k', 'k', 'max', 'count', 'n'],
  entity: ['name', 'id', 'iri', 'subject', 'node'],
  name: ['entity', 'query', 'label', 'q'],
  from: ['valid_from', 'start', 'since', 'begin'],
  until: ['valid_until', 'valid_to', 'end', 'to'],
  since: ['from', 'valid_from', 'date'],
  world: ['name', 'slug', 'worlds'],
  worlds: ['world', 'name'],
  valid_at: ['time', 'date', 'at', 'when'],
  recorded_at: ['as_of', 'known_at'],
  text: ['content', 'body'],
  document: ['content', 'data', 'rdf', 'turtle', 'title', 'name'],
  facts: ['fact', 'triples', 'statements'],
  subject: ['s'],
  predicate: ['p', 'property', 'relation'],
  object: ['o', 'new'],
  source: ['sources', 'provenance'],
};

/**
 * Returns the argument that a name stands for: misspelt, or by another word. Required ones first.
 */
function renamed(key: string, free: readonly string[], schema: z.ZodType | undefined): string | undefined {
  const lower = key.toLowerCase();
  const isOptional = (name: string) => schema instanceof z.ZodObject && schema.shape[name]?.isOptional?.() === true;
  const meant = free.filter((name) => SYNONYMS[name]?.includes(lower));
  return (
    misspeltName(key, free) ?? meant.find((name) => !isOptional(name)) ?? meant[0] ?? nearestName(key, free, 1 / 3)
  );
}

/** Leaves out the missing arguments that an unknown one evidently is. */
function withoutRenamed(tool: Tool, issues: readonly Issue[]): Issue[] {
  const isFor = new Set<string>();
  let compared = 0;
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const schema = schemaAt(tool.input, issue.path);
    const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    for (const key of issue.keys.slice(0, MAX_COMPARED - compared)) {
      compared++;
      const name = renamed(key, known, schema);
      if (name !== undefined) isFor.add(pathText([...issue.path, name]));
    }
  }
  const rest = issues.filter((issue) => issue.code !== 'invalid_type' || !isFor.has(pathText(issue.path)));
  // What is there under a wrong name explains the most.
  return [
    ...rest.filter(({ code }) => code === 'unrecognized_keys'),
    ...rest.filter(({ code }) => code !== 'unrecognized_keys'),
  ];
}

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) => (Object.hasOwn(Object(value), step) ? (value as Record<PropertyKey, unknown>)[step] : undefined),
    input,
  );
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let found: unknown = schema;
  for (const step of path) {
    while (found instanceof z.ZodOptional) found = found.unwrap();
    if (found instanceof z.ZodArray) found = found.element;
    else if (found instanceof z.ZodObject) found = found.shape[String(step)];
    else return undefined;
  }
  while (found instanceof z.ZodOptional) found = found.unwrap();
  return found as z.ZodType;
}

const choices = (values: readonly unknown[]) => values.map(String).join(', ');

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 100);
}
