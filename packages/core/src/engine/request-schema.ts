/**
 * Schemas of requests: they check arguments and determine their types. Implements a part of zod,
 * with the same messages. The core does not load zod, because that takes as long as loading half of
 * the core; `test/engine/request-schema.test.ts` compares the two.
 */

type Step = string | number;

/** Text of a message, or how to make it: a union tries alternatives whose issues nobody reads. */
type MessageText = string | (() => string);

interface IssueDetails {
  readonly code?: 'invalid' | 'unrecognized_keys' | 'invalid_union';
  readonly path?: readonly Step[];
  readonly alternatives?: readonly (readonly SchemaIssue[])[];
  readonly isCondition?: boolean;
}

/** What is wrong with an argument. */
export class SchemaIssue implements Required<IssueDetails> {
  readonly code;
  /** From the request to the value. */
  readonly path;
  /** The issues of each alternative of a union. */
  readonly alternatives;
  /** Whether the value has the right type and only a condition failed. */
  readonly isCondition;
  private readonly text: MessageText;

  constructor(
    text: MessageText,
    { code = 'invalid', path = [], alternatives = [], isCondition = false }: IssueDetails = {},
  ) {
    this.text = text;
    this.code = code;
    this.path = path;
    this.alternatives = alternatives;
    this.isCondition = isCondition;
  }

  get message(): string {
    return typeof this.text === 'string' ? this.text : this.text();
  }

  /** Returns the same issue of an object or array that has this value at a path. */
  within(path: readonly Step[]): SchemaIssue {
    return new SchemaIssue(this.text, { ...this, path: [...path, ...this.path] });
  }
}

/** Options of a schema with its own conditions. */
export interface SchemaOptions {
  /** The message of its issues. */
  readonly error: string;
}

type Check = (value: unknown, issues: SchemaIssue[]) => unknown;

/** The value that a schema returns. */
export type Output<Described extends Schema<unknown, boolean>> =
  Described extends Schema<infer Value, boolean> ? Value : never;

/** Describes a value. `Optional` tells whether it may be omitted from an object. */
export class Schema<Value, Optional extends boolean = false> {
  /** Only for the type checker. */
  declare readonly value: Value;
  readonly isOptional: Optional;
  /** Returns the value as described, or adds issues. */
  readonly check: Check;

  constructor(check: Check, isOptional: Optional) {
    this.check = check;
    this.isOptional = isOptional;
  }

  optional(): Schema<Value | undefined, true> {
    return new Schema((value, issues) => (value === undefined ? value : this.check(value, issues)), true);
  }

  nullable(): Schema<Value | null, Optional> {
    return new Schema((value, issues) => (value === null ? value : this.check(value, issues)), this.isOptional);
  }

  nullish(): Schema<Value | null | undefined, true> {
    return this.nullable().optional();
  }

  /** Adds a condition that is tested on values of the right type. */
  refine(condition: (value: Value) => boolean, { error }: SchemaOptions): Schema<Value, Optional> {
    return new Schema((value, issues) => {
      const before = issues.length;
      const checked = this.check(value, issues) as Value;
      if (issues.length === before && !condition(checked)) issues.push(new SchemaIssue(error, { isCondition: true }));
      return checked;
    }, this.isOptional);
  }
}

class NumberSchema extends Schema<number> {
  constructor(check: Check) {
    super(check, false);
  }

  min(least: number): NumberSchema {
    return new NumberSchema((value, issues) => {
      const before = issues.length;
      const checked = this.check(value, issues) as number;
      if (issues.length === before && checked < least)
        issues.push(new SchemaIssue(`Too small: expected number to be >=${least}`, { isCondition: true }));
      return checked;
    });
  }
}

function wrongType(expected: string, value: unknown): SchemaIssue {
  return new SchemaIssue(`Invalid input: expected ${expected}, received ${typeName(value)}`);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object') return typeof value;
  const isPlain = Object.getPrototypeOf(value) === Object.prototype;
  return isPlain || !('constructor' in value) || !value.constructor ? 'object' : value.constructor.name;
}

/** Checks a part of a value; its issues get the step as the beginning of their paths. */
function checkPart(schema: Schema<unknown, boolean>, value: unknown, step: Step, issues: SchemaIssue[]): unknown {
  const before = issues.length;
  const checked = schema.check(value, issues);
  for (let at = before; at < issues.length; at++) issues[at] = issues[at].within([step]);
  return checked;
}

function typed<Value>(expected: string, has: (value: unknown) => boolean): Schema<Value> {
  return new Schema((value, issues) => {
    if (!has(value)) issues.push(wrongType(expected, value));
    return value;
  }, false);
}

export function string(): Schema<string> {
  return typed('string', (value) => typeof value === 'string');
}

export function boolean(): Schema<boolean> {
  return typed('boolean', (value) => typeof value === 'boolean');
}

/** A finite number. */
export function number(): NumberSchema {
  return new NumberSchema((value, issues) => {
    if (!Number.isFinite(value)) issues.push(wrongType('number', value));
    return value;
  });
}

