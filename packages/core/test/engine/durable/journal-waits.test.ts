import { expect, it } from 'vitest';
import { Journal } from '../../../src/engine/durable/journal.ts';
import type { Namespace } from '../../../src/engine/namespace.ts';
import { MemoryStorage } from '../../../src/index.ts';
import { NO_HEAD } from '../../../src/plugin.ts';

it('a caller that gives up waiting for the next commit leaves nothing behind', async () => {
  const storage = new MemoryStorage();
  await storage.open();
  const nothing = () => undefined;
  const events = {
    ...{ isShared: () => false, newId: () => '' },
    ...{ onAwaited: nothing, onAppended: nothing, onDurable: nothing, onOvertaken: nothing, onStale: nothing },
  };
  const namespace = { name: 'n', dropped: false } as Namespace;
  const journal = new Journal(namespace, storage.namespace('n'), { head: NO_HEAD, terms: 0 }, events);
  const stops = Array.from({ length: 20 }, () => new AbortController());
  const waiting = stops.map(({ signal }) => journal.beyond(0, signal).catch((error: unknown) => error));
  expect(journal.isAwaited).toBe(true);
  for (const stop of stops) stop.abort();
  for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject({ code: 'ABORTED' });
  expect(journal.isAwaited).toBe(false);
  await storage.close();
});
