import { describe, expect, it } from 'vitest';
import { BodyPieces } from '../src/body-pieces.ts';
import { HeldBodies } from '../src/held-bodies.ts';

const pieces = (maxBytes = 1 << 20) =>
  new BodyPieces({ maxBytes, idleMs: 1000, totalMs: 1000, claim: new HeldBodies().open('a', 1 << 26) });

describe('BodyPieces', () => {
  it.each([
    ['nothing', []],
    ['one short piece', [5]],
    ['one long piece', [10_000]],
    ['short and long ones', [1, 5000, 3, 4, 70_000, 70_000, 1, 4095, 4096]],
    ['many short ones', Array.from({ length: 3000 }, (_, i) => (i % 100) + 1)],
    ['what is put together in steps', Array.from({ length: 200 }, () => 65_536)],
  ])('are the body: %s', async (_, lengths) => {
    const body = pieces(1 << 24);
    const expected = lengths.map((length, i) => Buffer.alloc(length, i));
    for (const piece of expected) body.add(piece);
    expect(Buffer.compare(await body.whole(), Buffer.concat(expected))).toBe(0);
  });

  it('does not keep short pieces, whose blocks are much larger', async () => {
    const body = pieces();
    const read = Buffer.alloc(64 * 1024, 'a');
    body.add(read.subarray(0, 10));
    body.add(read.subarray(10, 30));
    read.fill('b');
    expect(Buffer.from(await body.whole()).toString()).toBe('a'.repeat(30));
  });

  it('refuses tiny pieces beyond some thousands, and takes as many of usual size', async () => {
    const tiny = pieces();
    expect(() => {
      for (let i = 0; i < 1000; i++) tiny.add(Buffer.alloc(1));
    }).toThrow(expect.objectContaining({ status: 413, message: expect.stringContaining('chunks') }));
    const usual = pieces();
    for (let i = 0; i < 20_000; i++) usual.add(Buffer.alloc(40));
    expect(await usual.whole()).toHaveLength(800_000);
  });

  it('refuses more bytes than there may be', () => {
    const body = pieces(100);
    body.add(Buffer.alloc(100));
    expect(() => body.add(Buffer.alloc(1))).toThrow(expect.objectContaining({ status: 413 }));
  });
});
