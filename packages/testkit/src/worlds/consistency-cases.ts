import assert from 'node:assert/strict';
import { all, EX, fails, shown, text, type WorldsCase } from './worlds-probe.ts';

/** Cases for `consistency`. */
export const consistencyCases: readonly WorldsCase[] = [
  {
    name: 'reads the latest state, in every way',
    async run(probe) {
      const { worlds } = probe;
      await probe.world('a', 'ex:s ex:p "plum" .');
      const line = `<${EX}s> <${EX}p> "plum" .\n`;
      const sources = ['a'];
      for (const consistency of ['latest', 'bounded'] as const) {
        assert.equal((await worlds.getWorld({ source: 'a', consistency }))?.slug, 'a');
        assert.deepEqual(
          (await worlds.listWorlds({ consistency })).map(({ slug }) => slug),
          ['a'],
        );
        assert.deepEqual((await all(worlds.quads({ source: 'a', consistency }))).map(shown), ['<s> <p> "plum"']);
        assert.deepEqual(await worlds.getEntity({ source: 'a', entity: `${EX}s`, consistency }), {
          [`${EX}p`]: ['plum'],
        });
        assert.equal(text(await worlds.export({ source: 'a', consistency })), line);
        assert.equal(await worlds.ask({ sources, query: 'ASK { ?s ?p "plum" }', consistency }), true);
        assert.equal((await worlds.explain({ sources, query: 'ASK { ?s ?p ?o }', consistency })).form, 'ask');
        assert.equal((await worlds.search({ sources, query: 'plum', consistency })).length, 1);
      }
      const unknown = 'newest' as 'latest';
      await fails('INVALID_ARGUMENT', () => worlds.getWorld({ source: 'a', consistency: unknown }), /consistency/);
      await fails('INVALID_ARGUMENT', () => worlds.listWorlds({ consistency: unknown }), /consistency/);
      await fails('INVALID_ARGUMENT', () => worlds.export({ source: 'a', consistency: unknown }), /consistency/);
      await fails(
        'INVALID_ARGUMENT',
        () => worlds.ask({ sources, query: 'ASK {}', consistency: unknown }),
        /consistency/,
      );
    },
  },
];
