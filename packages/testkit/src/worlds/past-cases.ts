import assert from 'node:assert/strict';
import { all, EX, fails, shown, text, type WorldsCase } from './worlds-probe.ts';

/** Cases for reading the past. */
export const pastCases: readonly WorldsCase[] = [
  {
    name: 'reads the past by revision and by date, in every way',
    async run(probe) {
      const { worlds } = probe;
      const { revision: before } = await worlds.createWorld({ slug: 'other', label: 'first' });
      await worlds.createWorld({ slug: 'a', label: 'old' });
      const line = (value: string) => `<${EX}s> <${EX}p> "${value}" .\n`;
      const { revision: at } = await worlds.import({ source: 'a', data: line('old') });
      // A date denotes the last commit up to then, so the commits must be milliseconds apart.
      await new Promise((resolve) => setTimeout(resolve, 5));
      const date = new Date();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await worlds.import({ source: 'a', data: line('new'), graph: `${EX}g` });
      await worlds.updateWorld({ source: 'a', label: 'new' });
      const sources = ['a'];
      for (const moment of [at, date]) {
        const past = { at: moment };
        assert.equal((await worlds.getWorld({ source: 'a', ...past }))?.label, 'old');
        assert.deepEqual((await all(worlds.quads({ source: 'a', ...past }))).map(shown), ['<s> <p> "old"']);
        assert.equal(text(await worlds.export({ source: 'a', ...past })), line('old'));
        const query = 'SELECT ?o { ?s ?p ?o }';
        assert.deepEqual(await (await worlds.select({ sources, query, ...past })).objects(), [{ o: 'old' }]);
        assert.equal(await worlds.ask({ sources, query: 'ASK { GRAPH ?g { ?s ?p ?o } }', ...past }), false);
        assert.equal(await worlds.hasGraph({ source: 'a', graph: `${EX}g`, ...past }), false);
        assert.deepEqual(await worlds.getEntity({ source: 'a', entity: `${EX}s`, ...past }), { [`${EX}p`]: ['old'] });
      }
      assert.equal((await worlds.getWorld({ source: 'a' }))?.label, 'new');
      assert.equal(await worlds.hasGraph({ source: 'a', graph: `${EX}g` }), true);
      assert.equal(await worlds.getWorld({ source: 'a', at: before }), null);
      await fails('NOT_FOUND', () => worlds.export({ source: 'a', at: before }));
      await fails('INVALID_ARGUMENT', () => worlds.export({ source: 'a', at: 1_000_000 }));
      await fails('INVALID_ARGUMENT', () => worlds.export({ source: 'a', at: -1 }), /at/);
      await fails('INVALID_ARGUMENT', () => worlds.update({ sources, query: 'CLEAR ALL', at }));
      assert.equal((await all(worlds.quads({ source: 'a' }))).length, 2);
    },
  },
];
