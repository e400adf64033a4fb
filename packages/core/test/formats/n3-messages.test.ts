import { expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

const TERM = 'a term (an IRI in < and >, a prefixed name, a literal or a blank node)';
const END = 'a dot, semicolon, comma or closing bracket after the object';

/**
 * Documents that are not well-formed, and what the error says, with the column: of the token, or
 * the end of the one before what is no token.
 */
const MISTAKES: readonly (readonly [document: string, message: string, column: number])[] = [
  ['@prefix ex: <urn:> . ex:a ex:b ex:c', `expected ${END}, but found the end of the document`, 36],
  ['<urn:a> <urn:b> <urn:c> <urn:d> .', `expected ${END}, but found <urn:d>`, 25],
  ['<urn:a> <urn:b> 1 "two" .', `expected ${END}, but found "two"`, 19],
  ['@prefix ex: <urn:> . <urn:a> <urn:b> 1 ex:c .', `expected ${END}, but found ex:c`, 40],
  ['<urn:a> <urn:b> .', `expected ${TERM}, but found "."`, 17],
  ['<urn:a>, <urn:c> <urn:b> 1 .', `expected ${TERM}, but found ","`, 8],
  ['ex:a <urn:b> 1 .', 'the prefix "ex:" is not declared', 1],
  ['@prefix ex <urn:> .', '"ex" is neither a term nor a keyword', 8],
  ['@prefix ex: "urn:" .', 'expected the IRI of the prefix "ex:" in < and >, but found "urn:"', 13],
  ['<urn:a> "b" 1 .', 'a literal can only be an object', 9],
  ['<urn:a> _:b 1 .', 'a blank node cannot be a predicate', 9],
  ['<urn:a> ; <urn:b> 1 .', 'expected a predicate (an IRI, a prefixed name or "a"), but found ";"', 9],
  ['<urn:a> <urn:b> "open .', 'a string does not end, or contains an invalid escape', 16],
  ['<urn:a b> <urn:b> 1 .', 'an IRI does not end, or contains a space or another invalid character', 1],
  ['?x <urn:b> 1 .', '?x is a variable, which RDF does not have', 1],
  ['<urn:a> <urn:b> 1.2.3 .', '"1.2.3" is neither a term nor a keyword', 16],
];

it.each(MISTAKES)('%s', async (data, message, column) => {
  const engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
  const failure = engine.import({ source: 'w', contentType: 'text/turtle', data });
  await expect(failure).rejects.toMatchObject({
    code: 'INVALID_RDF',
    message: `Invalid Turtle: ${message} (line 1, column ${column})`,
    location: { line: 1, column },
  });
  await engine.close();
});
