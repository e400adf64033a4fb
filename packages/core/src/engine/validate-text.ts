import type { SparqlEngine } from '../contracts/sparql-engine.ts';
import { setOwn } from '../model/plain-value.ts';
import { type TextLocation, WorldsError, type WorldsErrorCode } from '../model/worlds-error.ts';
import type { Catalog } from './catalog.ts';
import type { SparqlForm } from './prepared-sparql.ts';
import { prepareText } from './query-work.ts';

/** What `WorldsEngine.validate` finds in a text. */
export interface SparqlValidation {
  /** The form of a well-formed text; undefined for others. */
  readonly form?: SparqlForm | undefined;
  /**
   * Prefix name (without `:`) to namespace IRI, as declared in the text: also where the rest is not
   * well-formed.
   */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Undefined for a well-formed text. */
  readonly error?: SparqlProblem | undefined;
}

/** The first error in a text. */
export interface SparqlProblem {
  /** INVALID_SPARQL, UNSUPPORTED or LIMIT_EXCEEDED. */
  readonly code: WorldsErrorCode;
  readonly message: string;
  /** Where the error begins; undefined if it has no place. */
  readonly location?: TextLocation | undefined;
  /** UTF-16 units of the token there; 0 at the end of the text. Undefined without a location. */
  readonly length?: number | undefined;
}

/** Codes of errors in a text; others are thrown. */
const OF_TEXT: ReadonlySet<string> = new Set<WorldsErrorCode>(['INVALID_SPARQL', 'UNSUPPORTED', 'LIMIT_EXCEEDED']);

/** Parses and checks a text. Returns its first error instead of throwing it. */
export async function validateText(
  catalog: Catalog,
  engine: SparqlEngine,
  { text, baseIri }: { readonly text: string; readonly baseIri: string | undefined },
  signal: AbortSignal | undefined,
): Promise<SparqlValidation> {
  const prefixes = declaredPrefixes(text);
  try {
    const prepared = await prepareText(catalog, engine, { text, baseIri }, signal);
    if (prepared.type === 'update') return { form: 'update', prefixes };
    return { form: prepared.form, prefixes: { ...prefixes, ...prepared.prefixes } };
  } catch (error) {
    if (!(error instanceof WorldsError) || !OF_TEXT.has(error.code)) throw error;
    const { code, message, location } = error;
    if (!location) return { prefixes, error: { code, message } };
    return { prefixes, error: { code, message, location, length: tokenLength(text, offsetOf(text, location)) } };
  }
}

/**
 * Comments, strings and IRIs, in which `PREFIX` means nothing, and declarations (rule 6). Strings
 * without an end reach to the end of the line or of the text.
 */
const DECLARATIONS =
  /#[^\n\r]*|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n\r]|\\.)*|'(?:[^'\\\n\r]|\\.)*|\bPREFIX\s+([^\s:<>"'#]*):\s*<([^<>"{}|^`\\\s]*)>|<[^<>"{}|^`\\\s]*>/giu;

function declaredPrefixes(text: string): Record<string, string> {
  const prefixes: Record<string, string> = {};
  for (const [, prefix, iri] of text.matchAll(DECLARATIONS)) {
    if (iri !== undefined) setOwn(prefixes, prefix, iri);
  }
  return prefixes;
}

/** A token as far as an editor underlines it: an IRI, a string, a name or number, or one sign. */
const TOKEN =
  /<[^<>"{}|^`\\\s]*>|"(?:[^"\\\n\r]|\\.)*"?|'(?:[^'\\\n\r]|\\.)*'?|[?$@]?[\p{L}\p{N}\p{M}_:][\p{L}\p{N}\p{M}_:.%-]*|[\s\S]/uy;

function tokenLength(text: string, offset: number): number {
  TOKEN.lastIndex = offset;
  return TOKEN.exec(text)?.[0].length ?? 0;
}

/** The inverse of `textLocation`: lines end with LF, CR or CRLF. */
function offsetOf(text: string, { line, column }: TextLocation): number {
  let at = 0;
  for (let left = line - 1; left > 0 && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) left--;
  }
  return at + column - 1;
}
