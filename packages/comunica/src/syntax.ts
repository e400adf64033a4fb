import { type TextLocation, WorldsError } from '@rdf-worlds/core';
import type * as Ast from '@traqula/rules-sparql-1-2';
import { checkQueries } from './query-checks.ts';
import { walk } from './syntax-tree.ts';
import { lastLocationOf, locationAt } from './text-location.ts';
import type { Toolbox } from './toolbox.ts';

/** A token as the parser reports it; the numbers are NaN at the end of the text. */
interface ReportedToken {
  readonly image: string;
  readonly startOffset: number;
}
interface ReportedError {
  readonly message: string;
  readonly token: ReportedToken;
}

/** Thrown through the parser's error handler, to preserve the token. */
class TokenError extends Error {
  readonly offset: number;
  constructor({ message, token }: ReportedError) {
    super(message);
    this.offset = Number.isNaN(token.startOffset) ? Number.POSITIVE_INFINITY : token.startOffset;
  }
}

const parsers = new WeakMap<Toolbox, InstanceType<Toolbox['parser']['Parser']>>();

function parserOf(toolbox: Toolbox) {
  let parser = parsers.get(toolbox);
  if (!parser) {
    const options = {
      lexerConfig: { positionTracking: 'full' as const },
      errorHandler(errors: readonly ReportedError[]): never {
        throw new TokenError(errors[0]);
      },
    };
    parser = new toolbox.parser.Parser(options);
    parsers.set(toolbox, parser);
  }
  return parser;
}

/**
 * Shortens a message of the parser, which lists up to a hundred expected tokens; the first few
 * suffice.
 */
function shortened(message: string): string {
  const [head, ...alternatives] = message.split(/\n\s*\d+\. /u);
  if (alternatives.length === 0) return message.replace(/\s+/gu, ' ').trim();
  const found = /\nbut found: (.*)$/su.exec(alternatives.at(-1)!)?.[1];
  const names = alternatives.map((alternative) => alternative.split('\n')[0].replace(/^\[|\]$/gu, ''));
  const expected = names.length > 8 ? [...names.slice(0, 8), `or ${names.length - 8} more`] : names;
  const what = head.includes('possible') ? 'Expected one of' : head.trim();
  return `${what}: ${expected.join(', ')}${found ? `; found ${found}` : ''}`;
}

/**
 * Returns the location of an error without a token: the name that its message mentions, otherwise
 * the start.
 */
function locationOfMessage(text: string, message: string): TextLocation {
  const offset = /at offset: (\d+)/u.exec(message)?.[1];
  if (offset !== undefined) return locationAt(text, Number(offset));
  const variable = /\?([^\s)]+)/u.exec(message)?.[1];
  const prefix = /Unknown prefix: (\S*)/iu.exec(message)?.[1];
  const iri = /relative IRI (\S*) because/u.exec(message)?.[1];
  const label = /\((_:\S+)\)/u.exec(message)?.[1];
  if (iri !== undefined) {
    const at = text.indexOf(`<${iri}>`);
    if (at >= 0) return locationAt(text, at);
  }
  const tokens = [
    ...(prefix === undefined ? [] : [`${prefix}:`]),
    ...(variable === undefined ? [] : [`?${variable}`, `$${variable}`]),
    ...(label === undefined ? [] : [label]),
  ];
  for (const token of tokens) {
    const location = lastLocationOf(text, token);
    if (location) return location;
  }
  return { line: 1, column: 1 };
}

/** Converts errors of the parser or the translation about `text` to a WorldsError. */
export function syntaxError(text: string, error: unknown): WorldsError {
  if (error instanceof WorldsError) return error;
  if (error instanceof RangeError) {
    // Both are deeply recursive; a stack overflow means that the text is nested too deeply.
    return new WorldsError(
      'LIMIT_EXCEEDED',
      'The SPARQL text is nested too deeply, or contains a string that is too long.',
      {
        cause: error,
      },
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  const location = error instanceof TokenError ? locationAt(text, error.offset) : locationOfMessage(text, message);
  return new WorldsError('INVALID_SPARQL', `The SPARQL text is not well-formed: ${shortened(message)}`, {
    cause: error,
    location,
  });
}

/**
 * Parses the local parts of prefixed names again: the parser stops at a second colon and keeps the
 * backslashes of escapes (SPARQL 1.1 grammar rules 169 and 173).
 */
function repairPrefixedNames(text: string, ast: Ast.SparqlQuery): void {
  walk(ast, (node) => {
    if (node.subType !== 'namedNode' || node['prefix'] === undefined) return undefined;
    const { start, end } = node.loc ?? {};
    if (start === undefined || end === undefined) return undefined;
    const name = text.slice(start, end);
    const local = name.slice(name.indexOf(':') + 1).replace(/\\(.)/gu, '$1');
    (node as unknown as { value: string }).value = local;
    return undefined;
  });
}

/**
 * Parses a query or update into Traqula's syntax tree, which Comunica also uses, and checks rules
 * that the grammar leaves open. Throws INVALID_SPARQL with a location, or LIMIT_EXCEEDED for
 * nesting beyond the stack.
 */
export function parseSparql(toolbox: Toolbox, text: string): Ast.SparqlQuery {
  // By the grammar an empty text is an update without operations (rule 29). It is rejected as a
  // likely mistake; a text with only a comment is accepted.
  if (text.trim() === '') {
    throw new WorldsError('INVALID_SPARQL', 'The SPARQL text is empty: write a query or an update.', {
      location: { line: 1, column: 1 },
    });
  }
  try {
    const ast = parserOf(toolbox).parse(text, { astFactory: new toolbox.rules.AstFactory() });
    repairPrefixedNames(text, ast);
    checkQueries(toolbox, text, ast);
    return ast;
  } catch (error) {
    throw syntaxError(text, error);
  }
}
