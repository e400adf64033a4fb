import { dataFactory, type WorldsEngine } from '@rdf-worlds/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FACTS_GRAPH, type Fact, type NewFact, TIMED_GRAPH, type Triple, WorldFacts } from '../src/index.ts';
import { anEngine, TestClock } from './a-memory.ts';

const { literal, namedNode } = dataFactory;
const WORLD = { namespace: 'default', slug: 'notes' };
const ada = namedNode('urn:ada');
const employer = namedNode('urn:employer');
const acme: Triple = { subject: ada, predicate: employer, object: literal('Acme') };
const initech: Triple = { ...acme, object: literal('Initech') };
const day = (text: string) => new Date(`${text}T00:00:00Z`);

async function facts() {
  const engine = await anEngine();
  const clock = new TestClock();
  return { engine, clock, facts: new WorldFacts(engine, WORLD, { clock: clock.read }) };
}

async function held(engine: WorldsEngine, graph?: string): Promise<string[]> {
  const node = graph === undefined ? dataFactory.defaultGraph() : namedNode(graph);
  const objects: string[] = [];
  for await (const { object } of engine.quads({ source: WORLD, subject: ada, graph: node })) objects.push(object.value);
  return objects.sort();
}

const objects = (list: readonly Fact[]) => list.map(({ object }) => object.value);

it('stores a triple with its provenance, as one commit', async () => {
  const { engine, facts: memory } = await facts();
  const before = (await engine.getWorld({ source: WORLD }))!.revision;
  const { recorded, revision } = await memory.remember([
    { ...acme, sources: ['https://example.org/cv', 'said in a call'], validFrom: day('2024-05-01'), confidence: 0.9 },
  ]);
  expect(revision).toBe(before + 1);
  expect(await held(engine)).toEqual(['Acme']);
  expect(await memory.history(ada)).toEqual([
    {
      ...acme,
      id: expect.stringMatching(/^urn:rdf-worlds:fact:[a-z2-7]{17}$/),
      sources: ['https://example.org/cv', 'said in a call'],
      validFrom: day('2024-05-01'),
      validUntil: undefined,
      confidence: 0.9,
      recordedAt: day('2026-01-01'),
      retractedAt: undefined,
      reason: undefined,
      revisionOf: undefined,
    },
  ]);
  expect(await memory.find(recorded[0].id!)).toEqual(recorded);
});

it('answers a SPARQL query on provenance with triple terms', async () => {
  const { engine, facts: memory } = await facts();
  await memory.remember([{ ...acme, sources: ['https://example.org/cv'] }, initech]);
  const result = await engine.select({
    sources: [WORLD],
    query: `PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> PREFIX prov: <http://www.w3.org/ns/prov#>
      SELECT ?where ?source { GRAPH <${FACTS_GRAPH}> {
        ?fact rdf:reifies <<( <urn:ada> <urn:employer> ?where )>> ; prov:wasDerivedFrom ?source } }`,
  });
  expect(await result.objects()).toEqual([{ where: 'Acme', source: 'https://example.org/cv' }]);
});

it('records the same fact once, and again with another source', async () => {
  const { facts: memory } = await facts();
  await memory.remember([{ ...acme, sources: ['a'] }]);
  const again = await memory.remember([{ ...acme, sources: ['a'] }]);
  expect([again.recorded.length, again.known.length]).toEqual([0, 1]);
  await memory.remember([{ ...acme, sources: ['b'] }]);
  expect((await memory.history(ada)).map(({ sources }) => sources)).toEqual([['a'], ['b']]);
});

it('keeps a triple while one of its facts is believed', async () => {
  const { engine, facts: memory } = await facts();
  const { recorded } = await memory.remember([
    { ...acme, sources: ['a'] },
    { ...acme, sources: ['b'] },
  ]);
  await memory.forget([{ id: recorded[0].id! }]);
  expect(await held(engine)).toEqual(['Acme']);
  await memory.forget([{ id: recorded[1].id! }], { reason: 'a mistake' });
  expect(await held(engine)).toEqual([]);
  expect((await memory.history(ada)).map(({ reason }) => reason)).toEqual([undefined, 'a mistake']);
});

