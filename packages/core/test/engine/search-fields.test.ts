import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { type FieldOptions, type SearchRequest, WorldsEngine } from '../../src/index.ts';
import { rebuiltEngine } from './rebuilt-engine.ts';

const DATA = `
@prefix ex: <http://example.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:alice foaf:phone "123" ; foaf:mbox "alice@example.org" ; foaf:name "Alice Liddell" .
ex:bob foaf:phone "456" ; rdfs:comment "He has the phone of Alice." .
ex:x17 rdfs:label "Harbour master" ; ex:officeHours "ten to four" .
ex:note rdfs:comment "The harbour is closed." .
`;

async function open(fields?: FieldOptions) {
  const engine = await WorldsEngine.open(fields === undefined ? {} : { fields });
  await engine.createWorld({ slug: 'people' });
  await engine.import({ source: 'people', data: DATA, contentType: 'text/turtle' });
  return engine;
}

const shown = async (engine: WorldsEngine, query: string, request: Omit<SearchRequest, 'query'> = {}) =>
  (await engine.search({ query, ...request })).map(
    ({ subject, predicate, object }) => `${subject.split('/').at(-1)} ${predicate.split(/[#/]/).at(-1)} ${object}`,
  );

describe('names around texts', () => {
  it('find a triple whose text contains none of the words', async () => {
    const engine = await open(true);
    expect((await shown(engine, 'alice phone'))[0]).toBe('bob comment He has the phone of Alice.');
    expect((await shown(engine, 'alice phone', { predicates: ['http://xmlns.com/foaf/0.1/phone'] }))[0]).toBe(
      'alice phone 123',
    );
    expect((await shown(engine, 'alice phone'))[1]).toBe('alice phone 123');
    expect((await shown(engine, 'harbour master office hours')).slice(0, 2)).toEqual([
      'x17 label Harbour master',
      'x17 officeHours ten to four',
    ]);
    expect(await shown(engine, 'alice phone', { fields: false })).not.toContain('alice phone 123');
    await engine.close();
  });

  it('have the given weights', async () => {
    const engine = await open({ label: 0, subject: 0, predicate: 1 });
    expect(await shown(engine, 'alice phone')).toContain('bob phone 456');
    expect(await shown(engine, 'harbour master')).not.toContain('x17 officeHours ten to four');
    expect(await shown(engine, 'harbour master', { fields: { label: 1 } })).toContain('x17 officeHours ten to four');
    await expect(engine.search({ query: 'x', fields: { label: -1 } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('fields.label'),
    });
    await engine.close();
  });

  it('are not there unless the engine has them', async () => {
    const engine = await open();
    expect(await shown(engine, 'officeHours')).toEqual([]);
    await expect(engine.search({ query: 'alice', fields: true })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await engine.close();
  });

  it('say of each word where it counts', async () => {
    const engine = await open(true);
    const [hit] = await engine.search({
      query: 'alice phone',
      predicates: ['http://xmlns.com/foaf/0.1/phone'],
      explain: true,
    });
    const { terms, textScore } = hit!.explanation!;
    expect(terms.map(({ field, word }) => [field, word])).toEqual([
      ['label', 'alice'],
      ['subject', 'alice'],
      ['predicate', 'phone'],
    ]);
    // A word counts once, where it counts most.
    const [label, subject] = terms;
    expect([label!.counted, subject!.counted]).toEqual([label!.score >= subject!.score, subject!.score > label!.score]);
    const counted = terms.filter((term) => term.counted).reduce((sum, { score }) => sum + score, 0);
    expect(textScore).toBeCloseTo(counted, 10);
    await engine.close();
  });

  it('belong to their world', async () => {
    const engine = await open(true);
    await engine.createWorld({ slug: 'other' });
    const label = '<http://example.org/bob> <http://www.w3.org/2000/01/rdf-schema#label> "Robert" .';
    await engine.import({ source: 'other', data: label });
    expect(await shown(engine, 'robert', { sources: ['people'] })).toEqual([]);
    expect(await shown(engine, 'robert')).toEqual(['bob label Robert']);
    await engine.close();
  });

  it('are one posting a name, however many triples it goes with', async () => {
    const many = Array.from({ length: 500 }, (_, i) => `<urn:s:thing> <urn:p:color> "text ${i}" .`).join('\n');
    const engine = await open(true);
    await engine.import({ source: 'people', data: many });
    expect(await shown(engine, 'color', { limit: 1000 })).toHaveLength(500);
    await engine.close();
  });

  it('equal those of a newly built index after any changes', async () => {
    const random = new SeededRandom(5);
    const names = ['redLantern', 'blueKettle', 'oldRiver', 'lantern'];
    const pick = () => names[random.below(names.length)];
    const engine = await WorldsEngine.open({ fields: true });
    for (const slug of ['a', 'b']) await engine.createWorld({ slug });
    await engine.search({ query: 'lantern' });
    for (let round = 0; round < 60; round++) {
      const source = random.chance(0.5) ? 'a' : 'b';
      const isLabel = random.chance(0.3);
      const p = isLabel ? 'http://www.w3.org/2000/01/rdf-schema#label' : `urn:p:${pick()}`;
      const triple = `<urn:s:${pick()}> <${p}> "${pick()} ${random.below(3)}"`;
      if (random.chance(0.1)) await engine.update({ query: 'DROP ALL', sources: [source] });
      else if (random.chance(0.3)) await engine.update({ query: `DELETE DATA { ${triple} }`, sources: [source] });
      else await engine.update({ query: `INSERT DATA { ${triple} }`, sources: [source] });
      if (round % 10 !== 9) continue;
      const rebuilt = await rebuiltEngine(engine, () => WorldsEngine.open({ fields: true }));
      for (const sources of [undefined, ['a']]) {
        for (const query of ['lantern', 'red kettle', 'river lantern']) {
          const request = { query, limit: 1000, explain: true, ...(sources && { sources }) };
          const scores = async (one: WorldsEngine) =>
            (await one.search(request))
              .map(({ subject, predicate, object, world, explanation }) =>
                [world.slug, subject, predicate, object, explanation!.textScore!.toFixed(9)].join(' '),
              )
              .sort();
          expect(await scores(engine)).toEqual(await scores(rebuilt));
        }
      }
      await rebuilt.close();
    }
    await engine.close();
  });
});
