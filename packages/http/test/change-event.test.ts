import { dataFactory, MemoryPool, type WorldChange } from '@rdf-worlds/core';
import { RequestBudget } from '@rdf-worlds/core/internal';
import { describe, expect, it } from 'vitest';
import { changeEvents } from '../src/change-event.ts';

const { quad, namedNode, literal } = dataFactory;
const world = { slug: 'w', namespace: 'n', label: 'w', createdAt: 0, updatedAt: 0 };
const triple = (text: string) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(text));

function changeOf(texts: readonly string[]): WorldChange {
  return { world, kind: 'changed', revision: 1, timeMs: 0, inserted: texts.map(triple), deleted: [] } as never;
}

describe('the events of a change with a long text', () => {
  const TEXT = '\u0001'.repeat(1 << 20);

  it('are short pieces, whose memory is claimed until the reader has taken them', async () => {
    const budget = new RequestBudget(new MemoryPool(1 << 26));
    const controller = new AbortController();
    const pieces: string[] = [];
    let most = 0;
    const options = { id: '1', isWhole: true, maxQuads: 10, signal: controller.signal, budget: () => budget };
    for await (const piece of changeEvents(changeOf(['a', TEXT, 'b']), options)) {
      pieces.push(piece);
      most = Math.max(most, budget.claimedBytes);
    }
    // Each unit has six characters in JSON.
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1 << 20);
    expect(most).toBeGreaterThanOrEqual(2 * TEXT.length);
    expect(budget.claimedBytes).toBe(0);
    const events = pieces.join('').split('\n\n').filter(Boolean);
    expect(events).toHaveLength(2);
    const values = events
      .map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)))
      .flatMap(({ inserted }) => inserted.map((row: { object: { value: string } }) => row.object.value));
    expect(values).toEqual(['a', TEXT, 'b']);
    // A reader finds the end of an event by its empty line.
    expect(pieces.filter((piece) => piece.endsWith('\n\n'))).toHaveLength(2);
  });

  it('are not written any more for a reader that has left', async () => {
    const budget = new RequestBudget(new MemoryPool(1 << 26));
    const controller = new AbortController();
    const options = { id: '1', isWhole: true, maxQuads: 10, signal: controller.signal, budget: () => budget };
    const events = changeEvents(changeOf([TEXT, TEXT]), options);
    expect((await events.next()).done).toBe(false);
    controller.abort();
    expect((await events.next()).done).toBe(true);
  });

  it('end with OVERLOADED if the memory is short', async () => {
    const pool = new MemoryPool(3 << 20);
    const budget = () => new RequestBudget(pool, 3 << 20);
    const options = { id: '1', isWhole: true, maxQuads: 10, signal: new AbortController().signal, budget };
    const held = [1, 2].map(() => changeEvents(changeOf([TEXT]), options));
    await held[0].next();
    await expect(held[1].next()).rejects.toMatchObject({ code: 'OVERLOADED' });
    await held[0].return(undefined);
    expect(pool.usedBytes).toBe(0);
  });
});
