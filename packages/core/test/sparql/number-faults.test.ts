import type * as RDF from '@rdfjs/types';
import { afterEach, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { TERM_KIND, TermBytes } from '../../src/contracts/term-bytes.ts';
import { VALUE, type ValueSource, ZONED } from '../../src/contracts/value-column.ts';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { parsed } from '../../src/sparql/vectors/parse-value.ts';
import { StoredValues } from '../../src/sparql/vectors/stored-values.ts';
import { edgeLiterals, randomLiteral, randomQuery } from './random-numbers.ts';
import { unlikeOthers } from './unlike-others.ts';

const { namedNode, quad } = dataFactory;

/** What the column holds of a term. */
interface Held {
  readonly kind: number;
  readonly number: number;
}

/** Gives what a faulty reader holds of a literal, or undefined if it has no fault there. */
type Fault = (text: string, right: Held) => Held | undefined;

const DAY = 86_400;
const secondsOf = (text: string) => Date.parse(text) / 1000;

/** Mistakes that a reader of numbers can make at the limits of what a double or a column holds. */
const FAULTS: readonly (readonly [name: string, datatype: string, fault: Fault])[] = [
  [
    'integers beyond 2^53 are rounded',
    'integer',
    (text) => (/^\d{16,}$/.test(text) ? { kind: VALUE.integer, number: Number(text) } : undefined),
  ],
  [
    'decimals of more than 15 digits are rounded',
    'decimal',
    (text) => (/^\d+\.\d{16,}$/.test(text) ? { kind: VALUE.decimal + 1, number: Number(text) } : undefined),
  ],
  ['NaN is held as a number', 'double', (text) => (text === 'NaN' ? { kind: VALUE.double, number: 0 } : undefined)],
  ['a double of -0 is 0', 'double', (_, { kind, number }) => (Object.is(number, -0) ? { kind, number: 0 } : undefined)],
  [
    'years before 1 lose their sign',
    'dateTime',
    (text) => (text.startsWith('-') ? { kind: VALUE.dateTime, number: secondsOf(text.slice(1)) } : undefined),
  ],
  [
    'years after 9999 lose a digit',
    'dateTime',
    (text) => (/^\d{5}-/.test(text) ? { kind: VALUE.dateTime, number: secondsOf(text.slice(1)) } : undefined),
  ],
  [
    'an absent time zone is that of the machine',
    'dateTime',
    (text, { kind, number }) =>
      kind === VALUE.dateTime && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? { kind, number: number - 3600 } : undefined,
  ],
  [
    'the time zone of a date is not read',
    'date',
    (_, { kind, number }) =>
      kind === VALUE.zonedDate ? { kind: VALUE.date, number: Math.ceil(number / DAY) * DAY } : undefined,
  ],
  [
    'parts of a zoned time are those of UTC',
    'dateTime',
    (_, { kind, number }) => (kind === VALUE.dateTime + ZONED ? { kind: VALUE.dateTime, number } : undefined),
  ],
  [
    'a fraction of a second is cut off',
    'dateTime',
    (_, { kind, number }) => (kind === VALUE.dateTimeFraction ? { kind: VALUE.dateTime, number } : undefined),
  ],
  ['a float is not rounded', 'float', (text) => (text === '0.1' ? { kind: VALUE.float, number: 0.1 } : undefined)],
  [
    'a float between two others is rounded twice',
    'float',
    (text) =>
      text.startsWith('1.00000005960464477') ? { kind: VALUE.float, number: Math.fround(Number(text)) } : undefined,
  ],
  [
    'the fraction of a time of day is cut off',
    'time',
    (text, { number }) => (/\.[1-9]/.test(text) ? { kind: VALUE.time, number } : undefined),
  ],
  [
    'the time zone of a time of day is not read',
    'time',
    (text) =>
      /\+02:00$/.test(text) ? { kind: VALUE.time, number: secondsOf(`1972-12-31T${text.slice(0, 8)}Z`) } : undefined,
  ],
];

/** The private method that reads a term for the column. */
interface Reader {
  read(this: StoredValues, id: number): number;
}

/** Plants a fault in what {@link StoredValues} reads of the bytes of terms. */
function plant(datatype: string, fault: Fault): void {
  const reader = StoredValues.prototype as unknown as Reader;
  const right = reader.read;
  const at = new TermBytes();
  vi.spyOn(reader, 'read').mockImplementation(function (this: StoredValues, id: number) {
    const kind = right.call(this, id);
    const { number } = parsed;
    const { terms } = this as unknown as { readonly terms: ValueSource };
    if (id === 0) return kind;
    terms.locate(id, at);
    if (at.kind !== TERM_KIND.literal) return kind;
    const text = at.buffer.toString('utf8', at.start, at.end);
    const isOfType = terms.term(at.reference).value.endsWith(`#${datatype}`);
    const wrong = isOfType ? fault(text, { kind, number }) : undefined;
    parsed.number = wrong?.number ?? number;
    if (wrong && terms.isShared(id)) terms.values.set(id, wrong.kind, wrong.number);
    return wrong?.kind ?? kind;
  });
}

/** The number of random queries until one has another answer without the column; 0 if none has. */
async function queriesUntilNoticed(datatype: string, maxQueries: number): Promise<number> {
  const random = new SeededRandom(5);
  const insert: RDF.Quad[] = [];
  // Mostly of one type: programs give up where most rows of a batch have no numbers.
  const edges = edgeLiterals().filter((one) => one.datatype.value.endsWith(`#${datatype}`));
  const value = () => (random.chance(0.9) ? random.pick(edges) : randomLiteral(random));
  for (let i = 0; i < 150; i++) {
    const subject = namedNode(`urn:s${i}`);
    insert.push(quad(subject, namedNode('urn:v'), value()));
    if (random.chance(0.8)) insert.push(quad(subject, namedNode('urn:w'), value()));
    insert.push(quad(subject, namedNode('urn:g'), namedNode(`urn:g${random.below(5)}`)));
  }
  const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert });
  const answer = async (query: string) => {
    const rows = await (await engine.select({ query: unlikeOthers(query), sources: ['w'] })).array();
    return rows.map((row) => [...row].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')).join('\n');
  };
  try {
    for (let i = 1; i <= maxQueries; i++) {
      const query = randomQuery(random);
      const unboxed = await answer(query);
      const off = vi.spyOn(StoredValues, 'of').mockReturnValue(undefined);
      const expected = await answer(query);
      off.mockRestore();
      if (unboxed !== expected) return i;
    }
    return 0;
  } finally {
    await engine.close();
  }
}

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(FAULTS)(
  'the comparison with terms notices that %s',
  async (_, datatype, fault) => {
    plant(datatype, fault);
    expect(await queriesUntilNoticed(datatype, 2000)).toBeGreaterThan(0);
  },
  120_000,
);

it('a reader without a fault is not noticed', async () => {
  plant('dateTime', () => undefined);
  expect(await queriesUntilNoticed('dateTime', 60)).toBe(0);
}, 120_000);
