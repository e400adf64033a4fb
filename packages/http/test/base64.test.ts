import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeBase64 } from '../src/base64.ts';

describe('decodeBase64', () => {
  it('reads what an encoder writes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect([...decodeBase64(Buffer.from(bytes).toString('base64'))!]).toEqual([...bytes]);
      }),
    );
  });

  it('takes exactly what the grammar of RFC 4648 section 4 allows', () => {
    const grammar = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
    const sign = fc.constantFrom(...'AZaz09+/==-_ \n*\u00e9\u{1f600}');
    fc.assert(
      fc.property(fc.string({ unit: sign, maxLength: 12 }), (text) => {
        expect(decodeBase64(text) !== undefined).toBe(grammar.test(text));
      }),
      { numRuns: 5000 },
    );
  });
});
