import { WorldsError } from '@rdf-worlds/core';
import { type Prefixes, WELL_KNOWN_PREFIXES } from '../prefixes.ts';
import { prepareSparql } from '../prepare-sparql.ts';

/** What has been typed, as far as it is known. */
export type Statement =
  | { readonly state: 'unfinished' | 'wrong'; readonly message: string }
  | { readonly state: 'query'; readonly text: string; readonly prefixes: Prefixes | undefined }
  | { readonly state: 'update'; readonly text: string };

const PROLOGUE_ALONE = /^(?:\s*(?:PREFIX\s+[^\s:]*:\s*<[^>]*>|BASE\s+<[^>]*>|VERSION\s+(?:"[^"]*"|'[^']*')))*\s*$/i;
/** Strings and IRIs, where a `#` is no comment, and comments. */
const OPAQUE =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>"{}|^`\\\s]*>|(#[^\n]*)/g;

/**
 * Whether a text is a query or an update, is going to be one, or never will.
 *
 * @param prefixes those of the session, which hold for every text; its own come later, and win.
 *   Well-known ones are there where they are used.
 */
export async function statementOf(typed: string, prefixes: Prefixes): Promise<Statement> {
  const bare = withoutComments(typed).trimEnd();
  // Both are complete by the grammar, and are not what anybody meant to end with.
  if (PROLOGUE_ALONE.test(bare) || bare.endsWith(';')) {
    return { state: 'unfinished', message: 'The text ends where a query or an update should begin.' };
  }
  // One line, whatever the prefixes are: so the lines of what was typed are known.
  const text = `${prologueOf({ ...mentioned(WELL_KNOWN_PREFIXES, bare), ...prefixes })}\n${typed}`;
  try {
    const prepared = await prepareSparql(text);
    return prepared.type === 'update'
      ? { state: 'update', text }
      : { state: 'query', text, prefixes: prepared.prefixes };
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    const { location } = error;
    if (!location) return { state: 'wrong', message: error.message };
    const line = location.line - 1;
    const message = error.message.replace(/ \(line \d+, column \d+\)$/, ` (line ${line}, column ${location.column})`);
    return { state: isAtEnd(bare, line, location.column) ? 'unfinished' : 'wrong', message };
  }
}

function mentioned(prefixes: Prefixes, text: string): Prefixes {
  return Object.fromEntries(Object.entries(prefixes).filter(([prefix]) => text.includes(`${prefix}:`)));
}

function prologueOf(prefixes: Prefixes): string {
  return Object.entries(prefixes)
    .map(([prefix, namespace]) => `PREFIX ${prefix}: <${namespace}>`)
    .join(' ');
}

/**
 * A text without its comments, which a line that is joined with the next would make part of them.
 */
export function withoutComments(text: string): string {
  return text.replace(OPAQUE, (whole, comment) => (comment === undefined ? whole : ''));
}

/**
 * Whether what is wrong at a place is that the text ends: there, or in a string of several lines
 * that begins there.
 */
function isAtEnd(text: string, line: number, column: number): boolean {
  const lines = text.split('\n');
  if (line > lines.length) return true;
  const characters = [...lines[line - 1]];
  const rest = characters.slice(column - 1).join('');
  return (line === lines.length && column > characters.length) || /^("""|''')/.test(rest);
}
