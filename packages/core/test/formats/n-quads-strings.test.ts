import { expect, it } from 'vitest';
import { findFormat } from '../../src/formats/rdf-formats.ts';
import { readDocument } from './documents.ts';

const read = findFormat('application/n-triples')!.read!;

it.each([0, 1, 31, 32, 33, 200, 5000])('unescapes a string behind %d plain characters', async (length) => {
  const plain = 'x'.repeat(length);
  for (const [written, value] of [
    ['\\u00e9', 'é'],
    ['é\\n', 'é\n'],
    ['\\\\\\"', '\\"'],
    ['\u{1f600}', '\u{1f600}'],
  ]) {
    const [quad] = await readDocument(read, `<urn:s> <urn:p> "${plain}${written}${plain}${written}"@en .\n`);
    expect(quad.object.value).toBe(`${plain}${value}${plain}${value}`);
  }
});
