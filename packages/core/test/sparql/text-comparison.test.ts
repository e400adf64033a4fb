import { afterEach, describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { Overlay } from '../../src/quads/overlay.ts';
import { startComparison } from '../../src/sparql/exec/text-comparison.ts';
import { openTexts, subjects, subjectsByValue, word } from './text-world.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A text that is computed from a stored one, or is one. */
function randomSide(random: SeededRandom, texts: readonly string[]): string {
  const variable = random.pick(['?o', '?s']);
  const stored = random.pick([variable, `STR(${variable})`, `STR(${variable})`]);
  switch (random.below(6)) {
    case 0:
      return `SUBSTR(${stored}, ${1 + random.below(4)})`;
    case 1:
      return `SUBSTR(${stored}, ${1 + random.below(4)}, ${1 + random.below(4)})`;
    case 2:
      return `STRBEFORE(${stored}, ${JSON.stringify(word(random, 1))})`;
    case 3:
      return `STRAFTER(${stored}, ${JSON.stringify(word(random, 1))})`;
    case 4:
      return `${JSON.stringify([...random.pick(texts)].slice(0, random.below(5)).join(''))}${random.chance(0.2) ? '@de' : ''}`;
    default:
      return stored;
  }
}

function randomCondition(random: SeededRandom, texts: readonly string[]): string {
  switch (random.below(9)) {
    case 8: {
      const test = `${random.pick(['isIRI', 'isBLANK', 'isLITERAL'])}(${random.pick(['?o', '?s'])})`;
      return random.pick([test, `!${test}`, `${test} || LANG(?o) = "de"`]);
    }
    case 0:
      return `LANG(?o) ${random.pick(['=', '!='])} ${random.pick(['"de"', '""', '"en"'])}`;
    case 1:
      return `LANGMATCHES(LANG(${random.pick(['?o', '?s'])}), ${random.pick(['"*"', '"de"'])})`;
    case 2:
      return `DATATYPE(?o) = <${random.pick(['urn:type', 'http://www.w3.org/2001/XMLSchema#string'])}>`;
    case 3: {
      const [one, other, inside] = [word(random, random.below(3)), word(random, 1 + random.below(2)), word(random, 2)];
      const pattern = random.pick([`^${one}`, `^(${one}|${other})`, `^(${one}|${other}).*${inside}`, `^${other}$`]);
      return `REGEX(STR(?o), ${JSON.stringify(pattern)}, "${random.pick(['', 'i', 'm', 's'])}")`;
    }
    default: {
      const operator = random.pick(['=', '!=', '<', '>', '<=', '>=']);
      return `${randomSide(random, texts)} ${operator} ${randomSide(random, texts)}`;
    }
  }
}

/** `RDF_WORLDS_WINDOWS` runs hundreds of seeds. */
const SEEDS = Number(process.env['RDF_WORLDS_WINDOWS'] ?? 4);

describe('texts, languages and datatypes compared as they are stored', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    'give what their values give (seed %i)',
    async (seed) => {
      const random = new SeededRandom(seed + 1000);
      const texts = Array.from({ length: 200 }, () => word(random, random.below(8)));
      const engine = await openTexts(texts, [undefined, 1, 3, undefined][seed % 4]);
      let found = 0;
      for (let i = 0; i < 200; i++) {
        const condition = randomCondition(random, texts);
        const expected = await subjectsByValue(engine, condition);
        found += expected.length;
        expect(await subjects(engine, condition), condition).toEqual(expected);
      }
      expect(found).toBeGreaterThan(2000);
      await engine.close();
    },
    120_000,
  );

  it.each([
    'STR(?s) < STR(?o)',
    'SUBSTR(STR(?s), 5, 1) > "s"',
    'STRAFTER(STR(?o), "/") = STRBEFORE(STR(?s), "/")',
    'LANG(?o) = "fr"',
    'isIRI(?o) || LANG(?o) = "fr"',
    '!LANGMATCHES(LANG(?o), "*") && DATATYPE(?o) = <urn:none>',
    'REGEX(?o, "^(the|a) .*lamp$")',
  ])('decode no text for %s', async (condition) => {
    const engine = await openTexts(Array.from({ length: 500 }, (_, i) => `Kid ${i} of a World's café with a lamp`));
    const term = vi.spyOn(Overlay.prototype, 'term');
    const query = `SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o FILTER(${condition}) }`;
    await (await engine.select({ query, sources: ['w'] })).array();
    expect(term.mock.calls.length).toBeLessThan(20);
    await engine.close();
  });

  it('order texts by code points, not by UTF-16 units, whatever their length', () => {
    const order = (one: string, other: string) => {
      const isLess = startComparison(
        { left: one, right: other, passes: (sign) => sign < 0 },
        undefined as never,
        { mayBeLate: false } as never,
        () => {
          throw new Error('both are texts');
        },
      );
      return isLess(undefined as never, 0);
    };
    const texts = ['', 'a', 'a\0', 'ab', 'abcd', 'abcde', 'abce', 'abcé', 'b', 'é', '\uFFFD', '😀'];
    for (const [i, one] of texts.entries()) {
      for (const [j, other] of texts.entries()) expect(order(one, other), `${one} < ${other}`).toBe(i < j);
    }
  });
});
