/** What the completion says of a function. */
export interface FunctionText {
  /** As in a call, without the parentheses; parts in brackets can be left out. */
  readonly parameters: string;
  readonly text: string;
}

const row = (name: string, parameters: string, text: string): readonly [string, FunctionText] => [
  name,
  { parameters, text },
];

/**
 * The functions and aggregates of SPARQL 1.1 and 1.2 by name. To translate the editor, translate
 * this table, as `texts.ts` for the rest of the console. A test compares it with the functions of
 * the engine.
 */
export const FUNCTION_TEXTS: ReadonlyMap<string, FunctionText> = new Map([
  row('ABS', 'number', 'The number without its sign.'),
  row('AVG', '[DISTINCT] expression', 'The mean of the values in the group; 0 if there are none.'),
  row('BNODE', '[label]', 'A new blank node; the same one for the same label within a solution.'),
  row('BOUND', 'variable', 'Whether the variable has a value.'),
  row('CEIL', 'number', 'The smallest whole number that is not less.'),
  row('COALESCE', 'expression, …', 'The first value that is not an error and not unbound.'),
  row('CONCAT', 'text, …', 'The texts joined. A language that all have is kept.'),
  row('CONTAINS', 'text, part', 'Whether the text contains the part; case matters.'),
  row('COUNT', '[DISTINCT] * or expression', 'How many solutions, or values, the group has.'),
  row('DATATYPE', 'literal', 'The IRI of the datatype of the literal.'),
  row('DAY', 'date', 'The day of the month.'),
  row('ENCODE_FOR_URI', 'text', 'The text with all that is reserved in IRIs percent-encoded.'),
  row('FLOOR', 'number', 'The largest whole number that is not greater.'),
  row(
    'GROUP_CONCAT',
    '[DISTINCT] expression [; SEPARATOR = text]',
    'The texts of the group joined, by a space unless a separator is given.',
  ),
  row('HASLANG', 'term', 'Whether the term is a literal with a language tag.'),
  row('HASLANGDIR', 'term', 'Whether the term is a literal with a language tag and a base direction.'),
  row('HOURS', 'dateTime', 'The hours, 0 to 23.'),
  row('IF', 'condition, then, else', 'The second argument if the condition holds, otherwise the third.'),
  row('IRI', 'text', 'The text as an IRI, resolved against the base. URI is the same.'),
  row('ISBLANK', 'term', 'Whether the term is a blank node.'),
  row('ISIRI', 'term', 'Whether the term is an IRI. ISURI is the same.'),
  row('ISLITERAL', 'term', 'Whether the term is a literal.'),
  row('ISNUMERIC', 'term', 'Whether the term is a valid number.'),
  row('ISTRIPLE', 'term', 'Whether the term is a triple term.'),
  row('ISURI', 'term', 'Whether the term is an IRI. ISIRI is the same.'),
  row('LANG', 'literal', 'The language tag, or "" if there is none.'),
  row('LANGDIR', 'literal', 'The base direction, "ltr" or "rtl", or "" if there is none.'),
  row('LANGMATCHES', 'tag, range', 'Whether a language tag is in a range: "en" has "en-GB" too, and "*" all tags.'),
  row('LCASE', 'text', 'The text in lower case.'),
  row('MAX', 'expression', 'The greatest value of the group.'),
  row('MD5', 'text', 'The MD5 hash of the text, in hexadecimal digits.'),
  row('MIN', 'expression', 'The least value of the group.'),
  row('MINUTES', 'dateTime', 'The minutes, 0 to 59.'),
  row('MONTH', 'date', 'The month, 1 to 12.'),
  row('NOW', '', 'The time of the query, the same for all solutions.'),
  row('OBJECT', 'triple', 'The object of a triple term.'),
  row('PREDICATE', 'triple', 'The predicate of a triple term.'),
  row('RAND', '', 'A random number from 0 to below 1.'),
  row('REGEX', 'text, pattern [, flags]', 'Whether the pattern matches a part of the text. The flag "i" ignores case.'),
  row('REPLACE', 'text, pattern, replacement [, flags]', 'The text with all matches replaced; $1 is the first group.'),
  row('ROUND', 'number', 'The closest whole number; halves are rounded up.'),
  row('SAMETERM', 'term, term', 'Whether both are the same term, not only of the same value.'),
  row('SAMPLE', 'expression', 'Any value of the group.'),
  row('SECONDS', 'dateTime', 'The seconds with their fraction.'),
  row('SHA1', 'text', 'The SHA-1 hash of the text, in hexadecimal digits.'),
  row('SHA256', 'text', 'The SHA-256 hash of the text, in hexadecimal digits.'),
  row('SHA384', 'text', 'The SHA-384 hash of the text, in hexadecimal digits.'),
  row('SHA512', 'text', 'The SHA-512 hash of the text, in hexadecimal digits.'),
  row('STR', 'term', 'The text of a literal or an IRI.'),
  row('STRAFTER', 'text, part', 'What follows the first occurrence of the part; "" if there is none.'),
  row('STRBEFORE', 'text, part', 'What precedes the first occurrence of the part; "" if there is none.'),
  row('STRDT', 'text, datatype', 'A literal of this text and datatype.'),
  row('STRENDS', 'text, part', 'Whether the text ends with the part; case matters.'),
  row('STRLANG', 'text, tag', 'A literal of this text and language.'),
  row('STRLANGDIR', 'text, tag, direction', 'A literal of this text, language and base direction, "ltr" or "rtl".'),
  row('STRLEN', 'text', 'The number of characters.'),
  row('STRSTARTS', 'text, part', 'Whether the text begins with the part; case matters.'),
  row('STRUUID', '', 'A new UUID as a text.'),
  row('SUBJECT', 'triple', 'The subject of a triple term.'),
  row('SUBSTR', 'text, start [, length]', 'A part of the text; the first character is 1.'),
  row('SUM', '[DISTINCT] expression', 'The sum of the values in the group; 0 if there are none.'),
  row('TIMEZONE', 'dateTime', 'The time zone as a duration; an error if there is none.'),
  row('TRIPLE', 'subject, predicate, object', 'A triple term of the three.'),
  row('TZ', 'dateTime', 'The time zone as it is written, or "" if there is none.'),
  row('UCASE', 'text', 'The text in upper case.'),
  row('URI', 'text', 'The text as an IRI, resolved against the base. IRI is the same.'),
  row('UUID', '', 'A new IRI with a UUID.'),
  row('YEAR', 'date', 'The year.'),
]);
