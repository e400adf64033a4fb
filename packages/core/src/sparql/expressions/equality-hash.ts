import { floatOfValue, type Value } from './value.ts';
import { KIND } from './value-kind.ts';

/** Instead of a hash: the value may equal values of any hash. */
export const ANY_HASH = 0xffffffff;

const FLOAT = new Float32Array(1);
const FLOAT_BITS = new Uint32Array(FLOAT.buffer);

/**
 * Returns an unsigned 32-bit hash of a value: the same one for two values that `=` finds equal, or
 * that are the same term, unless one of them has {@link ANY_HASH}.
 */
export function equalityHash(value: Value): number {
  const { kind } = value;
  // Triple terms are equal if their parts are, and durations of different types may be equal.
  if (kind === KIND.triple) return KIND.triple;
  if (kind >= KIND.dayTimeDuration && kind <= KIND.duration) return KIND.duration;
  if (kind >= KIND.integer && kind <= KIND.double) return numberHash(value);
  if (kind === KIND.boolean || (kind >= KIND.dateTime && kind <= KIND.gMonth)) return hashOf(value.number);
  return textHash(value.lexical);
}

/**
 * Numbers compare as doubles or as floats, depending on their types. Hashing them as floats makes
 * equal numbers hash equally in both cases. The exception is a decimal that rounds to one float
 * directly, and to another one through the nearest double.
 */
function numberHash(value: Value): number {
  const { number, exact } = value;
  if (exact !== undefined && floatOfValue(value) !== Math.fround(number)) return ANY_HASH;
  return hashOf(number);
}

function hashOf(number: number): number {
  // Adding 0 turns -0 into 0, which it equals.
  FLOAT[0] = number + 0;
  return different(Math.imul(FLOAT_BITS[0], 0x9e3779b1));
}

/** FNV-1a over UTF-16 code units. */
function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return different(hash);
}

function different(hash: number): number {
  return hash >>> 0 === ANY_HASH ? 0 : hash >>> 0;
}
