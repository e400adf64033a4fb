import { afterEach, expect, it, vi } from 'vitest';
import { turns } from '../../src/contracts/turns.ts';
import { WorldsEngine } from '../../src/index.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('an export starts when its caller may start work, with the data of the call', async () => {
  const engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.update({ sources: ['w'], query: 'INSERT DATA { <urn:s> <urn:p> 1 }' });
  let admit!: () => void;
  const admission = new Promise<void>((resolve) => {
    admit = resolve;
  });
  const { signal } = new AbortController();
  const begin = vi.spyOn(turns, 'begin').mockReturnValue(admission);
  const chunks = engine.exportStream({ source: 'w', signal })[Symbol.asyncIterator]();
  let isStarted = false;
  const first = chunks.next().then((chunk) => {
    isStarted = true;
    return chunk;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(begin).toHaveBeenCalledWith(signal);
  expect(isStarted).toBe(false);
  begin.mockRestore();
  await engine.update({ sources: ['w'], query: 'INSERT DATA { <urn:s> <urn:p> 2 }' });
  admit();
  expect(Buffer.from((await first).value as Uint8Array).toString()).toBe(
    '<urn:s> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n',
  );
  expect((await chunks.next()).done).toBe(true);
  await engine.close();
});
