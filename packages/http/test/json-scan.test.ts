import { describe, expect, it, vi } from 'vitest';
import { requireJsonValues, scanJson, unescapedSlashes } from '../src/json-scan.ts';
import { ROUNDS } from '../src/rounds.ts';

const LONG = 'QUJD'.repeat(20_000);
const bounds = (
  maxJsonValues: number,
  maxJsonMembers = Number.POSITIVE_INFINITY,
  maxJsonDepth = Number.POSITIVE_INFINITY,
) => ({ maxJsonValues, maxJsonMembers, maxJsonDepth });
const bytes = (text: string) => Buffer.from(text);

describe('requireJsonValues', () => {
  it.each([
    ['elements', `[${'1,'.repeat(200)}1]`],
    ['members', `{${Array.from({ length: 201 }, (_, i) => `"m${i}":1`)}}`],
    ['arrays in arrays', '['.repeat(201)],
    ['objects in objects', '{"a":'.repeat(201)],
  ])('counts %s', async (_, text) => {
    await expect(requireJsonValues(bytes(text), bounds(200))).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('maxJsonValues'),
    });
    await requireJsonValues(bytes(text), bounds(202));
  });

  it('counts nothing inside of strings, escapes and all', async () => {
    await requireJsonValues(bytes(`{"a":"${'[{,:\\"\\\\'.repeat(1000)}"}`), bounds(2));
  });

  it('counts the members of each object for itself', async () => {
    const members = (n: number) => `{${Array.from({ length: n }, (_, i) => `"m${i}":1`)}}`;
    const few = `[${members(20)},{"a":${members(20)},"b:":":"},${members(20)}]`;
    await requireJsonValues(bytes(few), bounds(200, 20));
    for (const text of [members(21), `[${members(1)},${members(21)}]`, `{"a":${members(1)},"b":${members(21)}}`]) {
      await expect(requireJsonValues(bytes(text), bounds(200, 20))).rejects.toMatchObject({
        status: 413,
        message: expect.stringContaining('maxJsonMembers'),
      });
    }
  });

  it('counts the levels of nesting', async () => {
    const nested = (depth: number) => `[${'[]'.repeat(50)},${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}]`;
    await requireJsonValues(bytes(nested(98)), bounds(1_000, 1_000, 100));
    await expect(requireJsonValues(bytes(nested(100)), bounds(1_000, 1_000, 100))).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('maxJsonDepth'),
    });
  });

  it('lets the event loop run', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const pause = vi.spyOn(ROUNDS, 'pause');
    await requireJsonValues(Buffer.alloc(16 << 20, ' '), bounds(1));
    clearImmediate(timer);
    // Between pieces of 256 KiB, each of which may be that many values.
    expect(pause).toHaveBeenCalledTimes(63);
    pause.mockRestore();
    // At most 32 pieces in a round.
    expect(turns).toBeGreaterThanOrEqual(2);
  });
});

describe('scanJson', () => {
  const found = async (text: string) => {
    const range = await scanJson(bytes(text), bounds(100), 'data');
    return range && text.slice(range.start, range.end);
  };

  it.each([
    ['the member', `{"data":"${LONG}"}`],
    [
      'the member, between others and white space',
      `{ "a" : ["x", {"data":"no"}], "data" : "${LONG}" , "b": {"c":"d"}}`,
    ],
    ['the last of two', `{"data":"AAAA","data":"${LONG}"}`],
  ])('finds %s', async (_, text) => {
    expect(await found(text)).toBe(LONG);
  });

  it.each([
    ['a short string', '{"data":"QUJD"}'],
    ['another member', `{"date":"${LONG}"}`],
    ['a member of a member', `{"a":{"data":"${LONG}"}}`],
    ['a string that is a value', `{"a":"data","b":"${LONG}"}`],
    ['the first of two', `{"data":"${LONG}","data":"AAAA"}`],
    ['a string with escapes', `{"data":"${LONG}\\u0041"}`],
    ['an element', `["data","${LONG}"]`],
  ])('does not find %s', async (_, text) => {
    expect(await found(text)).toBeUndefined();
  });

  it('finds one with escaped slashes, which are taken out', async () => {
    const text = `{"data":"${'AB\\/C'.repeat(900_000)}"}`;
    const range = (await scanJson(bytes(text), bounds(100), 'data'))!;
    expect(Buffer.from(await unescapedSlashes(bytes(text), range)).equals(bytes('AB/C'.repeat(900_000)))).toBe(true);
  });
});