/** An integer that a number represents exactly. */
export function int(): NumberSchema {
  return new NumberSchema((value, issues) => {
    if (!Number.isFinite(value)) issues.push(wrongType('number', value));
    else if (!Number.isInteger(value)) issues.push(wrongType('int', value));
    else if (!Number.isSafeInteger(value)) {
      const isLarge = (value as number) > 0;
      const bound = isLarge ? `<=${Number.MAX_SAFE_INTEGER}` : `>=${Number.MIN_SAFE_INTEGER}`;
      issues.push(
        new SchemaIssue(`Too ${isLarge ? 'big' : 'small'}: expected int to be ${bound}`, { isCondition: true }),
      );
    }
    return value;
  });
}

/** Any value; an object may omit it only if it is `optional`. */
export function unknown(): Schema<unknown> {
  return new Schema<unknown>((value) => value, false);
}

/** A value for which a condition holds. */
export function custom<Value>(condition: (value: unknown) => boolean, { error }: SchemaOptions): Schema<Value> {
  return new Schema((value, issues) => {
    if (!condition(value)) issues.push(new SchemaIssue(error));
    return value;
  }, false);
}

/** One of some strings. */
export function oneOf<const Values extends readonly string[]>(values: Values): Schema<Values[number]> {
  return new Schema((value, issues) => {
    if (!values.includes(value as string)) {
      const list = values.map((each) => `"${each}"`);
      const message = list.length === 1 ? `Invalid input: expected ${list[0]}` : '';
      issues.push(new SchemaIssue(message || `Invalid option: expected one of ${list.join('|')}`));
    }
    return value;
  }, false);
}

/** After this many issues, the rest of an array is not checked: a message tells the first one. */
const MAX_ISSUES = 100;

export function array<Item>(item: Schema<Item, boolean>): Schema<Item[]> {
  return new Schema((value, issues) => {
    if (!Array.isArray(value)) {
      issues.push(wrongType('array', value));
      return value;
    }
    const most = issues.length + MAX_ISSUES;
    const checked: unknown[] = [];
    for (let at = 0; at < value.length && issues.length < most; at++)
      checked.push(checkPart(item, value[at], at, issues));
    return checked;
  }, false);
}

/** A plain object with any keys. */
export function record<Item>(item: Schema<Item>): Schema<Record<string, Item>> {
  return new Schema((value, issues) => {
    if (!isPlainObject(value)) {
      issues.push(wrongType('record', value));
      return value;
    }
    const checked: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      if (key !== '__proto__') checked[key] = checkPart(item, value[key], key, issues);
    }
    return checked;
  }, false);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const make: unknown = value.constructor;
  // Works for objects of any realm: every Object.prototype has this property.
  return typeof make !== 'function' || Object.hasOwn((make.prototype ?? {}) as object, 'isPrototypeOf');
}

type Shape = Readonly<Record<string, Schema<unknown, boolean>>>;
type OptionalKeys<Fields extends Shape> = {
  [Key in keyof Fields]: Fields[Key] extends Schema<unknown, true> ? Key : never;
}[keyof Fields];
type ObjectOf<Fields extends Shape> = {
  [Key in Exclude<keyof Fields, OptionalKeys<Fields>>]: Output<Fields[Key]>;
} & { [Key in OptionalKeys<Fields>]?: Output<Fields[Key]> };
type Flat<Value> = { [Key in keyof Value]: Value[Key] };

class ObjectSchema<Fields extends Shape> extends Schema<Flat<ObjectOf<Fields>>> {
  readonly fields: Fields;

  constructor(fields: Fields, check: Check) {
    super(check, false);
    this.fields = fields;
  }
}

/** An object with exactly these fields. `unrecognized` returns the message for any other field. */
export function strictObject<Fields extends Shape>(
  fields: Fields,
  unrecognized: (key: string) => string,
): ObjectSchema<Fields> {
  return new ObjectSchema(fields, (value, issues) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      issues.push(wrongType('object', value));
      return value;
    }
    const given = value as Readonly<Record<string, unknown>>;
    const checked: Record<string, unknown> = {};
    for (const key in fields) {
      const part = checkPart(fields[key], given[key], key, issues);
      if (part !== undefined || key in given) checked[key] = part;
    }
    for (const key in given) {
      if (Object.hasOwn(fields, key)) continue;
      issues.push(new SchemaIssue(() => unrecognized(key), { code: 'unrecognized_keys', isCondition: true }));
      break;
    }
    return checked;
  });
}

/**
 * One of some alternatives. If exactly one has the right type, its issues are those of the union.
 */
export function union<const Alternatives extends readonly Schema<unknown, boolean>[]>(
  alternatives: Alternatives,
  { error }: SchemaOptions = { error: 'Invalid input' },
): Schema<Output<Alternatives[number]>> {
  return new Schema((value, issues) => {
    const failed: { readonly own: SchemaIssue[]; readonly checked: unknown }[] = [];
    for (const alternative of alternatives) {
      const own: SchemaIssue[] = [];
      const checked = alternative.check(value, own);
      if (own.length === 0) return checked;
      failed.push({ own, checked });
    }
    const near = failed.filter(({ own }) => own.every(({ isCondition }) => isCondition));
    if (near.length === 1) issues.push(...near[0].own);
    else issues.push(new SchemaIssue(error, { code: 'invalid_union', alternatives: failed.map(({ own }) => own) }));
    return value;
  }, false);
}
