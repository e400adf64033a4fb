import { WorldsError } from '@rdf-worlds/core';
import { type Prefixes, WELL_KNOWN_PREFIXES } from '../prefixes.ts';
import { prepareSparql } from '../prepare-sparql.ts';

/** The analysis of the text typed so far. */
export type Statement =
  | { readonly state: 'unfinished' | 'wrong'; readonly message: string }
  | { readonly state: 'query'; readonly text: string; readonly prefixes: Prefixes | undefined }
  | { readonly state: 'update'; readonly text: string };

const PROLOGUE_ALONE = /^(?:\s*(?:PREFIX\s+[^\s:]*:\s*<[^>]*>|BASE\s+<[^>]*>|VERSION\s+(?:"[^"]*"|'[^']*')))*\s*$/i;
/** Matches comments, and the strings and IRIs in which `#` does not start a comment. */
const OPAQUE =
  /"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>"{}|^`\\\s]*>|(#[^\n]*)/g;

/** Of a text that may be grammatically complete. */
const UNFINISHED: Statement = {
  state: 'unfinished',
  message: 'The text ends where a query or update was expected.',
};

/**
 * Determines whether a text is a query, an update, unfinished, or invalid.
 *
 * @param prefixes the session's prefixes, which apply to every text; its own declarations override
 *   them. Well-known prefixes are added if they are used.
 */
export async function statementOf(typed: string, prefixes: Prefixes): Promise<Statement> {
  const bare = withoutComments(typed).trimEnd();
  if (PROLOGUE_ALONE.test(bare)) return UNFINISHED;
  if (!bare.endsWith(';')) return analysed(typed, bare, prefixes);
  // The habit of SQL. After an update, more updates follow.
  const query = bare.slice(0, -1);
  const statement = await analysed(query, query, prefixes);
  return statement.state === 'update' ? UNFINISHED : statement;
}

/** @param bare the text without comments */
async function analysed(typed: string, bare: string, prefixes: Prefixes): Promise<Statement> {
  // The added prologue takes exactly one line, so that line numbers can be corrected.
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

/** Removes the comments of a text, which would swallow the following line when lines are joined. */
export function withoutComments(text: string): string {
  return text.replace(OPAQUE, (whole, comment) => (comment === undefined ? whole : ''));
}

/**
 * Returns true if an error at this position means that the text is unfinished: at its end, or in a
 * multi-line string that starts there.
 */
function isAtEnd(text: string, line: number, column: number): boolean {
  const lines = text.split('\n');
  if (line > lines.length) return true;
  const characters = [...lines[line - 1]];
  const rest = characters.slice(column - 1).join('');
  return (line === lines.length && column > characters.length) || /^("""|''')/.test(rest);
}
