import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { type TripleSearchResult, WorldsEngine } from '../../src/index.ts';

const WORDS = 'lantern kettle river quadrant sextant compass anchor harbour island voyage the of und der'.split(' ');

/** Texts of a few words in two languages. */
function texts(world: string, count: number, random: SeededRandom): string {
  return Array.from({ length: count }, (_, i) => {
    const words = Array.from({ length: 1 + random.below(9) }, () => WORDS[random.below(WORDS.length)]).join(' ');
    const tag = random.chance(0.3) ? '@de' : '';
    return `<urn:${world}:${i}> <urn:p> "${words}"${tag} .`;
  }).join('\n');
}

const shown = (hits: readonly TripleSearchResult[]) =>
  hits.map(({ subject, object, score, ftsRank, world }) => [subject, object, score, ftsRank, world.slug]);

describe('scores of a search in some of the worlds', () => {
  it.each([
    ['one world', ['a'], 60],
    ['two worlds', ['a', 'b'], 60],
    ['worlds of many documents', ['a', 'c'], 6000],
  ])('tell nothing of the others: %s', async (_, seen, size) => {
    const random = new SeededRandom(11);
    const data = new Map(['a', 'b', 'c', 'd'].map((slug) => [slug, texts(slug, size, random)]));
    const all = await WorldsEngine.open();
    const alone = await WorldsEngine.open();
    // What is hidden comes last: ties are in the order of ids, which is that of coming.
    for (const [slug, text] of [...data].sort(([a], [b]) => Number(seen.includes(b)) - Number(seen.includes(a)))) {
      for (const engine of seen.includes(slug) ? [all, alone] : [all]) {
        await engine.createWorld({ slug });
        await engine.import({ source: slug, data: text });
      }
    }
    const compare = async () => {
      for (const query of ['lantern', 'lantern of the river', 'kettle kettle sextant und', 'lantrn']) {
        const hidden = await all.search({ query, sources: seen, limit: 1000 });
        expect(shown(hidden), query).toEqual(shown(await alone.search({ query, sources: seen, limit: 1000 })));
        expect(hidden.length).toBeGreaterThan(0);
        const only = { query, sources: seen, predicates: ['urn:p'] };
        expect(shown(await all.search(only))).toEqual(shown(await alone.search(only)));
      }
    };
    await compare();
    // A word that is common where nobody may look.
    await all.import({ source: 'd', data: '<urn:d> <urn:p> "quadrant lantern sextant lantrn" .' });
    await all.update({ query: 'DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(CONTAINS(?o, "river")) }', sources: ['d'] });
    await compare();
    await all.close();
    await alone.close();
  });

  it.each([{ fields: true }, { feedback: true }, { fields: true, feedback: true }])('nor with %j', async (options) => {
    const random = new SeededRandom(17);
    const named = (world: string) =>
      Array.from({ length: 80 }, (_, i) => {
        const name = `${WORDS[random.below(10)]}Of${WORDS[random.below(10)]!.toUpperCase()}`;
        const p = random.chance(0.2)
          ? 'http://www.w3.org/2000/01/rdf-schema#label'
          : `urn:p:${WORDS[random.below(10)]}`;
        return `<urn:${name}> <${p}> "${WORDS[random.below(WORDS.length)]} ${WORDS[random.below(WORDS.length)]} ${i}" . # ${world}`;
      }).join('\n');
    await using all = await WorldsEngine.open(options);
    await using alone = await WorldsEngine.open(options);
    for (const slug of ['a', 'b', 'hidden']) {
      const data = named(slug);
      for (const engine of slug === 'hidden' ? [all] : [all, alone]) {
        await engine.createWorld({ slug });
        await engine.import({ source: slug, data });
      }
    }
    for (const query of ['lantern river', 'kettle of the harbour', 'sextant']) {
      const request = { query, sources: ['a', 'b'], limit: 1000, explain: true };
      const parts = async (engine: WorldsEngine) =>
        (await engine.search(request)).map(({ subject, object, explanation }) => [subject, object, explanation]);
      const found = await parts(all);
      expect(found).toEqual(await parts(alone));
      expect(found.length).toBeGreaterThan(3);
    }
  });

  it('of all worlds are those of the namespace, named or not', async () => {
    const engine = await WorldsEngine.open();
    const random = new SeededRandom(3);
    for (const slug of ['a', 'b']) {
      await engine.createWorld({ slug });
      await engine.import({ source: slug, data: texts(slug, 30, random) });
    }
    const query = 'lantern';
    expect(shown(await engine.search({ query, sources: ['b', 'a'] }))).toEqual(shown(await engine.search({ query })));
    expect((await engine.search({ query, sources: ['a'] }))[0]).not.toBeUndefined();
    await engine.close();
  });
});
