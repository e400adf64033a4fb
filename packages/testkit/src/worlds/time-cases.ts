import assert from 'node:assert/strict';
import { EX, fails, shown, type WorldsCase } from './worlds-probe.ts';

/** Every kind of term, and texts that a writer has to escape. */
const TERMS = `
  VERSION "1.2"
  <${EX}s> <${EX}p> <${EX}o>, "a \\"quote\\", a \\\\ and\\na line", "\\\\", "end\\\\\\\\", "", "naïve 🚢",
    "hello"@en, "right"@ar--rtl, "7"^^<http://www.w3.org/2001/XMLSchema#integer>, "<tag> _:b . >>"@en-GB,
    [ <${EX}p> "in a blank node" ], <<( <${EX}a> <${EX}b> <<( <${EX}c> <${EX}d> "deep" )>> )>> .
`;

/** Cases for forks and differences. */
export const timeCases: readonly WorldsCase[] = [
  {
    name: 'forks a world, compares both and brings the changes back',
    async run({ worlds }) {
      await worlds.createWorld({ slug: 'a', label: 'first', description: 'what it is' });
      const { revision } = await worlds.import({ source: 'a', data: TERMS, contentType: 'text/turtle' });
      const fork = await worlds.fork({ source: 'a', slug: 'b', label: 'second' });
      assert.deepEqual([fork.slug, fork.label, fork.description], ['b', 'second', 'what it is']);
      const same = await worlds.diff({ source: 'a', to: { source: 'b' } });
      assert.deepEqual([same.inserted.length, same.deleted.length], [0, 0]);
      assert.deepEqual([same.from.slug, same.to.slug, same.to.label], ['a', 'b', 'second']);

      const query = `DELETE { ?s ?p "hello"@en } INSERT { GRAPH <${EX}g> { ?s ?p "bye"@en } } WHERE { ?s ?p "hello"@en }`;
      await worlds.update({ sources: ['b'], query });
      const diff = await worlds.diff({ source: 'a', from: revision, to: { source: 'b' } });
      assert.deepEqual([...diff.inserted].map(shown), ['<s> <p> "bye"@en <g>']);
      assert.deepEqual([...diff.deleted].map(shown), ['<s> <p> "hello"@en']);
      const rows: string[] = [];
      for await (const { change, quad } of worlds.diffStream({ source: 'a', from: revision, to: { source: 'b' } }))
        rows.push(`${change} ${shown(quad)}`);
      assert.deepEqual(rows, ['deleted <s> <p> "hello"@en', 'inserted <s> <p> "bye"@en <g>']);
      await worlds.write({ source: 'a', insert: diff.inserted, delete: diff.deleted });
      const merged = await worlds.diff({ source: 'a', to: { source: 'b' } });
      assert.deepEqual([merged.inserted.length, merged.deleted.length], [0, 0]);
    },
  },
  {
    name: 'returns every kind of term in a difference',
    async run({ worlds }) {
      const { revision: empty } = await worlds.createWorld({ slug: 'a' });
      await worlds.import({ source: 'a', data: TERMS, contentType: 'text/turtle' });
      const { inserted, deleted } = await worlds.diff({ source: 'a', from: empty });
      assert.equal(deleted.length, 0);
      await worlds.createWorld({ slug: 'copy' });
      await worlds.write({ source: 'copy', insert: inserted });
      const same = await worlds.diff({ source: 'a', to: { source: 'copy' } });
      assert.deepEqual([same.inserted.length, same.deleted.length], [0, 0]);
      assert.equal(inserted.length, 13);
      // Backwards, what was inserted is deleted.
      const back = await worlds.diff({ source: 'a', to: empty });
      assert.deepEqual([back.inserted.length, back.deleted.length], [0, 13]);
    },
  },
  {
    name: 'forks the past, and refuses what it cannot',
    async run({ worlds }) {
      await worlds.createWorld({ slug: 'a' });
      const line = (value: string) => `<${EX}s> <${EX}p> "${value}" .`;
      const { revision: at } = await worlds.import({ source: 'a', data: line('old') });
      await worlds.import({ source: 'a', data: line('new') });
      await worlds.fork({ source: 'a', slug: 'past', at });
      const { deleted } = await worlds.diff({ source: 'a', to: { source: 'past' } });
      assert.deepEqual([...deleted].map(shown), ['<s> <p> "new"']);
      await fails('ALREADY_EXISTS', () => worlds.fork({ source: 'a', slug: 'past' }));
      await fails('NOT_FOUND', () => worlds.fork({ source: 'nowhere', slug: 'b' }));
      await fails('NOT_FOUND', () => worlds.diff({ source: 'nowhere' }));
      await fails('NOT_FOUND', () => worlds.diff({ source: 'a', to: { source: 'nowhere' } }));
      await fails('NOT_FOUND', () => worlds.diffStream({ source: 'nowhere' }).next());
      await fails('INVALID_ARGUMENT', () => worlds.fork({ source: 'a', slug: 'b', at: 1_000_000 }));
      await fails('INVALID_ARGUMENT', () => worlds.fork({ source: 'a', slug: 'b', typo: 1 } as never), /typo/);
      await fails('INVALID_ARGUMENT', () => worlds.diff({ source: 'a', from: 'now' as never }), /from/);
      await fails(
        'INVALID_ARGUMENT',
        () => worlds.diff({ source: 'a', to: { source: 'a', typo: 1 } as never }),
        /typo/,
      );
      await fails('LIMIT_EXCEEDED', () => worlds.diff({ source: 'a', to: { source: 'past' }, maxMemoryBytes: 1 }));
      await fails('ABORTED', () => worlds.fork({ source: 'a', slug: 'b', signal: AbortSignal.abort() }));
      await fails('ABORTED', () => worlds.diff({ source: 'a', signal: AbortSignal.abort() }));
    },
  },
];
