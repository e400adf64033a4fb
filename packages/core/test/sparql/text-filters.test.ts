import { afterEach, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { Overlay } from '../../src/quads/overlay.ts';
import { type BytePattern, ByteSearch } from '../../src/sparql/exec/byte-search.ts';
import { StoredTexts, TEXT } from '../../src/sparql/exec/stored-texts.ts';
import { replaceMethod } from './differential/fast-paths.ts';
import { LETTERS, openTexts, subjects, subjectsByValue, word } from './text-world.ts';

function randomCondition(random: SeededRandom, texts: readonly string[], depth = 0): string {
  if (depth < 2 && random.chance(0.25)) {
    const parts = Array.from({ length: 2 + random.below(3) }, () => randomCondition(random, texts, depth + 1));
    return `(${parts.join(random.chance(0.8) ? ' || ' : ' && ')})`;
  }
  if (random.chance(0.1)) return `!(${randomCondition(random, texts, depth + 1)})`;
  const map = random.pick(['LCASE', 'UCASE', 'LCASE', 'UCASE', '']);
  const variable = random.pick(['?o', '?o', 'STR(?o)']);
  const read = map === '' ? variable : `${map}(${variable})`;
  const mapped = (text: string) =>
    random.chance(0.1) ? text : map === 'LCASE' ? text.toLowerCase() : map === 'UCASE' ? text.toUpperCase() : text;
  const needle = (whole: boolean) => {
    const text = mapped(
      random.chance(0.5) ? random.pick(texts) : word(random, random.below(random.chance(0.5) ? 2 : 4)),
    );
    const units = [...text];
    const from = whole ? 0 : random.below(units.length + 1);
    const part = whole ? text : units.slice(from, from + random.below(5)).join('');
    return `${JSON.stringify(part)}${random.chance(0.05) ? random.pick(['@de', '@en', '^^<urn:type>']) : ''}`;
  };
  switch (random.below(9)) {
    case 7:
    case 8:
      return `CONTAINS(${read}, ${JSON.stringify(mapped(random.pick(LETTERS)))})`;
    case 0:
      return `${read} = ${needle(true)}`;
    case 1:
      return `${needle(true)} = ${read}`;
    case 2:
      return `${read} IN (${Array.from({ length: random.below(5) }, () => needle(true)).join(', ')})`;
    case 3: {
      // The beginning or the end of a text is found more often than any part of another.
      const units = [...mapped(random.pick(texts))];
      const length = random.below(5);
      return random.chance(0.5)
        ? `STRSTARTS(${read}, ${JSON.stringify(units.slice(0, length).join(''))})`
        : `STRENDS(${read}, ${JSON.stringify(units.slice(units.length - Math.min(length, units.length)).join(''))})`;
    }
    default:
      return `${random.pick(['CONTAINS', 'CONTAINS', 'STRSTARTS', 'STRENDS'])}(${read}, ${needle(false)})`;
  }
}

/** `RDF_WORLDS_WINDOWS` runs hundreds of seeds. */
const SEEDS = Number(process.env['RDF_WORLDS_WINDOWS'] ?? 4);

/** A spelling that is not looked for. */
const forgets = (letter: string) => () =>
  replaceMethod(
    ByteSearch.prototype,
    'isIn',
    (right) =>
      function (this: ByteSearch, buffer, start, end) {
        const { patterns } = this as unknown as { readonly patterns: readonly BytePattern[] };
        const others = patterns.filter(({ bytes }) => !Buffer.from(bytes).includes(letter));
        return others.length > 0 && right.call(new ByteSearch(others), buffer, start, end);
      },
  );

/** Faults of the tests on bytes, each with what plants it and returns what removes it. */
const FAULTS: readonly (readonly [name: string, plant: () => () => void])[] = [
  [
    'a search that misses the last byte',
    () =>
      replaceMethod(
        ByteSearch.prototype,
        'isIn',
        (right) =>
          function (this: ByteSearch, buffer, start, end) {
            return right.call(this, buffer, start, end - 1);
          },
      ),
  ],
  [
    'an end that is looked for anywhere',
    () => replaceMethod(ByteSearch.prototype, 'isAtEnd', () => ByteSearch.prototype.isIn),
  ],
  [
    'a beginning that is taken for the whole',
    () => replaceMethod(ByteSearch.prototype, 'isWhole', () => ByteSearch.prototype.isAt),
  ],
  ['a Kelvin sign that is not k', forgets('\u212a')],
  ['an İ that is not i', forgets('\u0130')],
  ['a ſ that is not S', forgets('\u017f')],
  ['an ı that is not I', forgets('\u0131')],
  ['an ß that is not SS', forgets('\u00df')],
  ['a letter of two units whose other case is forgotten', forgets('𐐨')],
  [
    'a number that is taken for a string',
    () =>
      replaceMethod(
        StoredTexts.prototype,
        'locateText',
        (right) =>
          function (this: StoredTexts, batch, row, slot) {
            return right.call(this, batch, row, slot, true);
          },
      ),
  ],
  [
    'a text with a language that equals one without',
    () =>
      replaceMethod(
        StoredTexts.prototype,
        'locate',
        (right) =>
          function (this: StoredTexts, id) {
            const kind = right.call(this, id);
            this.kind = kind === TEXT.languageString ? TEXT.string : kind;
            return this.kind;
          },
      ),
  ],
];

afterEach(() => {
  vi.restoreAllMocks();
});

describe('text filters on stored bytes', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'find what the functions find (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed);
      const texts = Array.from({ length: 200 }, () => word(random, random.below(random.chance(0.1) ? 300 : 12)));
      const engine = await openTexts(texts, [undefined, 1, 3, undefined][seed % 4]);
      let found = 0;
      for (let i = 0; i < 150; i++) {
        const condition = randomCondition(random, texts);
        const expected = await subjectsByValue(engine, condition);
        found += expected.length;
        expect(await subjects(engine, condition), condition).toEqual(expected);
      }
      expect(found).toBeGreaterThan(500);
      await engine.close();
    },
    120_000,
  );

  it.each([
    'CONTAINS(LCASE(?o), "word")',
    'CONTAINS(LCASE(?o), "kiosk")',
    'CONTAINS(LCASE(STR(?o)), "taxi")',
    'CONTAINS(LCASE(?o), "café")',
    'CONTAINS(UCASE(?o), "WORLD")',
    'STRSTARTS(LCASE(?o), "ski")',
    'STRENDS(UCASE(?o), "END")',
    'LCASE(?o) = "link"',
    'LCASE(?o) IN ("link", "lamp", "k")',
    'CONTAINS(?o, "zebra") || STRSTARTS(LCASE(?o), "kid") || STR(?o) = "q"',
  ])('decode no text for %s', async (condition) => {
    const engine = await openTexts(Array.from({ length: 500 }, (_, i) => `Kid ${i} of a World's café with a KIOSK`));
    const term = vi.spyOn(Overlay.prototype, 'term');
    const query = `SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(${condition}) }`;
    await (await engine.select({ query, sources: ['w'] })).array();
    expect(term.mock.calls.length).toBeLessThan(10);
    await engine.close();
  });

  it('decode only candidates where too much can be spelled', async () => {
    const texts = Array.from({ length: 500 }, (_, i) => (i < 7 ? 'the miſſiſſippi' : `text ${i} with ss`));
    const engine = await openTexts(texts);
    const condition = 'CONTAINS(UCASE(STR(?o)), "MISSISSIPPI")';
    const term = vi.spyOn(Overlay.prototype, 'term');
    expect(await subjects(engine, condition)).toHaveLength(7);
    // A text and the subject that is found, for each.
    expect(term.mock.calls.length).toBeLessThan(30);
    await engine.close();
  });

  it.each(FAULTS)('%s is noticed', async (_, plant) => {
    const random = new SeededRandom(3);
    const texts = Array.from({ length: 120 }, () => word(random, random.below(5)));
    const engine = await openTexts(texts);
    let noticed = false;
    for (let i = 0; i < 400 && !noticed; i++) {
      const condition = randomCondition(random, texts);
      const expected = await subjectsByValue(engine, condition);
      const remove = plant();
      noticed = JSON.stringify(await subjects(engine, condition)) !== JSON.stringify(expected);
      remove();
    }
    expect(noticed).toBe(true);
    await engine.close();
  });
});
