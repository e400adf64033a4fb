import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProgressBar } from '../src/progress-bar.ts';

/**
 * Returns what a bar writes, as lines without cursor movements; `isTerminal` selects the kind of
 * stream.
 */
async function drawn(
  isTerminal: boolean,
  total: number | undefined,
  shown: readonly number[],
  name = 'a.nq',
): Promise<string[]> {
  vi.useFakeTimers();
  const stream = Object.assign(new PassThrough(), { isTTY: isTerminal, columns: 80 });
  const bar = new ProgressBar(name, total, stream);
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
  it('shows how much of a file is done, how fast that was, and how long the rest will take', async () => {
    // The last: a file may grow while it is read.
    expect(await drawn(true, 4_000_000, [0, 2_000_000, 5_000_000])).toEqual([
      'a.nq [................] 0 % of 4.0 MB',
      'a.nq [########........] 50 % of 4.0 MB, 2.0 MB/s, 1 s left',
      'a.nq [################] 100 % of 4.0 MB, 2.5 MB/s, 0 s left',
    ]);
    const long = await drawn(true, 7_000_000_000, [0, 1_000_000, 10_000_000, 200_000_000]);
    expect(long.map((line) => /([^,]*) left$/.exec(line)?.[1].trim())).toEqual([
      undefined,
      '1 h 56 min',
      '23 min 18 s',
      '1 min 42 s',
    ]);
  });

  it('leaves room for the figures on a narrow terminal, whatever the file is called', async () => {
    const [first] = await drawn(true, 4_000_000, [0], '/a/long/path/to/a-file-with-a-very-long-name-indeed.nq');
    expect(first).toBe('a-file-with-a-very-… [................] 0 % of 4.0 MB');
  });

  it('shows the amount received if the total is unknown', async () => {
    expect(await drawn(true, undefined, [0, 1_250_000])).toEqual(['a.nq 0.0 MB', 'a.nq 1.3 MB, 1.3 MB/s']);
  });

  it('writes nothing without a terminal', async () => {
    expect(await drawn(false, 4_000_000, [2_000_000])).toEqual([]);
  });
});
