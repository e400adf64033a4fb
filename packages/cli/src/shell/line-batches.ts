import type { Interface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';

/** Pasted lines arrive one by one, but faster than a person types. */
const PASTE_MS = 10;

/** Yields lines in batches: a typed line alone, pasted lines together. Ends with the input. */
export async function* lineBatches(lines: Interface): AsyncGenerator<string[]> {
  const waiting: string[] = [];
  let isClosed = false;
  let wake = () => {};
  lines.on('line', (line) => {
    waiting.push(line);
    wake();
  });
  lines.on('close', () => {
    isClosed = true;
    wake();
  });
  while (!isClosed || waiting.length > 0) {
    if (waiting.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    for (let seen = 0; seen < waiting.length && !isClosed; ) {
      seen = waiting.length;
      await setTimeout(PASTE_MS);
    }
    yield waiting.splice(0);
  }
}
