import { expect } from 'vitest';
import type { Answered } from './exchange.ts';
import type { WireJson } from './wire-json.ts';

/** All fields of a world in a response. */
const WORLD_FIELDS = new Map<string, (value: unknown) => boolean>([
  ['slug', isString],
  ['namespace', isString],
  ['label', isString],
  ['description', (value) => value === null || isString(value)],
  ['createdAt', isNumber],
  ['updatedAt', isNumber],
  // Null or absent: deleted worlds are never returned.
  ['deletedAt', (value) => value === null],
]);
const REQUIRED_WORLD_FIELDS = ['slug', 'createdAt', 'updatedAt'];

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}

export function expectWorld(value: WireJson): void {
  expect(value).toBeTypeOf('object');
  for (const [field, content] of Object.entries(value)) {
    expect(WORLD_FIELDS.has(field), `a World has no field ${field}`).toBe(true);
    expect(WORLD_FIELDS.get(field)!(content), `${field}: ${JSON.stringify(content)}`).toBe(true);
  }
  for (const field of REQUIRED_WORLD_FIELDS) expect(value).toHaveProperty(field);
}

/** Checks an error response: JSON with a non-trivial `error.message`. Returns the message. */
export function expectError(answer: Answered, status: number | readonly number[]): string {
  const told = `${answer.status} ${answer.text.slice(0, 300)}`;
  expect(typeof status === 'number' ? [status] : status, told).toContain(answer.status);
  expect(answer.mediaType, told).toBe('application/json');
  const { error } = answer.json();
  expect(error?.message, told).toBeTypeOf('string');
  expect(error.message.length, told).toBeGreaterThan(3);
  return error.message;
}

/** 204 with no body and nothing that says there is one. */
export function expectNoContent(answer: Answered): void {
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(answer.headers.get('content-type')).toBeNull();
}

/** Checks a term in SPARQL results. */
function expectSparqlValue(value: WireJson): void {
  const fields: Record<string, string[]> = {
    uri: ['type', 'value'],
    bnode: ['type', 'value'],
    literal: ['type', 'value', 'xml:lang', 'datatype'],
    triple: ['type', 'value'],
  };
  expect(Object.keys(fields)).toContain(value.type);
  for (const field of Object.keys(value)) expect(fields[value.type]).toContain(field);
  if (value.type !== 'triple') {
    expect(value.value).toBeTypeOf('string');
    return;
  }
  for (const part of ['subject', 'predicate', 'object']) expectSparqlValue(value.value[part]);
}

/** Checks the results of a SELECT: SPARQL JSON results without `link`. */
export function expectSelectResults(answer: Answered): { vars: string[]; bindings: Record<string, WireJson>[] } {
  expect([answer.status, answer.mediaType], answer.text).toEqual([200, 'application/sparql-results+json']);
  const { head, results, ...rest } = answer.json();
  expect(rest).toEqual({});
  expect(Object.keys(head)).toEqual(['vars']);
  expect(Object.keys(results)).toEqual(['bindings']);
  for (const binding of results.bindings) {
    for (const variable of Object.keys(binding)) expect(head.vars).toContain(variable);
    for (const value of Object.values(binding)) expectSparqlValue(value);
  }
  return { vars: head.vars, bindings: results.bindings };
}

/** Second shape. */
export function expectAskResults(answer: Answered): boolean {
  expect([answer.status, answer.mediaType], answer.text).toEqual([200, 'application/sparql-results+json']);
  const { head, boolean, ...rest } = answer.json();
  expect(rest).toEqual({});
  expect(head).toEqual({ vars: [] });
  expect(boolean).toBeTypeOf('boolean');
  return boolean;
}

/** Third shape. */
export function expectQuadsResults(answer: Answered): WireJson[] {
  expect([answer.status, answer.mediaType], answer.text).toEqual([200, 'application/sparql-results+json']);
  const { head, results, ...rest } = answer.json();
  expect(rest).toEqual({});
  expect(head).toEqual({ vars: [] });
  expect(Object.keys(results)).toEqual(['quads']);
  for (const { subject, predicate, object, graph, ...more } of results.quads) {
    expect(more).toEqual({});
    expect(['uri', 'bnode']).toContain(subject.type);
    expect(predicate.type).toBe('uri');
    expectSparqlValue(object);
    expect(['default', 'uri']).toContain(graph.type);
    for (const part of [subject, predicate, graph]) expect(Object.keys(part).sort()).toEqual(['type', 'value']);
  }
  return results.quads;
}

/** Checks search hits: exactly the required fields. */
export function expectSearchResults(answer: Answered): WireJson[] {
  expect([answer.status, answer.mediaType], answer.text).toEqual([200, 'application/json']);
  const hits = answer.json();
  expect(Array.isArray(hits)).toBe(true);
  for (const hit of hits) {
    expect(Object.keys(hit).sort()).toEqual(
      ['ftsRank', 'object', 'predicate', 'score', 'subject', 'vecRank', 'world'].sort(),
    );
    for (const field of ['subject', 'predicate', 'object']) expect(hit[field]).toBeTypeOf('string');
    for (const field of ['vecRank', 'ftsRank']) expect(hit[field] === null || isNumber(hit[field])).toBe(true);
    expect(isNumber(hit.score)).toBe(true);
    expectWorld(hit.world);
  }
  return hits;
}
