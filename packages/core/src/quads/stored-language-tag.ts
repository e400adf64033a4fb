import type * as RDF from '@rdfjs/types';
import { taggedLiteral } from '../model/term.ts';

const LOWER_A = 0x61;
const LOWER_Z = 0x7a;

/**
 * Returns the stored tag: the language, with the suffix `--ltr` or `--rtl` for a literal with a
 * base direction (RDF 1.2 N-Triples).
 */
export function storedTagOf(literal: RDF.Literal): string {
  return literal.language && literal.direction ? `${literal.language}--${literal.direction}` : literal.language;
}

/**
 * Returns whether the bytes are a single lower-case word, such as the language tag `en`, which
 * needs no case normalisation.
 */
export function isLowerCaseWord(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (bytes[i] < LOWER_A || bytes[i] > LOWER_Z) return false;
  return true;
}

/** Returns the literal of a text with a stored tag. */
export function literalWithTag(value: string, tag: string): RDF.Literal {
  const mark = tag.indexOf('--');
  if (mark < 0) return taggedLiteral(value, tag);
  return taggedLiteral(value, tag.slice(0, mark), tag.slice(mark + 2) as 'ltr' | 'rtl');
}
