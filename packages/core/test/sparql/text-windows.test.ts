import { expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { ByteSearch } from '../../src/sparql/exec/byte-search.ts';
import { unlikeOthers } from './unlike-others.ts';

const LETTERS = [
  'a',
  'b',
  'A',
  'B',
  'k',
  'K',
  '\u212a',
  's',
  'ſ',
  'ï',
  'Ï',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'i',
  '😀',
  '日',
  ' ',
  '\n',
  '.',
];

function word(random: SeededRandom, length: number): string {
  return Array.from({ length }, () => random.pick(LETTERS)).join('');
}

const escaped = (text: string) => text.replace(/[.]/g, '\\.');

/** A pattern of bounded length, some with anchors, loops and alternatives. */
function randomPattern(random: SeededRandom): string {
  const part = (): string =>
    random.pick([
      () => escaped(word(random, 2 + random.below(2))),
      () => `(${escaped(word(random, 2))}|${escaped(word(random, 1 + random.below(3)))})`,
      () => `.{0,${random.below(4)}}`,
      () => `[^${random.pick(['a', 'ï', '😀'])}]{${random.below(2)},2}`,
      () => `(${escaped(word(random, 2))})${random.pick(['?', '{2}', '*', '+'])}`,
    ])();
  const body = Array.from({ length: 1 + random.below(4) }, part).join('');
  return random.chance(0.1) ? `^${body}` : random.chance(0.1) ? `${body}$` : body;
}

async function open(texts: readonly string[], optimize: boolean, batchRows?: number): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({
    sparql: nativeEngine({ optimize, batchRows }),
    textIndex: null,
    storage: undefined,
  });
  await engine.createWorld({ slug: 'w' });
  const data = texts
    .map((text, i) => `<urn:s${i}> <urn:p> ${JSON.stringify(text)}${i % 3 === 0 ? '@de' : ''} .`)
    .join('\n');
  await engine.import({ source: 'w', data, contentType: 'application/n-triples' });
  return engine;
}

async function subjects(engine: WorldsEngine, condition: string): Promise<string[]> {
  const query = `SELECT ?s { ?s <urn:p> ?o FILTER(${condition}) }`;
  const rows = await (await engine.select({ query: unlikeOthers(query), sources: ['w'] })).array();
  return rows.map((row) => row.get('s')!.value).sort();
}

/** `RDF_WORLDS_WINDOWS` runs hundreds of seeds. */
const SEEDS = Number(process.env['RDF_WORLDS_WINDOWS'] ?? 3);

it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
  'texts are tested by their bytes as by their characters (seed %i)',
  async (seed) => {
    const random = new SeededRandom(seed);
    const texts = Array.from({ length: 250 }, () => word(random, random.below(random.chance(0.1) ? 2000 : 40)));
    const [bytes, values] = [await open(texts, true, [undefined, 1, 3][seed % 3]), await open(texts, false)];
    let found = 0;
    for (let i = 0; i < 60; i++) {
      const flags = random.pick(['', 'i', 's', 'is', 'm']);
      const needle = word(random, 2 + random.below(2)).toLowerCase();
      const condition = random.chance(0.7)
        ? `REGEX(?o, ${JSON.stringify(randomPattern(random))}, "${flags}")`
        : `CONTAINS(LCASE(?o), ${JSON.stringify(random.pick([needle, 'ab', 'abb', 'bas']))})`;
      const expected = await subjects(values, condition);
      found += expected.length;
      expect(await subjects(bytes, condition), condition).toEqual(expected);
    }
    expect(found).toBeGreaterThan(100);
    await bytes.close();
    await values.close();
  },
  60_000,
);

it('a search that misses what it finds last is noticed', async () => {
  const random = new SeededRandom(9);
  const texts = Array.from({ length: 100 }, () => `${word(random, 200)}ab😀`);
  const engine = await open(texts, true);
  const condition = 'REGEX(?o, "ab.$|AB", "i") || REGEX(?o, "ab.{0,3}", "i")';
  expect(await subjects(engine, condition)).toHaveLength(100);
  const { indexIn } = ByteSearch.prototype;
  vi.spyOn(ByteSearch.prototype, 'indexIn').mockImplementation(function (this: ByteSearch, buffer, start, end) {
    return indexIn.call(this, buffer, start, end - 5);
  });
  try {
    expect((await subjects(engine, 'REGEX(?o, "ab😀", "i")')).length).toBeLessThan(100);
  } finally {
    vi.restoreAllMocks();
  }
  expect(await subjects(engine, 'REGEX(?o, "ab😀", "i")')).toHaveLength(100);
  await engine.close();
});

it('a search for several texts finds the first of any', () => {
  const random = new SeededRandom(4);
  const bytesOf = (length: number) => Uint8Array.from({ length }, () => 97 + random.below(3));
  for (let trial = 0; trial < 3000; trial++) {
    const patterns = Array.from({ length: 1 + random.below(3) }, () => {
      const bytes = bytesOf(1 + random.below(4));
      return { bytes, others: bytes.map((byte) => (random.chance(0.3) ? 97 + random.below(3) : byte)) };
    });
    const buffer = bytesOf(random.below(30));
    const start = random.below(4);
    const end = Math.max(start, buffer.length - random.below(4));
    let expected = -1;
    for (let at = start; at < end && expected < 0; at++) {
      const isHere = patterns.some(
        ({ bytes, others }) =>
          at + bytes.length <= end && bytes.every((byte, i) => buffer[at + i] === byte || buffer[at + i] === others[i]),
      );
      if (isHere) expected = at;
    }
    expect(new ByteSearch(patterns).indexIn(buffer, start, end)).toBe(expected);
  }
});
