import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.update({ sources: ['w'], query: 'INSERT DATA { GRAPH <urn:to> { <urn:s> <urn:p> 1 } }' });
});
afterEach(() => engine.close());

describe.each(['ADD', 'COPY', 'MOVE'])('%s of a graph that does not exist', (operation) => {
  it('is NOT_FOUND', async () => {
    const query = `${operation} <urn:absent> TO <urn:to>`;
    await expect(engine.update({ sources: ['w'], query })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('succeeds with SILENT, and leaves its target as it is', async () => {
    const query = `${operation} SILENT <urn:absent> TO <urn:to> ; INSERT DATA { <urn:s> <urn:p> 2 }`;
    expect(await engine.update({ sources: ['w'], query })).toMatchObject({ inserted: 1, deleted: 0 });
    expect((await engine.export({ source: 'w', graph: 'urn:to' })).length).toBeGreaterThan(0);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:absent' })).toBe(false);
  });
});
