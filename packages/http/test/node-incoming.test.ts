import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { HeldBodies } from '../src/held-bodies.ts';
import { NodeIncoming } from '../src/node-incoming.ts';

it('keeps nothing of what still comes behind tiny chunks that were refused', async () => {
  // Pushes as the parser of node:http does: it emits everything that it has read, even if the
  // message is paused.
  const message = new Readable({ read: () => undefined }) as IncomingMessage;
  const incoming = new NodeIncoming(message, {} as ServerResponse);
  const claim = new HeldBodies().open('a', 1 << 26);
  const body = incoming.readBody({ maxBytes: 1 << 20, idleMs: 60_000, totalMs: 60_000, claim });
  for (let i = 0; i < 1_000; i++) message.push(Buffer.alloc(1));
  await expect(body).rejects.toMatchObject({ status: 413 });
  for (let i = 0; i < 10_000; i++) message.push(Buffer.alloc(1));
  await new Promise((resolve) => setImmediate(resolve));
  expect(message.readableLength).toBe(0);
});
