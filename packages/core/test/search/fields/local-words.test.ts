import { expect, it } from 'vitest';
import { localWords } from '../../../src/search/fields/local-words.ts';

it.each([
  ['http://example.org/terms#phoneNumber', 'phone Number'],
  ['http://example.org/people/alice', 'alice'],
  ['http://example.org/people/alice/', 'alice'],
  ['http://example.org/HTTPServerError', 'HTTP Server Error'],
  ['http://example.org/has_part-of.kind', 'has part of kind'],
  ['urn:isbn:0451450523', '0451450523'],
  ['http://example.org/caf%C3%A9Bar', 'café Bar'],
  ['http://example.org/100%', '100'],
  ['http://example.org/%ff', '\ufffd'.replace('\ufffd', '')],
  ['http://example.org/ÜberGröße', 'Über Größe'],
  ['http://example.org/version2Beta', 'version2 Beta'],
  ['http://example.org/#', 'example org'],
  ['urn:x:---', ''],
])('the local name of %s is "%s"', (iri, words) => {
  expect(localWords(iri)).toBe(words);
});
