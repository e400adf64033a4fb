import {
  HighlightStyle,
  LanguageSupport,
  StreamLanguage,
  type StringStream,
  syntaxHighlighting,
} from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { FUNCTION_TEXTS } from './function-texts.ts';

/** The words of SPARQL 1.1 that are not functions. */
export const KEYWORDS = (
  'SELECT CONSTRUCT DESCRIBE ASK WHERE FROM NAMED PREFIX BASE DISTINCT REDUCED AS OPTIONAL UNION FILTER GRAPH SERVICE SILENT ' +
  'MINUS BIND VALUES UNDEF EXISTS NOT IN GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET INSERT DELETE DATA WITH USING LOAD CLEAR ' +
  'DROP CREATE ADD MOVE COPY TO INTO DEFAULT ALL SEPARATOR'
).split(' ');

const IS_KEYWORD = new Set(KEYWORDS);
const NAME = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{N}_.\-·]|%[0-9A-Fa-f]{2}|\\.)*)?/u;

interface State {
  /** The delimiter of a string that goes over lines. */
  long: string | null;
}

function token(stream: StringStream, state: State): string | null {
  if (state.long) return longString(stream, state);
  if (stream.eatSpace()) return null;
  const next = stream.peek()!;
  if (next === '#') {
    stream.skipToEnd();
    return 'comment';
  }
  if (stream.match(/^<[^<>"{}|^`\\\s]*>/)) return 'url';
  if (stream.match(/^[?$][\p{L}\p{N}_]+/u)) return 'variableName';
  const long = stream.match(/^(?:"""|''')/) as RegExpMatchArray | null;
  if (long) {
    state.long = long[0];
    return longString(stream, state);
  }
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'?/)) return 'string';
  if (stream.match(/^@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*/)) return 'meta';
  if (stream.match(/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/)) return 'number';
  if (stream.match(/^_:[\p{L}\p{N}_][\p{L}\p{N}_.-]*/u)) return 'labelName';
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_.-]*/u, false) as RegExpMatchArray | null;
  const prefix = stream.match(/^(?:[\p{L}][\p{L}\p{N}_.-]*)?:/u) as RegExpMatchArray | null;
  if (prefix) {
    stream.match(NAME);
    return 'typeName';
  }
  if (word) {
    stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u);
    const name = stream.current().toUpperCase();
    if (stream.current() === 'a') return 'keyword';
    if (name === 'TRUE' || name === 'FALSE') return 'bool';
    return IS_KEYWORD.has(name) ? 'keyword' : FUNCTION_TEXTS.has(name) ? 'standard' : 'invalid';
  }
  stream.next();
  return /[{}[\]()]/.test(next) ? 'bracket' : 'operator';
}

function longString(stream: StringStream, state: State): string {
  while (!stream.eol()) {
    if (stream.match(state.long!)) {
      state.long = null;
      break;
    }
    if (stream.next() === '\\') stream.next();
  }
  return 'string';
}

const SPARQL = StreamLanguage.define<State>({
  name: 'sparql',
  startState: () => ({ long: null }),
  token,
  tokenTable: { standard: tags.standard(tags.name) },
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['(', '[', '{', '"', "'"] } },
});

/** Colours are those of the page, light or dark. */
const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--syntax-keyword)', fontWeight: '560' },
  { tag: tags.standard(tags.name), color: 'var(--syntax-keyword)' },
  { tag: tags.variableName, color: 'var(--syntax-variable)' },
  { tag: [tags.url, tags.typeName], color: 'var(--syntax-iri)' },
  { tag: [tags.string, tags.meta], color: 'var(--syntax-string)' },
  { tag: [tags.number, tags.bool], color: 'var(--syntax-number)' },
  { tag: tags.comment, color: 'var(--syntax-comment)' },
  { tag: tags.labelName, color: 'var(--text-2)' },
]);

export function sparqlLanguage(): LanguageSupport {
  return new LanguageSupport(SPARQL, [syntaxHighlighting(STYLE)]);
}
