import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as own from '../../src/engine/request-schema.ts';

/** The same schemas by both. Each of the first is one of ours, each of the second one of zod's. */
const isEven = (value: unknown) => typeof value === 'number' && value % 2 === 0;
const isLong = (value: string) => value.length > 2;
const strict = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (found) => (found.code === 'unrecognized_keys' ? `other: ${found.keys[0]}` : undefined),
  });
const ownObject = <Fields extends Parameters<typeof own.strictObject>[0]>(fields: Fields) =>
  own.strictObject(fields, (key) => `other: ${key}`);

const PAIRS: Readonly<Record<string, readonly [own.Schema<unknown, boolean>, z.ZodType]>> = {
  string: [own.string(), z.string()],
  'string refined': [own.string().refine(isLong, { error: 'long' }), z.string().refine(isLong, { error: 'long' })],
  'nullable string': [own.string().nullable().optional(), z.string().nullable().optional()],
  boolean: [own.boolean().optional(), z.boolean().optional()],
  number: [own.number(), z.number()],
  'number from 3': [own.number().min(3), z.number().min(3)],
  int: [own.int(), z.int()],
  'int from 0': [own.int().min(0).optional(), z.int().min(0).optional()],
  custom: [own.custom(isEven, { error: 'even' }), z.custom(isEven, { error: 'even' })],
  'nullish custom': [own.custom(isEven, { error: 'even' }).nullish(), z.custom(isEven, { error: 'even' }).nullish()],
  enum: [own.oneOf(['a', 'b']), z.enum(['a', 'b'])],
  'enum of one': [own.oneOf(['a']), z.enum(['a'])],
  array: [own.array(own.string()), z.array(z.string())],
  record: [own.record(own.string()), z.record(z.string(), z.string())],
  union: [
    own.union([own.string(), own.int().min(0)], { error: 'either' }),
    z.union([z.string(), z.int().min(0)], { error: 'either' }),
  ],
  'union with a condition': [
    own.union([own.string(), own.custom(isEven, { error: 'even' })], { error: 'either' }),
    z.union([z.string(), z.custom(isEven, { error: 'even' })], { error: 'either' }),
  ],
  'union without a message': [
    own.union([own.oneOf(['a', 'b']), own.boolean()]),
    z.union([z.enum(['a', 'b']), z.boolean()]),
  ],
  object: [
    ownObject({ a: own.string(), b: own.int().optional(), c: own.unknown().optional() }),
    strict({ a: z.string(), b: z.int().optional(), c: z.unknown().optional() }),
  ],
  'object of all': [
    ownObject({
      a: own.union(
        [own.string(), ownObject({ a: own.string() }), ownObject({ b: own.string(), a: own.boolean().optional() })],
        {
          error: 'a world',
        },
      ),
      b: own.array(ownObject({ a: own.number().min(0) })).optional(),
      c: own.custom((value) => value !== undefined && value !== null, { error: 'is missing' }),
    }),
    strict({
      a: z.union([z.string(), strict({ a: z.string() }), strict({ b: z.string(), a: z.boolean().optional() })], {
        error: 'a world',
      }),
      b: z.array(strict({ a: z.number().min(0) })).optional(),
      c: z.custom((value) => value !== undefined && value !== null, { error: 'is missing' }),
    }),
  ],
  'optional object': [ownObject({ a: own.string() }).optional(), strict({ a: z.string() }).optional()],
};

const leaf = fc.oneof(
  fc.constantFrom<unknown>('a', 'b', 'abc', '', true, false, null, undefined, 0, 1, 2, 4, -1, 1.5, 2 ** 60, -(2 ** 60)),
  fc.constantFrom<unknown>(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    new Date(0),
    new Map(),
    new (class Own {})(),
    10n,
    isEven,
  ),
  fc.anything(),
);
/** Objects that are often right. */
const shaped = fc.record(
  {
    a: fc.constantFrom<unknown>('a', 'abc', { a: 'x' }, { b: 'x', a: true }, { b: 'x', a: 1 }, { a: 'x', c: 1 }),
    b: fc.constantFrom<unknown>(1, 2, [{ a: 1 }], [{ a: 0 }, { a: -1 }], undefined),
    c: leaf,
  },
  { requiredKeys: [] },
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object'), shaped),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '__proto__'), tie('value'), { maxKeys: 4 }),
}));

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly alternatives: readonly (readonly Problem[])[];
}

const ours = ({ path, message, alternatives }: own.SchemaIssue): Problem => ({
  ...{ path, message },
  alternatives: alternatives.map((issues) => issues.map(ours)),
});
const theirs = (issue: z.core.$ZodIssue): Problem => ({
  ...{ path: issue.path, message: issue.message },
  alternatives: issue.code === 'invalid_union' ? issue.errors.map((issues) => issues.map(theirs)) : [],
});

it.each(Object.entries(PAIRS))('%s: accepts, returns and says the same as the schema of zod', (_, [schema, same]) => {
  let [accepted, refused] = [0, 0];
  fc.assert(
    fc.property(value, (one) => {
      const issues: own.SchemaIssue[] = [];
      const checked = schema.check(one, issues);
      const parsed = same.safeParse(one);
      if (parsed.success) {
        accepted++;
        expect(issues).toEqual([]);
        expect(checked).toEqual(parsed.data);
        if (typeof checked === 'object' && checked)
          expect(Object.keys(checked)).toEqual(Object.keys(parsed.data as object));
      } else {
        refused++;
        // Only the first issue is told.
        expect(ours(issues[0])).toEqual(theirs(parsed.error.issues[0]));
      }
    }),
    { numRuns: 1500, seed: 7 },
  );
  expect(Math.min(accepted, refused)).toBeGreaterThan(2);
});
