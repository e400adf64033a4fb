import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { utf8Text } from '../../src/formats/utf8-text.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';
import { chunksOf } from './documents.ts';

async function decoded(bytes: Uint8Array, size?: number): Promise<string> {
  let text = '';
  for await (const piece of utf8Text(chunksOf(bytes, size), { slicer: new Slicer() })) text += piece;
  return text;
}

describe('utf8Text', () => {
  it.each([1, 2, 3, 5, 1000])('never splits a character, in chunks of %i bytes', async (size) => {
    const text = '\ufeffaé\u4e00\u{1f600}\n'.repeat(7);
    expect(await decoded(Buffer.from(text), size)).toBe(text);
  });

  it('copies the part it keeps of a chunk that the caller reuses', async () => {
    async function* reused() {
      const buffer = new Uint8Array(1);
      for (const byte of Buffer.from('é\u{1f600}')) {
        buffer[0] = byte;
        yield buffer;
      }
    }
    let text = '';
    for await (const piece of utf8Text(reused(), { slicer: new Slicer() })) text += piece;
    expect(text).toBe('é\u{1f600}');
  });

  it.each([
    ['a stray continuation byte', [0x61, 0x0a, 0x62, 0x80, 0x63], 2, 2],
    ['an overlong form', [0xc0, 0xaf], 1, 1],
    ['a surrogate', [0x0a, 0xed, 0xa0, 0x80], 2, 1],
    ['beyond U+10FFFF', [0x61, 0xf4, 0x90, 0x80, 0x80], 1, 2],
    ['an impossible byte', [0x61, 0x62, 0xff], 1, 3],
    ['a character cut off by the end', [0x61, 0xe4, 0xb8], 1, 2],
    ['a character cut off by another', [0xe4, 0xb8, 0x61], 1, 1],
  ])('refuses %s, and says where', async (_, bytes, line, column) => {
    for (const size of [1, 2, 1000]) {
      const error = await decoded(Uint8Array.from(bytes), size).catch((caught: unknown) => caught as WorldsError);
      expect(error).toBeInstanceOf(WorldsError);
      expect(error).toMatchObject({ code: 'INVALID_RDF', location: { line, column } });
    }
  });

  it('lets the event loop run within one big chunk', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const slicer = new Slicer();
    for await (const _ of utf8Text(chunksOf(Buffer.alloc(1 << 22, 0x61)), { slicer })) {
      const until = performance.now() + 2;
      while (performance.now() < until);
    }
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
