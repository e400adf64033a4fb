import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import { StatusLine } from '../src/status-line.ts';
import { WatchedService } from '../src/watched-service.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** A terminal, or a file. */
function output(isTTY: boolean): PassThrough & { isTTY: boolean } {
  return Object.assign(new PassThrough(), { isTTY });
}

/** What has been written since the last call, with `|` where the line is cleared. */
function written(stream: PassThrough): string {
  return (stream.read()?.toString() ?? '').replaceAll('\r\u001b[K', '|');
}

it('shows the activity and its duration, then removes the line', () => {
  vi.useFakeTimers();
  const stream = output(true);
  const status = new StatusLine('checking', stream);
  vi.advanceTimersByTime(999);
  expect(written(stream)).toBe('');
  vi.advanceTimersByTime(1);
  status.show('checking alpha');
  vi.advanceTimersByTime(61_000);
  status.end();
  vi.advanceTimersByTime(5_000);
  const lines = written(stream).split('|');
  expect(lines.slice(0, 3)).toEqual(['', 'checking, 1 s', 'checking alpha, 2 s']);
  expect(lines.slice(-2)).toEqual(['checking alpha, 1 min 2 s', '']);
});

it('writes nothing for quick work or without a terminal', () => {
  vi.useFakeTimers();
  const terminal = output(true);
  const quick = new StatusLine('checking', terminal);
  vi.advanceTimersByTime(500);
  quick.end();
  const file = output(false);
  const slow = new StatusLine('checking', file);
  vi.advanceTimersByTime(5_000);
  slow.end();
  expect([written(terminal), written(file)]).toEqual(['', '']);
});

it('shows work on one namespace after the other', () => {
  vi.useFakeTimers();
  const stream = output(true);
  const status = new StatusLine('opening', stream);
  status.of('compacting')({ namespace: 'acme', done: 1, total: 3 });
  vi.advanceTimersByTime(1_000);
  status.end();
  expect(written(stream)).toBe('|compacting acme, 2 of 3 namespaces, 1 s|');
});

it('shows what a command waits for, until the answer begins', async () => {
  vi.useFakeTimers();
  const isTTY = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: true, configurable: true });
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    let answer = (_: Response): void => {};
    const send = () => new Promise<Response>((resolve) => (answer = resolve));
    const service = new WatchedService({ defaultWorld: 'w', send, close: async () => {} }, 'querying');
    const response = service.send('/worlds/w/sparql');
    vi.advanceTimersByTime(2_000);
    answer(new Response('[]'));
    expect(await (await response).text()).toBe('[]');
    vi.advanceTimersByTime(5_000);
    const shown = write.mock.calls.map(([text]) => String(text).replaceAll('\r\u001b[K', '|')).join('');
    expect(shown).toBe('|querying, 1 s|querying, 2 s|');
  } finally {
    write.mockRestore();
    if (isTTY) Object.defineProperty(process.stderr, 'isTTY', isTTY);
    else Reflect.deleteProperty(process.stderr, 'isTTY');
  }
});
