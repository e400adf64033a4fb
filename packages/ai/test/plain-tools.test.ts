import { WorldsEngine } from '@rdf-worlds/core';
import { MEMORY_TOOLS } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { plainTools } from '../src/plain.ts';

it('are the tools of the memory, with JSON schemas and one function', async () => {
  const engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'people' });
  try {
    const all = plainTools({ engine });
    expect(all.map(({ name }) => name)).toEqual(MEMORY_TOOLS.map(({ name }) => name));
    for (const { name, description, inputSchema, outputSchema } of all) {
      expect(name).toMatch(/^[a-z_]{1,64}$/);
      expect(description.length).toBeGreaterThan(10);
      expect(JSON.parse(JSON.stringify(inputSchema))).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(outputSchema.type).toBe('object');
    }
    const single = plainTools({ engine, worlds: ['people'] });
    for (const { inputSchema } of single) expect(Object.keys(inputSchema.properties as object)).not.toContain('world');
    const call = (name: string, input: unknown, signal?: AbortSignal) =>
      single.find((tool) => tool.name === name)!.call(input, { signal });
    await call('remember', { facts: [{ subject: 'Ada', predicate: 'works at', object: 'Acme' }] });
    expect((await call('look', { entity: 'Ada' })).text).toMatch(/Acme/);
    await expect(call('look', {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(call('look', { entity: 'Ada' }, AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
    expect(() => plainTools({ engine, approval: 'writes' } as never)).toThrow(/approval/);
  } finally {
    await engine.close();
  }
});