it('keeps a fact with an end, or a later beginning, out of the default graph', async () => {
  const { engine, facts: memory } = await facts();
  await memory.remember([
    { ...acme, validUntil: day('2030-01-01') },
    { ...initech, validFrom: day('2030-01-01') },
  ]);
  expect(await held(engine)).toEqual([]);
  expect(await held(engine, TIMED_GRAPH)).toEqual(['Acme', 'Initech']);
  expect(objects(await memory.stateAt(ada, {}))).toEqual(['Acme']);
  expect(objects(await memory.stateAt(ada, { validAt: day('2030-01-01') }))).toEqual(['Initech']);
});

it('keeps both times of a change', async () => {
  const { engine, clock, facts: memory } = await facts();
  await memory.remember([{ ...acme, validFrom: day('2020-01-01') }]);
  clock.set('2026-02-01T00:00:00Z');
  // She had left months before anybody said so.
  await memory.correct(
    { triple: acme },
    { object: literal('Initech'), kind: 'changed', since: day('2025-10-01'), reason: 'new job' },
  );
  expect(await held(engine)).toEqual(['Initech']);
  const state = async (validAt: string, recordedAt: string) =>
    objects(await memory.stateAt(ada, { validAt: day(validAt), recordedAt: day(recordedAt) }));
  expect(await state('2025-12-01', '2026-01-15')).toEqual(['Acme']);
  expect(await state('2025-12-01', '2026-02-15')).toEqual(['Initech']);
  expect(await state('2025-09-01', '2026-02-15')).toEqual(['Acme']);
  expect(await state('2019-01-01', '2026-02-15')).toEqual([]);
  const [old, ...later] = await memory.history(ada);
  expect([old.retractedAt, old.reason]).toEqual([day('2026-02-01'), 'new job']);
  expect(later.map(({ revisionOf }) => revisionOf)).toEqual([old.id, old.id]);
});

it('takes a wrong fact out of every time', async () => {
  const { clock, facts: memory } = await facts();
  await memory.remember([acme]);
  clock.set('2026-02-01T00:00:00Z');
  await memory.correct({ triple: acme }, { object: literal('Initech'), kind: 'wrong' });
  expect(objects(await memory.stateAt(ada, { validAt: day('2020-01-01') }))).toEqual(['Initech']);
  expect(objects(await memory.stateAt(ada, { recordedAt: day('2026-01-15') }))).toEqual(['Acme']);
});

it('gives a triple without provenance a history when it is retracted', async () => {
  const { engine, facts: memory } = await facts();
  await engine.import({ source: 'notes', contentType: 'text/turtle', data: '<urn:ada> <urn:employer> "Acme" .' });
  expect((await memory.history(ada))[0]).toMatchObject({ id: undefined, recordedAt: undefined });
  await memory.forget([{ triple: acme }], { reason: 'outdated' });
  expect(await held(engine)).toEqual([]);
  expect((await memory.history(ada))[0]).toMatchObject({
    id: expect.any(String),
    retractedAt: day('2026-01-01'),
    reason: 'outdated',
  });
});

it('reads and retracts facts of documents with annotations', async () => {
  const { engine, facts: memory } = await facts();
  await engine.import({
    source: 'notes',
    contentType: 'text/turtle',
    data: `PREFIX prov: <http://www.w3.org/ns/prov#>
      <urn:ada> <urn:employer> "Acme" ~ <urn:claim> {| prov:wasDerivedFrom <urn:source> |} .`,
  });
  expect(await memory.history(ada)).toMatchObject([{ id: 'urn:claim', sources: ['urn:source'] }]);
  await memory.forget([{ id: 'urn:claim' }]);
  expect(await held(engine)).toEqual([]);
});

