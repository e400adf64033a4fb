import type { N3Token } from './n3-lexer-feed.ts';

/** A message of the n3 parser, and ours. `found` is the token at which it stopped. */
type MessageRow = readonly [pattern: RegExp, text: (found: string, part: string) => string];

/** Messages by the first pattern that matches; its group is `part`. Others stay as they are. */
const MESSAGES: readonly MessageRow[] = [
  [
    /^Expected entity but got/,
    (found) => `expected a term (an IRI in < and >, a prefixed name, a literal or a blank node), but found ${found}`,
  ],
  [
    /^Expected punctuation/,
    (found) => `expected a dot, semicolon, comma or closing bracket after the object, but found ${found}`,
  ],
  [/^Expected dot to follow quad/, (found) => `expected a dot after the statement, but found ${found}`],
  [/^Expected declaration to end with a dot/, (found) => `expected a dot after the declaration, but found ${found}`],
  [
    /^Expected predicate but got/,
    (found) => `expected a predicate (an IRI, a prefixed name or "a"), but found ${found}`,
  ],
  [/^Undefined prefix "(.*)"$/, (_, prefix) => `the prefix "${prefix}" is not declared`],
  [/^Expected prefix to follow @prefix/, () => 'expected a prefix with its colon, such as ex:'],
  [
    /^Expected IRI to follow prefix "(.*)"/,
    (found, prefix) => `expected the IRI of the prefix "${prefix}" in < and >, but found ${found}`,
  ],
  [/^Expected valid IRI to follow base/, (found) => `expected the base IRI in < and >, but found ${found}`],
  [/^Unexpected literal$/, () => 'a literal can only be an object'],
  [/^Disallowed blank node as predicate/, () => 'a blank node cannot be a predicate'],
  [/^Unclosed graph$/, () => 'the graph that was opened with "{" is not closed'],
  [/^Invalid IRI$/, () => 'the IRI is not valid'],
  [/^Unexpected "(["'].*)"$/s, () => 'a string does not end, or contains an invalid escape'],
  [/^Unexpected "(<.*)"$/s, () => 'an IRI does not end, or contains a space or another invalid character'],
  [/^Unexpected "(\?.*)"$/s, (_, text) => `${text} is a variable, which RDF does not have`],
  [/^Unexpected "(.*)"$/s, (_, text) => `${JSON.stringify(text)} is neither a term nor a keyword`],
  [/^Unexpected (\S+)$/, (found) => `${found} is not expected here`],
  [/^Expected (\S+) but got/, (found, wanted) => `expected ${JSON.stringify(wanted)}, but found ${found}`],
];

/** Returns what an error of the n3 parser says, in words for those who wrote the document. */
export function messageOfN3(message: string, token: N3Token | undefined): string {
  const text = message.replace(/ on line \d+\.$/, '').replace(/ to follow "undefined"$/, '');
  for (const [pattern, ours] of MESSAGES) {
    const match = pattern.exec(text);
    if (match) return ours(foundText(token), match[1] ?? '');
  }
  return text;
}

/** Longer tokens are cut. */
const MAX_LENGTH = 40;

function foundText(token: N3Token | undefined): string {
  if (!token) return 'something else';
  const { type, value = '', prefix = '' } = token;
  switch (type) {
    case 'eof':
      return 'the end of the document';
    case 'literal':
    case 'langcode':
    case 'dircode':
      return JSON.stringify(cut(value));
    case 'IRI':
    case 'typeIRI':
      return `<${cut(value)}>`;
    case 'prefixed':
    case 'type':
    case 'blank':
      return cut(`${prefix}:${value}`);
    default:
      return JSON.stringify(type);
  }
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}
