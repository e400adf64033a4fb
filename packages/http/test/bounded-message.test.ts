import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { BoundedMessage } from '../src/bounded-message.ts';
import { ReadTurns } from '../src/read-turns.ts';

function message(): { readonly incoming: BoundedMessage; readonly errors: Error[] } {
  const errors: Error[] = [];
  const incoming = new BoundedMessage(new Socket(), new ReadTurns());
  incoming.on('error', (error) => errors.push(error));
  return { incoming, errors };
}

it('keeps a few hundred tiny pieces that nobody reads, then closes the connection', async () => {
  const { incoming, errors } = message();
  for (let i = 0; i < 20_000; i++) incoming.push(Buffer.from('x'));
  expect(incoming.readableLength).toBe(512);
  await setImmediate();
  expect(incoming.socket.destroyed).toBe(true);
  expect(errors).toHaveLength(1);
});

it('drops what comes behind tiny pieces that are read, and never ends as if it were whole', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { incoming, errors } = message();
  const seen: unknown[] = [];
  incoming.on('data', (piece) => seen.push(piece)).on('end', () => seen.push('end'));
  await setImmediate();
  for (let i = 0; i < 20_000; i++) incoming.push(Buffer.from('x'));
  incoming.push(null);
  await setImmediate();
  expect(seen).toHaveLength(513);
  expect(seen).not.toContain('end');
  expect(errors).toEqual([]);
  vi.runAllTimers();
  vi.useRealTimers();
  await setImmediate();
  expect(errors).toHaveLength(1);
});

it.each([
  ['many of usual length', 20_000, 'x'.repeat(40)],
  ['a few tiny ones', 500, 'x'],
])('receives pieces: %s', async (_, count, piece) => {
  const { incoming, errors } = message();
  let text = '';
  incoming.setEncoding('latin1').on('data', (part) => (text += part));
  for (let i = 0; i < count; i++) incoming.push(Buffer.from(piece));
  incoming.push(null);
  for (let i = 0; i < 3; i++) await setImmediate();
  expect(text).toBe(piece.repeat(count));
  expect(errors).toEqual([]);
});
