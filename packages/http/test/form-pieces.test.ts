import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { parseFormPieces } from '../src/form-pieces.ts';

/** Returns the fields and the number of yields. */
function read(form: string, pieceBytes?: number): { readonly fields: readonly string[][]; readonly yields: number } {
  const kernel = parseFormPieces(new TextEncoder().encode(form), pieceBytes);
  let yields = 0;
  for (;;) {
    const step = kernel.next();
    if (step.done) return { fields: [...step.value], yields };
    yields++;
  }
}

const PIECES = ['a', 'query', '=', '=', '&', '&', '+', '%', '%4', '%41', '%C3%A9', '%c3', '%F0%9F%98%80', '%EF%BB%BF'];
const LITERAL = ['é', '😀', '\ufeff', '%%', '%zz', '?', '%00', '%26', '%3D', '%2B'];

/** Decodes as the URL Standard says, in one piece. Node decodes malformed text in another way. */
function decoded(text: string): string {
  const bytes = Buffer.from(text)
    .toString('latin1')
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)));
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
}

function fieldsOf(form: string): readonly string[][] {
  const fields = form.split('&').filter((field) => field !== '');
  return fields.map((field) => {
    const [name, ...value] = field.split('=');
    return [decoded(name), decoded(value.join('='))];
  });
}

it('decodes as the URL Standard says, whatever the length of a piece', () => {
  const random = new SeededRandom(7);
  for (let i = 0; i < 2000; i++) {
    const form = Array.from({ length: random.below(14) }, () => random.pick([...PIECES, ...LITERAL])).join('');
    for (const pieceBytes of [1, 2, 3, 7, 1000]) expect(read(form, pieceBytes).fields).toEqual(fieldsOf(form));
  }
});

it.each([
  ['escapes', `query=${'%20'.repeat(300_000)}`],
  ['a long text', `query=${'x'.repeat(1_000_000)}`],
  ['a long name', `${'+'.repeat(1_000_000)}=1`],
  ['fields', 'a=1&'.repeat(250_000)],
  ['ampersands', '&'.repeat(1_000_000)],
])('parses a piece of the form at a time: %s', (_, form) => {
  const { fields, yields } = read(form);
  expect(fields).toEqual([...new URLSearchParams(form)]);
  expect(yields).toBeGreaterThanOrEqual(Math.floor(form.length / (1 << 18)));
});
