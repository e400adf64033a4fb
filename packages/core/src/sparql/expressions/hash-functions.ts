import { type HashName, hexHash } from '#platform';
import { type FunctionRow, unary } from './function-row.ts';
import { stringValue } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Section 17.4.6: hashes the UTF-8 form of a string without a language, as lower-case hexadecimal
 * digits.
 */
function hash(algorithm: HashName): FunctionRow {
  return unary((value) => (value.kind === KIND.string ? stringValue(hexHash(algorithm, value.lexical)) : undefined));
}

export const HASH_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['MD5', hash('md5')],
  ['SHA1', hash('sha1')],
  ['SHA256', hash('sha256')],
  ['SHA384', hash('sha384')],
  ['SHA512', hash('sha512')],
];
