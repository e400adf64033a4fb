import { describe, expect, it } from 'vitest';
import { ReadWriteLock } from '../../src/search/read-write-lock.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Asks for the lock and notes when it is granted. */
function ask(lock: ReadWriteLock, kind: 'read' | 'write', name: string, granted: string[], signal?: AbortSignal) {
  const grant = lock[kind](signal);
  grant.then(
    () => granted.push(name),
    () => granted.push(`${name} gave up`),
  );
  return grant;
}

describe('ReadWriteLock', () => {
  it('admits readers together, a writer exclusively, and all in order', async () => {
    const lock = new ReadWriteLock();
    const granted: string[] = [];
    const a = ask(lock, 'read', 'a', granted);
    const b = ask(lock, 'read', 'b', granted);
    const c = ask(lock, 'write', 'c', granted);
    const d = ask(lock, 'read', 'd', granted);
    const e = ask(lock, 'write', 'e', granted);
    await settle();
    expect(granted).toEqual(['a', 'b']);
    (await a)();
    (await a)();
    await settle();
    expect(granted).toEqual(['a', 'b']);
    (await b)();
    await settle();
    expect(granted).toEqual(['a', 'b', 'c']);
    (await c)();
    await settle();
    expect(granted).toEqual(['a', 'b', 'c', 'd']);
    (await d)();
    (await e)();
    await settle();
    expect(granted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('admits the readers behind a writer when the writer is aborted', async () => {
    const lock = new ReadWriteLock();
    const granted: string[] = [];
    const controller = new AbortController();
    const reader = await ask(lock, 'read', 'a', granted);
    const writer = ask(lock, 'write', 'b', granted, controller.signal);
    ask(lock, 'read', 'c', granted);
    await settle();
    expect(granted).toEqual(['a']);
    controller.abort();
    await expect(writer).rejects.toMatchObject({ code: 'ABORTED' });
    await settle();
    expect(granted).toEqual(['a', 'b gave up', 'c']);
    reader();
  });

  it('rejects callers whose signal has fired, and is not held by them', async () => {
    const lock = new ReadWriteLock();
    await expect(lock.write(AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    (await lock.write())();
  });

  it('is not given back by a signal that fires later', async () => {
    const lock = new ReadWriteLock();
    const controller = new AbortController();
    const release = await lock.write(controller.signal);
    controller.abort();
    const granted: string[] = [];
    ask(lock, 'read', 'a', granted);
    await settle();
    expect(granted).toEqual([]);
    release();
    await settle();
    expect(granted).toEqual(['a']);
  });
});
