import { z } from 'zod';

/** A JSON schema of an object, for the arguments or the result of a tool. */
export interface ObjectSchema {
  readonly [keyword: string]: unknown;
  readonly type: 'object';
}

/** Schemas live as long as the process; making one takes a hundred times as long as sending it. */
const MADE = new WeakMap<z.ZodObject, Map<string, ObjectSchema>>();

/** Arguments that name the world, which a memory of a single world does not need. */
const WORLD_ARGUMENTS = ['world', 'worlds'];

/**
 * Returns the JSON schema of a zod schema, without the keywords that take tokens and tell a model
 * nothing. Always the same object for the same schema.
 */
export function jsonSchemaOf(schema: z.ZodObject, form: SchemaForm): ObjectSchema {
  let forms = MADE.get(schema);
  if (!forms) MADE.set(schema, (forms = new Map()));
  const key = `${form.io} ${form.namesWorld}`;
  let made = forms.get(key);
  if (!made) forms.set(key, (made = madeSchema(schema, form)));
  return made;
}

interface SchemaForm {
  readonly io: 'input' | 'output';
  readonly namesWorld: boolean;
}

function madeSchema(schema: z.ZodObject, { io, namesWorld }: SchemaForm): ObjectSchema {
  const { $schema: _, ...full } = z.toJSONSchema(schema, { io, target: 'draft-7' }) as Record<string, unknown>;
  const short = shortened(full) as { type: 'object'; properties?: Record<string, unknown> };
  // Of the results, the world is shown in any case.
  if (io === 'input' && !namesWorld) for (const name of WORLD_ARGUMENTS) delete short.properties?.[name];
  return short;
}

/** The ranges that zod writes for safe integers, which no argument comes near. */
const isSafeBound = (keyword: string, value: unknown) =>
  (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER);
/** Checked all the same, with an error that says the limit. */
const CHECKED_ONLY = new Set(['maxLength', 'minLength', 'maxItems', 'pattern', 'propertyNames', '$schema']);

function shortened(value: unknown, isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => shortened(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // The names of properties are not keywords.
  if (isProperties) return Object.fromEntries(entries.map(([name, schema]) => [name, shortened(schema)]));
  return Object.fromEntries(
    entries
      .filter(([keyword, item]) => !CHECKED_ONLY.has(keyword) && !isSafeBound(keyword, item))
      .filter(([keyword, item]) => !(keyword === 'additionalProperties' && item === false))
      .map(([keyword, item]) => [keyword, shortened(item, keyword === 'properties')]),
  );
}
