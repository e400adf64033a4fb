import { expect, it, vi } from 'vitest';
import type { GuardedText } from '../src/guarded-file.ts';
import { WatchedFile } from '../src/watched-file.ts';

const LOGGER = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

it.each([
  ['is gone', () => Promise.reject(new Error('ENOENT'))],
  ['has changed', async () => ({ content: 'b', version: '2', warning: false })],
])('a watch that was closed while it read a file that %s does and says nothing', async (_, outcome) => {
  vi.useFakeTimers();
  try {
    const logger = LOGGER();
    const applied: string[] = [];
    let goOn!: () => void;
    const isRead = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const read = vi
      .fn<() => Promise<GuardedText>>()
      .mockResolvedValueOnce({ content: 'a', version: '1', warning: false })
      .mockImplementationOnce(() => isRead.then(outcome));
    const apply = ({ content }: GuardedText) => void applied.push(content);
    const file = await WatchedFile.open('tokens.json', logger, { what: 'tokens', read, apply });
    await vi.advanceTimersByTimeAsync(1000);
    expect(read).toHaveBeenCalledTimes(2);
    file.close();
    goOn();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read).toHaveBeenCalledTimes(2);
    expect(applied).toEqual(['a']);
    for (const log of Object.values(logger)) expect(log).not.toHaveBeenCalled();
  } finally {
    vi.useRealTimers();
  }
});
