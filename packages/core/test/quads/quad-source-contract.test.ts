import { quadSourceContract } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { describe, it } from 'vitest';
import { inTurn } from '../../../../test/turn.ts';
import { dataFactory, MemoryStorage, WorldsEngine } from '../../src/index.ts';
import type { QuadSource, SparqlEngine } from '../../src/plugin.ts';

/** Gives the dataset that a query would see, as a SPARQL engine sees it. */
function sourceProbe(): { sparql: SparqlEngine; taken: () => QuadSource } {
  let taken: QuadSource | undefined;
  const sparql: SparqlEngine = {
    name: 'probe',
    prepare: async () => ({
      type: 'query',
      form: 'ask',
      evaluate: async (source) => {
        taken = source;
        return { type: 'boolean', value: true };
      },
    }),
  };
  return { sparql, taken: () => taken! };
}

interface Way {
  readonly fill: (engine: WorldsEngine, slug: string, quads: readonly RDF.Quad[]) => Promise<unknown>;
  /** Whether the worlds are read from a checkpoint, where their columns are compressed. */
  readonly isReopened: boolean;
}

async function openWorlds(worlds: readonly (readonly RDF.Quad[])[], { fill, isReopened }: Way) {
  const { sparql, taken } = sourceProbe();
  const storage = isReopened ? new MemoryStorage() : undefined;
  let engine = await WorldsEngine.open({ sparql, textIndex: null, ...(storage && { storage }) });
  for (const [i, quads] of worlds.entries()) {
    await engine.createWorld({ slug: `w${i}` });
    await fill(engine, `w${i}`, quads);
  }
  if (storage) {
    await engine.checkpoint();
    await engine.close();
    engine = await WorldsEngine.open({ sparql, textIndex: null, storage: new MemoryStorage(storage.contents) });
  }
  return { engine, sources: worlds.map((_, i) => `w${i}`), taken, close: () => engine.close() };
}

const nothing = (n: number) =>
  dataFactory.quad(dataFactory.namedNode(`urn:gone:${n}`), dataFactory.namedNode('urn:p'), dataFactory.literal(`${n}`));

const imported: Way['fill'] = (engine, source, quads) => engine.import({ source, data: [...quads] });

const importedAmongOthers: Way['fill'] = async (engine, source, quads) => {
  const passing = Array.from({ length: 50 }, (_, n) => nothing(n));
  await engine.write({ source, insert: passing });
  await engine.import({ source, data: [...quads] });
  await engine.write({ source, delete: passing });
  // Deleted and inserted again: a tombstone between two insertions.
  const some = [];
  for await (const quad of engine.quads({ source })) if (some.length < 40) some.push(quad);
  await engine.write({ source, delete: some });
  for (const quad of some) await engine.write({ source, insert: [quad] });
};

const WAYS: readonly (readonly [string, Way])[] = [
  ['imported at once', { fill: imported, isReopened: false }],
  ['imported, with quads that came and went around them', { fill: importedAmongOthers, isReopened: false }],
  ['imported at once, and read from a checkpoint', { fill: imported, isReopened: true }],
  [
    'imported, with quads that came and went around them, and read from a checkpoint',
    { fill: importedAmongOthers, isReopened: true },
  ],
];

describe.each(WAYS)('the columnar store keeps the contract of QuadSource: %s', (name, way) => {
  const place = WAYS.findIndex(([other]) => other === name);
  // LONG_TESTS=1 tries each way with and without other worlds.
  const spreads = process.env['LONG_TESTS'] ? [0, 20] : [way.fill === imported ? 0 : 20];
  for (const spread of spreads) {
    describe(`among ${spread} other worlds of the namespace`, () => {
      const cases = quadSourceContract(async (worlds) => {
        const opened = await openWorlds(worlds, way);
        for (let i = 0; i < spread; i++) {
          await opened.engine.createWorld({ slug: `other${i}` });
          await opened.engine.write({ source: `other${i}`, insert: [nothing(i)] });
        }
        await opened.engine.ask({ query: 'ASK {}', sources: opened.sources });
        return { source: opened.taken(), close: opened.close };
      });
      // Each case runs in two of the four ways.
      for (const one of inTurn(cases, 2, place)) it(one.name, () => one.run());
    });
  }
});
