import { WorldsError } from '@rdf-worlds/core';
import { misspeltName, nearestName } from '@rdf-worlds/core/internal';
import { z } from 'zod';

/** The fields of a JSON object, in all forms that its schema allows. */
interface FieldTree {
  /** What each field holds, if that is an object or an array of objects. */
  readonly fields: ReadonlyMap<string, FieldTree | undefined>;
  /** The fields that each form requires. */
  readonly required: readonly (readonly string[])[];
}

/** Schemas live as long as the process; their trees are built on first use. */
const TREES = new WeakMap<z.ZodType, FieldTree>();

/**
 * Throws `INVALID_ARGUMENT` for an unknown field that evidently means a known one: it is a
 * misspelling of one, or a required field is missing. Others are ignored, because clients of newer
 * versions of the interface may send more.
 *
 * @param expected fields that the schema does not require, but whose absence is as telling
 */
export function requireIntendedFields(schema: z.ZodType, value: unknown, expected: readonly string[] = []): void {
  let tree = TREES.get(schema);
  if (!tree) {
    tree = treeOf(schema) ?? { fields: new Map(), required: [] };
    TREES.set(schema, tree);
  }
  requireIntended(tree, value, '', expected);
}

function requireIntended(tree: FieldTree, value: unknown, path: string, expected: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    // No schema has arrays in arrays.
    for (let i = 0; i < value.length; i++)
      if (!Array.isArray(value[i])) requireIntended(tree, value[i], `${path}[${i}]`, expected);
    return;
  }
  const unknown: string[] = [];
  for (const [field, inner] of Object.entries(value)) {
    const below = tree.fields.get(field);
    if (below) requireIntended(below, inner, path === '' ? field : `${path}.${field}`, []);
    else if (!tree.fields.has(field)) unknown.push(field);
  }
  if (unknown.length === 0) return;
  const where = path === '' ? 'The body' : path;
  const known = [...tree.fields.keys()];
  for (const field of unknown.slice(0, MAX_EXAMINED)) {
    const meant = misspeltName(field, known);
    if (meant !== undefined) invalid(`${where}: there is no field ${shown(field)}; did you mean ${meant}?`);
  }
  const missing = missingField(tree, value, expected);
  if (missing === undefined) return;
  const [field] = unknown;
  const near = nearestName(field.slice(0, MAX_SHOWN), known, 1 / 2) ?? missing;
  invalid(`${where}: there is no field ${shown(field)}, and ${missing} is missing; did you mean ${near}?`);
}

/** Returns a required field that is missing; undefined if the object is complete in some form. */
function missingField({ required }: FieldTree, value: object, expected: readonly string[]): string | undefined {
  const absent = (names: readonly string[]) => names.find((name) => !Object.hasOwn(value, name));
  const missing = required.map(absent);
  return missing.every((name) => name !== undefined) && missing.length > 0 ? missing[0] : absent(expected);
}

/** Returns the fields of a schema; undefined if it has none, or any. */
function treeOf(schema: unknown): FieldTree | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return treeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return treeOf(schema.element);
  if (schema instanceof z.ZodUnion) return unionOf(schema.options.map(treeOf).filter((tree) => tree !== undefined));
  if (!(schema instanceof z.ZodObject)) return undefined;
  const members = Object.entries<z.ZodType>(schema.shape);
  return {
    fields: new Map(members.map(([name, member]) => [name, treeOf(member)])),
    required: [members.filter(([, member]) => !member.safeParse(undefined).success).map(([name]) => name)],
  };
}

function unionOf(trees: readonly FieldTree[]): FieldTree | undefined {
  if (trees.length === 0) return undefined;
  return {
    fields: new Map(trees.flatMap(({ fields }) => [...fields])),
    required: trees.flatMap(({ required }) => required),
  };
}

const MAX_SHOWN = 100;
/** Unknown fields of an object that are compared with the known ones; no request has as many. */
const MAX_EXAMINED = 100;

function shown(field: string): string {
  return JSON.stringify(field.slice(0, MAX_SHOWN));
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
