import { WorldsError } from '../../model/worlds-error.ts';
import { type UnescapedText, withoutNameEscapes } from './codepoint-escapes.ts';
import { textLocation } from './text-location.ts';

/** A text as the scanner reads it. */
export interface ScannableText {
  readonly original: string;
  /** The text with escapes in names decoded; undefined if it has none. */
  readonly unescaped: UnescapedText | undefined;
}

/**
 * Prepares a text for the scanner. Throws INVALID_SPARQL with a location for a lone surrogate and
 * for an invalid escape outside strings and IRIs. A kernel.
 */
export function* scannableText(original: string): Generator<void, ScannableText, void> {
  if (!original.isWellFormed())
    failAt(original, loneSurrogate(original), 'A lone surrogate is not a Unicode character');
  const mayEscape = original.includes('\\u') || original.includes('\\U');
  const unescaped = mayEscape
    ? yield* withoutNameEscapes(original, (offset, message) => failAt(original, offset, message))
    : undefined;
  return { original, unescaped };
}

/** Throws INVALID_SPARQL with the location of an offset. */
export function failAt(original: string, offset: number, message: string): never {
  throw new WorldsError('INVALID_SPARQL', `The SPARQL text is not well-formed: ${message}.`, {
    location: textLocation(original, offset),
  });
}

function loneSurrogate(text: string): number {
  for (let at = 0; ; at++) {
    const code = text.codePointAt(at)!;
    if (code >= 0xd800 && code <= 0xdfff) return at;
    if (code > 0xffff) at++;
  }
}
