import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';

const engines: WorldsEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

async function worldOf(data: string, engine?: WorldsEngine) {
  const opened = engine ?? (await WorldsEngine.open({ textIndex: null }));
  if (!engine) engines.push(opened);
  await opened.createWorld({ slug: 'w' });
  // N-Quads have one quad a line.
  await opened.import({ source: 'w', data: data.replaceAll(' . <', ' .\n<') });
  return opened;
}

describe('engine.schema', () => {
  it('counts classes, predicates and links, in all graphs', async () => {
    const engine = await worldOf(`
      <urn:ada> ${TYPE} <urn:Person> . <urn:bob> ${TYPE} <urn:Person> . <urn:bob> ${TYPE} <urn:Cook> .
      <urn:acme> ${TYPE} <urn:Firm> <urn:g> . <urn:acme> ${TYPE} _:nameless .
      <urn:ada> <urn:worksFor> <urn:acme> . <urn:bob> <urn:worksFor> <urn:acme> <urn:g> .
      <urn:ada> <urn:name> "Ada" . <urn:ada> <urn:knows> <urn:nobody> . <urn:nobody> <urn:name> "?" .`);
    expect(await engine.schema({ source: 'w' })).toEqual({
      quads: 10,
      classes: [
        { class: 'urn:Person', count: 2 },
        { class: 'urn:Cook', count: 1 },
        { class: 'urn:Firm', count: 1 },
      ],
      predicates: [
        { predicate: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type', count: 5, literals: 0 },
        { predicate: 'urn:name', count: 2, literals: 2 },
        { predicate: 'urn:worksFor', count: 2, literals: 0 },
        { predicate: 'urn:knows', count: 1, literals: 0 },
      ],
      links: [
        { from: 'urn:Person', predicate: 'urn:worksFor', to: 'urn:Firm', count: 2 },
        { from: 'urn:Cook', predicate: 'urn:worksFor', to: 'urn:Firm', count: 1 },
        { from: 'urn:Person', predicate: 'urn:knows', to: null, count: 1 },
        { from: 'urn:Person', predicate: 'urn:name', to: null, count: 1 },
      ],
      totals: { classes: 3, predicates: 4, links: 4 },
    });
    expect(await engine.schema({ source: 'w', limit: 1 })).toMatchObject({
      ...{ classes: { length: 1 }, predicates: { length: 1 }, links: { length: 1 } },
      totals: { classes: 3, predicates: 4, links: 4 },
    });
  });

  it('is that of the present revision, and is counted once for each', async () => {
    const engine = await worldOf('<urn:a> <urn:p> "1" .');
    const schema = await engine.schema({ source: 'w' });
    expect(schema.predicates).toEqual([{ predicate: 'urn:p', count: 1, literals: 1 }]);
    expect(await engine.schema({ source: 'w' })).toBe(schema);
    await engine.createWorld({ slug: 'other' });
    expect(await engine.schema({ source: 'w' })).toBe(schema);
    await engine.update({ sources: ['w'], query: 'DELETE WHERE { ?s ?p ?o }' });
    expect(await engine.schema({ source: 'w' })).toMatchObject({ quads: 0, predicates: [], classes: [] });
    await engine.deleteWorld({ source: 'w' });
    await expect(engine.schema({ source: 'w' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('does not depend on the order in which terms were stored', async () => {
    const lines = [
      '<urn:b> <urn:q> "1" .',
      '<urn:a> <urn:p> "1" .',
      `<urn:a> ${TYPE} <urn:C> .`,
      `<urn:b> ${TYPE} <urn:B> .`,
    ];
    const schemas = [];
    for (const data of [lines, [...lines].reverse()]) {
      schemas.push(await (await worldOf(data.join('\n'))).schema({ source: 'w' }));
    }
    expect(schemas[1]).toEqual(schemas[0]);
  });

  it('has all of 10,000 predicates, and bounds what it counts', async () => {
    const data = Array.from({ length: 10_000 }, (_, n) => `<urn:s${n}> <urn:p${n}> <urn:s${n + 1}> .`).join('\n');
    const engine = await worldOf(data);
    const { predicates, totals } = await engine.schema({ source: 'w' });
    expect(predicates).toHaveLength(10_000);
    expect(totals).toEqual({ classes: 0, predicates: 10_000, links: 0 });
    await expect(
      worldOf(data).then((fresh) => fresh.schema({ source: 'w', maxMemoryBytes: 100_000 })),
    ).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(
      worldOf(data).then((fresh) => fresh.schema({ source: 'w', signal: AbortSignal.abort() })),
    ).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('agrees with SPARQL', async () => {
    const { namedNode, quad } = dataFactory;
    const term = (prefix: string) => fc.integer({ min: 0, max: 4 }).map((n) => namedNode(`urn:${prefix}${n}`));
    const type = namedNode(TYPE.slice(1, -1));
    const rows = fc.array(
      fc.oneof(
        fc.tuple(term('e'), fc.constant(type), term('C')),
        fc.tuple(term('e'), term('p'), term('e')),
        fc.tuple(term('e'), term('p'), fc.constant(dataFactory.literal('x'))),
      ),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(rows, async (quads) => {
        const engine = await WorldsEngine.open({ textIndex: null });
        await engine.createWorld({ slug: 'w' });
        await engine.write({ source: 'w', insert: quads.map(([s, p, o]) => quad(s, p, o)) });
        const count = async (query: string) =>
          (await (await engine.select({ sources: ['w'], query })).array()).map((row) => row.toObject());
        const { links, classes } = await engine.schema({ source: 'w' });
        expect(classes.map(({ class: iri, count: n }) => `${iri} ${n}`).sort()).toEqual(
          (await count('SELECT ?c (COUNT(*) AS ?n) { ?s a ?c } GROUP BY ?c')).map(({ c, n }) => `${c} ${n}`).sort(),
        );
        const linked = links.filter(({ to }) => to !== null);
        expect(linked.map((link) => Object.values(link).join(' ')).sort()).toEqual(
          (
            await count(
              'SELECT ?f ?p ?t (COUNT(*) AS ?n) { ?s ?p ?o . ?s a ?f . ?o a ?t FILTER(?p != rdf:type) } GROUP BY ?f ?p ?t'.replace(
                'SELECT',
                'PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> SELECT',
              ),
            )
          )
            .map(({ f, p, t, n }) => `${f} ${p} ${t} ${n}`)
            .sort(),
        );
        await engine.close();
      }),
      { numRuns: 30 },
    );
  });
});
