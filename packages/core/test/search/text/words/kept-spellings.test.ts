import { describe, expect, it } from 'vitest';
import { KeptSpellings } from '../../../../src/search/text/words/kept-spellings.ts';

describe('spellings that are kept', () => {
  it('are looked for once, until the lists change', () => {
    const kept = new KeptSpellings();
    let looked = 0;
    const find = (spelling: number) => () => {
      looked++;
      return [Uint32Array.of(), Uint32Array.of(spelling)];
    };
    expect(kept.of('ketle', 1, find(7))[1]).toEqual(Uint32Array.of(7));
    expect(kept.of('ketle', 1, find(8))[1]).toEqual(Uint32Array.of(7));
    expect(kept.of('hapy', 1, find(9))[1]).toEqual(Uint32Array.of(9));
    expect(looked).toBe(2);
    expect(kept.of('ketle', 2, find(8))[1]).toEqual(Uint32Array.of(8));
    expect(kept.of('hapy', 2, find(10))[1]).toEqual(Uint32Array.of(10));
    expect(looked).toBe(4);
  });

  it('are few, however many words are looked for and however many are near to one', () => {
    const kept = new KeptSpellings();
    for (let word = 0; word < 5000; word++) {
      const near = new Uint32Array(word % 50 === 0 ? 20_000 : word % 70);
      expect(kept.of(`word${word}`, 1, () => [near])[0]).toBe(near);
      expect(kept.byteLength).toBeLessThanOrEqual(32_768 * 4);
    }
    const many = new Uint32Array(100_000);
    expect(kept.of('many', 1, () => [many])[0]).toBe(many);
    expect(kept.byteLength).toBeLessThanOrEqual(32_768 * 4);
  });
});
