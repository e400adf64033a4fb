import type { WorldsEngine } from '../../../src/index.ts';

/** Hits of some queries in all worlds and in each, hit for hit and score for score, as text. */
export async function searchAnswers(engine: WorldsEngine, queries: readonly string[]): Promise<string[]> {
  const slugs = (await engine.listWorlds()).map(({ slug }) => slug);
  const answers: string[] = [];
  for (const query of queries) {
    for (const sources of [undefined, ...slugs.map((slug) => [slug])]) {
      const hits = await engine.search({
        ...{ query, limit: 1000, explain: true, canonicalOrder: true, prefix: true },
        ...(sources && { sources }),
      });
      const lines = hits.map(({ subject, predicate, object, world, score, ftsRank, explanation }) =>
        [world.slug, subject, predicate, object, score, ftsRank, JSON.stringify(explanation)].join(' '),
      );
      answers.push(`${query} in ${sources?.join() ?? 'all'}: ${lines.length}`, ...lines);
    }
  }
  return answers;
}
