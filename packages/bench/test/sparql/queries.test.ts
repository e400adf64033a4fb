import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFile } from '../../src/load-input.ts';
import { ACADEMIC_QUERIES } from '../../src/sparql/academic-queries.ts';
import { type Answer, difference } from '../../src/sparql/answer.ts';
import { ComunicaStore } from '../../src/sparql/comunica-store.ts';
import { wantsAnyRows } from '../../src/sparql/named-query.ts';
import { OxigraphStore } from '../../src/sparql/oxigraph-store.ts';
import { openWorkload, type Workload } from '../../src/sparql/workload.ts';
import { WorldsStore } from '../../src/sparql/worlds-store.ts';

/** The answers of all queries, from both products, in all ways to take them. */
async function answersOf({ input, queries }: Workload): Promise<Map<string, readonly Answer[]>> {
  const worlds = await WorldsStore.open();
  const oxigraph = new OxigraphStore();
  await worlds.load(input);
  await oxigraph.load(input);
  const answers = new Map<string, readonly Answer[]>();
  for (const { name, text } of queries) {
    answers.set(name, [
      await (await worlds.query(text))(),
      await (await oxigraph.query(text, 'terms'))(),
      await (await oxigraph.query(text, 'strings'))(),
    ]);
  }
  await worlds.release();
  await oxigraph.release();
  return answers;
}

describe('our own queries', () => {
  let answers: Map<string, readonly Answer[]>;
  beforeAll(async () => {
    answers = await answersOf(await openWorkload({ quads: 20_000, seed: 1, size: '1m' }));
  });

  it('are 23, numbered', () => {
    expect(ACADEMIC_QUERIES.map(({ name }) => name.slice(0, 2))).toEqual(
      Array.from({ length: 23 }, (_, number) => String(number + 1).padStart(2, '0')),
    );
  });

  it.each(ACADEMIC_QUERIES)(
    '$name: the same answer from RDF Worlds and Oxigraph, and one that says something',
    (query) => {
      const [worlds, ...oxigraph] = answers.get(query.name)!;
      const compared = (answer: Answer) => (wantsAnyRows(query) ? answer.rows : answer);
      for (const answer of oxigraph) expect(compared(answer)).toEqual(compared(worlds));
      expect(worlds.chars).toBeGreaterThan(0);
      // A point, a count, a yes, a limit: these have few rows by their nature; the others have many
      // things to say.
      expect(worlds.rows).toBeGreaterThanOrEqual(
        /point|star-selective|ask|count-all|limit|histogram|scan/.test(query.name) ? 1 : 30,
      );
    },
  );

  it('filter out some rows and keep others', () => {
    const rows = (name: string) => answers.get(name)![0].rows;
    expect(rows('23-not-exists')).toBeLessThan(rows('03-star-broad'));
    expect(rows('09-optional')).toBeGreaterThan(rows('03-star-broad'));
    expect(rows('14-distinct-join')).toBeLessThan(rows('18-large-select'));
    expect(rows('17-construct')).toBeLessThan(rows('18-large-select'));
  });
});

it('Comunica gives the same answers to them', async () => {
  const { input, queries } = await openWorkload({ quads: 1500, seed: 3, size: '1m' });
  const worlds = await WorldsStore.open();
  const comunica = await ComunicaStore.open(60_000);
  await worlds.load(input);
  await comunica.load(input);
  for (const query of queries) {
    const expected = await (await worlds.query(query.text))();
    const answer = await (await comunica.query(query.text))!();
    expect(
      difference(query.name, wantsAnyRows(query), { by: 'Comunica', answer }, { by: 'RDF Worlds', answer: expected }),
    ).toBeUndefined();
  }
  await comunica.release();
  await worlds.release();
});

const document = sharedFile('sparql', 'lubm-100k.nt.gz');
if (!existsSync(document))
  console.warn(`The shared LUBM document is not at hand (${document}): its queries are not tested.`);

it.skipIf(!existsSync(document))('the shared queries have the answers that are known', async () => {
  const workload = await openWorkload({ quads: 0, seed: 1, size: '100k' });
  expect(workload.expected.size).toBe(23);
  for (const [name, answers] of await answersOf(workload)) {
    const query = workload.queries.find((each) => each.name === name)!;
    const compared = (answer: Answer) => (wantsAnyRows(query) ? answer.rows : answer);
    for (const answer of answers) expect(compared(answer), name).toEqual(compared(workload.expected.get(name)!));
  }
});
