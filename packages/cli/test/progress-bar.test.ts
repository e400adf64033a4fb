import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProgressBar } from '../src/progress-bar.ts';

/** What a bar writes to a terminal, or to what is none: in lines, without what moves the cursor. */
async function drawn(isTerminal: boolean, total: number | undefined, shown: readonly number[]): Promise<string[]> {
  vi.useFakeTimers();
  const stream = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 });
  const bar = new ProgressBar('a.nq', total, stream);
  for (const bytes of shown) {
    bar.show(bytes);
    vi.advanceTimersByTime(1_000);
  }
  bar.end();
  expect(vi.getTimerCount()).toBe(0);
  stream.end();
  vi.useRealTimers();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control sequences are what is to be taken out (ECMA-48).
  const lines = (await text(stream)).split(/(?:\u001b(?:\[[\d;?]*[A-Za-z]|[78]))+/);
  return lines.filter((line) => line !== '');
}

afterEach(() => {
  vi.useRealTimers();
});

describe('ProgressBar', () => {
  it('shows how much of a file is done', async () => {
    // The last: a file may grow while it is read.
    expect(await drawn(true, 4_000_000, [2_000_000, 5_000_000])).toEqual([
      'a.nq [........................] 0 % of 4.0 MB',
      'a.nq [############............] 50 % of 4.0 MB',
      'a.nq [########################] 100 % of 4.0 MB',
    ]);
  });

  it('shows how much came when nobody knows how much there is', async () => {
    expect(await drawn(true, undefined, [1_250_000])).toEqual(['a.nq 0.0 MB', 'a.nq 1.3 MB']);
  });

  it('writes nothing where there is no terminal', async () => {
    expect(await drawn(false, 4_000_000, [2_000_000])).toEqual([]);
  });
});
