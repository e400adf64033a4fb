import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import type { ResultFormat } from '../../../src/sparql/results/result-format.ts';
import { findResultFormat, RESULT_FORMATS } from '../../../src/sparql/results/result-formats.ts';
import { turtleTerm } from '../../../src/sparql/results/turtle-term.ts';
import { hostileTerm, isXmlTerm } from './hostile-terms.ts';
import { readCsv, readJson, readJsonBoolean, readTsv, readXml, readXmlBoolean } from './read-results.ts';
import { SolutionTable, textOf } from './solution-table.ts';

const format = (mediaType: string) => findResultFormat(mediaType)!;
const written = ({ writeBindings }: ResultFormat, table: SolutionTable, batchSize?: number) =>
  textOf(writeBindings(table.variables, table.batches(batchSize), { slicer: new Slicer() }));

/** SPARQL 1.1 section 19.8, VARNAME, with names that mean something to JavaScript. */
const variable = fc.oneof(
  fc.constantFrom('s', 'x', '0', 'constructor', 'toString', 'hasOwnProperty', 'è', 'a·', '\u{10000}', 'length'),
  fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_]{0,6}$/),
);

const table = fc
  .uniqueArray(variable, { maxLength: 4 })
  .chain((variables) =>
    fc
      .array(fc.tuple(...variables.map(() => fc.option(hostileTerm, { nil: undefined, freq: 4 }))), { maxLength: 8 })
      .map((rows) => new SolutionTable(variables, rows)),
  );

/** As the other test of round trips says it, with batches of any size. */
const property = (check: (table: SolutionTable, batchSize: number) => Promise<void>) =>
  fc.assert(fc.asyncProperty(table, fc.integer({ min: 1, max: 5 }), check), { numRuns: 400 });

describe('RESULT_FORMATS', () => {
  it('says no media type twice, each in lower case', () => {
    const mediaTypes = RESULT_FORMATS.flatMap(({ mediaType, aliases }) => [mediaType, ...aliases]);
    expect(new Set(mediaTypes).size).toBe(mediaTypes.length);
    for (const mediaType of mediaTypes) expect(mediaType).toBe(mediaType.toLowerCase());
  });

  it.each(RESULT_FORMATS.map((row) => [row.name, row] as const))('%s is found by its names', (_, row) => {
    for (const mediaType of [row.mediaType, ...row.aliases]) {
      expect(findResultFormat(mediaType)).toBe(row);
      expect(findResultFormat(`${mediaType.toUpperCase()} ;charset=utf-8`)).toBe(row);
    }
  });

  it.each(['', 'text/plain', 'text/turtle', 'csv', '__proto__', 'constructor', '*/*'])(
    'has no format %j',
    (mediaType) => {
      expect(findResultFormat(mediaType)).toBeUndefined();
    },
  );

  it('gives the ASK answers that the specifications have a form for', () => {
    expect(RESULT_FORMATS.filter((row) => row.writeBoolean).map((row) => row.extensions[0])).toEqual(['srj', 'srx']);
  });
});

describe('what is written is read back', () => {
  it('from JSON', () =>
    property(async (solutions, batchSize) => {
      const text = await written(format('application/sparql-results+json'), solutions, batchSize);
      expect(readJson(text).key).toEqual(solutions.key);
    }));

  it('from XML, or refused where XML has no character for it', () =>
    property(async (solutions, batchSize) => {
      const text = written(format('application/sparql-results+xml'), solutions, batchSize);
      if (solutions.rows.every((row) => row.every((term) => !term || isXmlTerm(term)))) {
        expect((await readXml(await text)).key).toEqual(solutions.key);
        return;
      }
      await expect(text).rejects.toThrow(WorldsError);
      await expect(text).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(/U\+[0-9A-F]{4}.*ask for application\/sparql-results\+json/),
      });
    }));

  it('from TSV', () =>
    property(async (solutions, batchSize) => {
      const text = await written(format('text/tab-separated-values'), solutions, batchSize);
      expect((await readTsv(text)).key).toEqual(solutions.key);
    }));

  it('from CSV, without kinds and types', () =>
    property(async (solutions, batchSize) => {
      const [head, ...records] = readCsv(await written(format('text/csv'), solutions, batchSize));
      // A table without columns has lines of one empty field: there is no other way to write it.
      const padded = (fields: readonly string[]) => (fields.length === 0 ? [''] : fields);
      expect(head).toEqual(padded(solutions.variables));
      expect(records).toEqual(
        solutions.rows.map((row) =>
          padded(
            row.map((term) => {
              if (!term) return '';
              return term.termType === 'BlankNode' || term.termType === 'Quad' ? turtleTerm(term) : term.value;
            }),
          ),
        ),
      );
    }));

  it.each([true, false])('for ASK: %s', async (value) => {
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const json = decode(format('application/sparql-results+json').writeBoolean!(value));
    expect(readJsonBoolean(json)).toBe(value);
    expect(JSON.parse(json).head).toEqual({ vars: [] });
    expect(await readXmlBoolean(decode(format('application/sparql-results+xml').writeBoolean!(value)))).toBe(value);
  });
});
