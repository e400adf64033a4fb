import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrowserBytes } from '../../src/platform/browser/browser-bytes.ts';

/** Any UTF-16: surrogates without their other half too. */
const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 60 }), loneSurrogates());
const bytes = fc.uint8Array({ maxLength: 80 });
const ENCODINGS = ['utf8', 'latin1', 'utf16le', 'hex', 'base64', 'base64url'] as const;

function loneSurrogates() {
  return fc.array(fc.constantFrom('a', 'é', '\ud834', '\udd1e', '\u{1d11e}', '\ufeff')).map((parts) => parts.join(''));
}

const plain = (value: Uint8Array) => [...value];

describe('BrowserBytes does what Buffer does', () => {
  it('with texts', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(plain(BrowserBytes.from(text))).toEqual(plain(Buffer.from(text)));
        expect(BrowserBytes.byteLength(text)).toBe(Buffer.byteLength(text));
      }),
      { numRuns: 500 },
    );
  });

  it('with bytes as texts, whole and in parts', () => {
    fc.assert(
      fc.property(bytes, fc.constantFrom(...ENCODINGS), fc.nat(80), fc.nat(80), (given, encoding, one, other) => {
        const [ours, theirs] = [BrowserBytes.from(given), Buffer.from(given)];
        expect(ours.toString(encoding)).toBe(theirs.toString(encoding));
        const [start, end] = [one, other].map((at) => Math.min(at, given.length)).sort((a, b) => a - b);
        expect(ours.toString(encoding, start, end)).toBe(theirs.toString(encoding, start, end));
      }),
      { numRuns: 1000 },
    );
  });

  it('with long texts', () => {
    const units = Buffer.from(Uint16Array.from({ length: 70_000 }, (_, i) => i).buffer);
    const ours = BrowserBytes.from(units);
    for (const encoding of ENCODINGS) expect(ours.toString(encoding) === units.toString(encoding)).toBe(true);
  });

  it('with encoded bytes, well-formed or not', () => {
    const written = fc.oneof(
      bytes.map((given) => Buffer.from(given).toString('base64url')),
      fc.base64String(),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF') }),
    );
    fc.assert(
      fc.property(
        written,
        fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
        (text, encoding) => {
          expect(plain(BrowserBytes.from(text, encoding))).toEqual(plain(Buffer.from(text, encoding)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('when texts are written into it: never a part of a character', () => {
    fc.assert(
      fc.property(texts, fc.nat(20), fc.nat(20), (text, room, offset) => {
        const [ours, theirs] = [BrowserBytes.alloc(room + offset), Buffer.alloc(room + offset)];
        expect(ours.write(text, offset)).toBe(theirs.write(text, offset, 'utf8'));
        expect(plain(ours)).toEqual(plain(theirs));
      }),
      { numRuns: 500 },
    );
  });

  it('when copied, joined, compared and shared', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.nat(90), fc.nat(90), (one, other, at, from) => {
        const start = Math.min(from, one.length);
        const [ours, theirs] = [BrowserBytes.from(other), Buffer.from(other)];
        const target = Math.min(at, other.length);
        expect(BrowserBytes.from(one).copy(ours, target, start)).toBe(Buffer.from(one).copy(theirs, target, start));
        expect(plain(ours)).toEqual(plain(theirs));
        expect(plain(BrowserBytes.concat([one, other, one]))).toEqual(plain(Buffer.concat([one, other, one])));
        expect(BrowserBytes.from(one).equals(other)).toBe(Buffer.from(one).equals(other));
        expect(BrowserBytes.from(one).equals(Uint8Array.from(one))).toBe(true);
      }),
    );
    const shared = Uint8Array.of(1, 2, 3, 4, 5);
    const part = BrowserBytes.from(shared.buffer, 1, 3).subarray(1);
    part[0] = 9;
    expect([part, plain(shared)]).toEqual([BrowserBytes.from([9, 4]), [1, 2, 9, 4, 5]]);
  });

  it('with numbers', () => {
    fc.assert(
      fc.property(fc.nat(0xffff_ffff), (value) => {
        const bytes = BrowserBytes.alloc(6);
        expect(bytes.writeUInt32LE(value, 1)).toBe(5);
        expect(Buffer.from(bytes).readUInt32LE(1)).toBe(value);
        expect(bytes.readUInt32LE(1)).toBe(value);
      }),
    );
  });
});