it('erases a fact with its history', async () => {
  const { engine, facts: memory } = await facts();
  await memory.remember([acme, initech]);
  await memory.forget([{ triple: acme }]);
  await memory.erase([{ entity: ada }]);
  const left: unknown[] = [];
  for await (const quad of engine.quads({ source: WORLD })) left.push(quad);
  expect(left).toEqual([]);
});

it('says which fact cannot be corrected, and why', async () => {
  const { facts: memory } = await facts();
  const { recorded } = await memory.remember([acme]);
  const id = recorded[0].id!;
  await memory.forget([{ id }]);
  const correction = { object: literal('Initech'), kind: 'wrong' } as const;
  await expect(memory.correct({ id }, correction)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(memory.correct({ triple: initech }, correction)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(memory.remember([{ ...acme, confidence: 2 }])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  const elsewhere = new WorldFacts(await anEngine(), { namespace: 'default', slug: 'nowhere' });
  await expect(elsewhere.remember([acme])).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('loses none of many changes at the same time, nor those of another writer', async () => {
  const { engine, facts: memory } = await facts();
  const other = new WorldFacts(engine, WORLD);
  const numbered = (i: number): NewFact => ({ ...acme, object: literal(`Employer ${i}`) });
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      if (i % 3 === 0) await memory.remember([numbered(i)]);
      else if (i % 3 === 1) await other.remember([numbered(i)]);
      else
        await engine.update({
          sources: ['notes'],
          query: `INSERT DATA { <urn:ada> <urn:employer> "Employer ${i}" }`,
        });
    }),
  );
  expect(await held(engine)).toHaveLength(60);
});

/** The same by a list of facts that is searched from the front. */
class Model {
  readonly facts: { name: string; from: number; until: number; recorded: number; retracted: number }[] = [];

  remember(name: string, now: number, from: number, until: number): void {
    const isKnown = this.facts.some(
      (fact) => fact.name === name && fact.retracted > now && fact.from === from && fact.until === until,
    );
    if (!isKnown) this.facts.push({ name, from, until, recorded: now, retracted: Number.POSITIVE_INFINITY });
  }

  forget(name: string, now: number): void {
    for (const fact of this.facts) if (fact.name === name && fact.retracted > now) fact.retracted = now;
  }

  at(valid: number, recorded: number): string[] {
    const found = this.facts.filter(
      (fact) => fact.recorded <= recorded && fact.retracted > recorded && fact.from <= valid && fact.until > valid,
    );
    return [...new Set(found.map(({ name }) => name))].sort();
  }
}

it('agrees with a model at every pair of times', async () => {
  const step = fc.record({
    name: fc.constantFrom('Acme', 'Initech', 'Globex'),
    isForgotten: fc.boolean(),
    from: fc.integer({ min: 0, max: 4 }),
    length: fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { clock, facts: memory } = await facts();
      const model = new Model();
      const at = (n: number) => new Date(Date.UTC(2020 + n, 0, 1));
      for (const [i, { name, isForgotten, from, length }] of steps.entries()) {
        clock.nowMs = at(i).getTime();
        const triple = { ...acme, object: literal(name) };
        if (isForgotten) {
          await memory.forget([{ triple }]);
          model.forget(name, i);
          continue;
        }
        const validUntil = length === Number.POSITIVE_INFINITY ? undefined : at(from + length);
        await memory.remember([{ ...triple, validFrom: at(from), validUntil }]);
        model.remember(name, i, from, from + length);
      }
      for (let valid = 0; valid < 8; valid++)
        for (let recorded = 0; recorded < 8; recorded++) {
          const state = await memory.stateAt(ada, { validAt: at(valid), recordedAt: at(recorded) });
          expect([...new Set(objects(state))].sort()).toEqual(model.at(valid, recorded));
        }
    }),
    { numRuns: 40 },
  );
});
