import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Access } from '../src/access.ts';
import { updateSources } from '../src/operations/update-sources.ts';

const everything = new Access({ id: 'x', grants: [{ namespace: 'n', read: true, write: true }] }, 'platform');
const world = (slug: string, flags: { write?: boolean; schema?: boolean } = {}) => ({ namespace: 'n', slug, ...flags });

describe('updateSources', () => {
  it('says outright what each world is for', () => {
    expect(updateSources([world('a')], everything)).toEqual([world('a', { write: true })]);
    expect(updateSources([world('a'), world('b', { write: true }), world('c', { schema: true })], everything)).toEqual([
      world('a', { write: false }),
      world('b', { write: true }),
      world('c', { schema: true, write: false }),
    ]);
    expect(updateSources([world('a'), world('a')], everything)).toEqual([world('a', { write: true })]);
  });

  it.each([
    ['none', []],
    ['one that is only read', [world('a', { write: false })]],
    ['one schema', [world('a', { schema: true, write: true })]],
    ['two that say nothing', [world('a'), world('b')]],
    ['two, of which one is only read', [world('a'), world('b', { write: false })]],
    ['two that are written', [world('a', { write: true }), world('b', { write: true })]],
    ['one that contradicts itself', [world('a'), world('a', { write: true })]],
  ])('refuses %s', (_, worlds) => {
    expect(() => updateSources(worlds, everything)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });

  it('never lets a world be written, or read, without leave for it', () => {
    const flag = fc.constantFrom(undefined, true, false);
    const some = fc.record({ slug: fc.constantFrom('r', 'w', 'rw', 'no'), write: flag, schema: flag });
    const access = new Access(
      {
        id: 'x',
        grants: [
          { namespace: 'n', world: 'r', read: true },
          { namespace: 'n', world: 'w', write: true },
          { namespace: 'n', world: 'rw', read: true, write: true },
        ],
      },
      'platform',
    );
    fc.assert(
      fc.property(fc.array(some, { maxLength: 4 }), (worlds) => {
        let sources: ReturnType<typeof updateSources>;
        try {
          sources = updateSources(
            worlds.map((source) => ({ namespace: 'n', ...source })),
            access,
          );
        } catch (error) {
          expect(['PERMISSION_DENIED', 'INVALID_ARGUMENT']).toContain((error as { code?: string }).code);
          return;
        }
        expect(sources.filter(({ write }) => write)).toHaveLength(1);
        for (const source of sources) expect(access.may(source.write ? 'write' : 'read', source)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
