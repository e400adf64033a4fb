import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import type { BindingsBatch } from '../../../src/contracts/sparql-engine.ts';
import { NO_TERM } from '../../../src/contracts/term-source.ts';
import { WorldsEngine, writeQueryResult } from '../../../src/index.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { XSD } from '../../../src/model/vocabulary.ts';
import { Dictionary } from '../../../src/quads/dictionary.ts';
import { Overlay } from '../../../src/quads/overlay.ts';
import { CHUNK_BYTES } from '../../../src/sparql/results/chunk-buffer.ts';
import { writeJsonBindings } from '../../../src/sparql/results/json-results.ts';
import { SolutionBatch, TermCache } from '../../../src/sparql/solution-batch.ts';
import { hostileTerm } from './hostile-terms.ts';

const { namedNode, literal, quad } = dataFactory;
const JSON_TYPE = 'application/sparql-results+json';

function newTerms(): Overlay {
  let scopes = 0;
  return new Overlay(new Dictionary({ low: 1, high: 2 }), { world: 0, scope: () => new Uint8Array(16).fill(++scopes) });
}

/** Rows of ids as batches of a given size, that show their ids or hide them. */
class IdTable {
  readonly variables: readonly string[];
  private readonly terms: Overlay;
  private readonly rows: readonly (readonly number[])[];

  constructor(variables: readonly string[], rows: readonly (readonly (RDF.Term | undefined)[])[]) {
    this.variables = variables;
    this.terms = newTerms();
    this.rows = rows.map((row) => row.map((term) => (term ? this.terms.intern(term) : NO_TERM)));
  }

  async *batches(size: number, showsIds: (batch: number) => boolean): AsyncGenerator<BindingsBatch> {
    const cache = new TermCache(this.terms);
    for (let start = 0; start < this.rows.length; start += size) {
      const rows = this.rows.slice(start, start + size);
      const columns = this.variables.map((_, column) => {
        const ids = Uint32Array.from(rows, (row) => row[column]);
        // A column without bindings need not be there.
        return ids.every((id) => id === NO_TERM) ? undefined : ids;
      });
      const batch = new SolutionBatch(this.variables, columns, rows.length, cache);
      expect(batch.ids).toBeDefined();
      yield showsIds(start / size) ? batch : hidden(batch);
    }
  }

  async written(size: number, showsIds: (batch: number) => boolean): Promise<Uint8Array[]> {
    const chunks: Uint8Array[] = [];
    const batches = this.batches(size, showsIds);
    for await (const chunk of writeJsonBindings(this.variables, batches, { slicer: new Slicer() })) chunks.push(chunk);
    return chunks;
  }
}

function hidden(batch: BindingsBatch): BindingsBatch {
  return {
    length: batch.length,
    term: (row, column) => batch.term(row, column),
    [Symbol.iterator]: () => batch[Symbol.iterator](),
  };
}

/** All but the last are full. */
function joined(chunks: readonly Uint8Array[]): string {
  for (const chunk of chunks.slice(0, -1)) expect(chunk).toHaveLength(CHUNK_BYTES);
  expect(chunks.at(-1)!.length).toBeLessThanOrEqual(CHUNK_BYTES);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
}

async function requireSame(table: IdTable, size = 3): Promise<void> {
  const fromTerms = joined(await table.written(size, () => false));
  expect(joined(await table.written(size, () => true))).toBe(fromTerms);
  // An engine may show ids for some of its batches alone.
  expect(joined(await table.written(size, (batch) => batch % 2 === 0))).toBe(fromTerms);
}

/** Some terms, drawn from again and again. */
const repeating = fc
  .tuple(
    fc.array(hostileTerm, { minLength: 1, maxLength: 6 }),
    fc.array(fc.array(fc.nat(7), { minLength: 3, maxLength: 3 }), { maxLength: 12 }),
  )
  .map(([terms, picks]) => picks.map((row) => row.map((pick) => terms[pick] as RDF.Term | undefined)));

it('looks at a variable that a batch leaves unbound once, not in each row', async () => {
  const length = 500;
  const terms = newTerms();
  let looks = 0;
  // A UNION of many branches gives all variables of the other branches the same column.
  const unbound = new Proxy(new Uint32Array(length), {
    get(column, key) {
      if (/^[0-9]+$/.test(String(key))) looks++;
      return Reflect.get(column, key);
    },
  });
  const variables = Array.from({ length: 1000 }, (_, i) => `v${i}`);
  const bound = new Uint32Array(length).fill(terms.intern(literal('a')));
  const columns = variables.map((_, i) => (i === 700 ? bound : unbound));
  async function* batches() {
    yield new SolutionBatch(variables, columns, length, new TermCache(terms));
  }
  let text = '';
  for await (const chunk of writeJsonBindings(variables, batches(), { slicer: new Slicer() }))
    text += Buffer.from(chunk).toString();
  const { results } = JSON.parse(text);
  expect(results.bindings).toEqual(Array.from({ length }, () => ({ v700: { type: 'literal', value: 'a' } })));
  expect(looks).toBeLessThanOrEqual(2 * length);
});

describe('SPARQL JSON from stored bytes', () => {
  it('is that from terms, byte by byte', () =>
    fc.assert(
      fc.asyncProperty(repeating, fc.integer({ min: 1, max: 5 }), (rows, size) =>
        requireSame(new IdTable(['x', '__proto__', 'é"'], rows), size),
      ),
      { numRuns: 300 },
    ));

  it('has every character of a string', async () => {
    const characters = Array.from({ length: 0x300 }, (_, code) => String.fromCharCode(code));
    const beyond = ['\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff', '\ud7ff', '\ue000', '\u{10000}', '\u{10ffff}'];
    await requireSame(
      new IdTable(
        ['x'],
        [...characters, ...beyond].map((text) => [literal(`a${text}b${text}`)]),
      ),
    );
  });

  it('keeps what ids were written as apart, however many there are', async () => {
    const term = (i: number) => (i % 2 === 0 ? namedNode(`urn:${i}`) : literal(String(i), namedNode(`${XSD}integer`)));
    const once = Array.from({ length: 10_000 }, (_, i) => [term(i), term((i * 7919) % 10_000)]);
    const table = new IdTable(['x', 'y'], [...once, ...once.toReversed(), ...once.slice(0, 3000)]);
    await requireSame(table, 1000);
  });

  it('has any number of datatypes', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => [
      literal('1', namedNode(`urn:type${i % 600}`)),
      literal(`${i}`),
    ]);
    await requireSame(new IdTable(['x', 'y'], rows), 100);
  });

  it('has texts longer than a chunk', async () => {
    const long = '"\u0000é\u{1f600}'.repeat(40_000);
    const terms = [
      literal(long),
      literal(long, 'en'),
      literal(long, { language: 'he', direction: 'rtl' }),
      literal(''),
    ];
    const nested = terms.map((term) => quad(namedNode('urn:s'), namedNode(`urn:${'p'.repeat(100_000)}`), term));
    await requireSame(
      new IdTable(
        ['x', 'y'],
        [...terms, ...nested].map((term) => [term, term]),
      ),
      2,
    );
  });

  it('begins small: an answer of one row is one chunk of its own length', async () => {
    const chunks = await new IdTable(['x'], [[literal('1')]]).written(1, () => true);
    expect(chunks).toHaveLength(1);
    expect(chunks[0].buffer.byteLength).toBeLessThan(CHUNK_BYTES);
  });
});

describe('the JSON of a query', () => {
  it('is made from stored bytes, shared terms and computed ones alike', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const data = Array.from(
      { length: 3000 },
      (_, i) => `<urn:s${i % 7}> <urn:p> "a\\"${i}\\n"@en, _:b${i % 50}, ${i} .`,
    );
    await engine.import({ source: 'w', data: data.join('\n'), contentType: 'text/turtle' });
    const query = 'SELECT ?s ?o (CONCAT(STR(?s), "\u0001é") AS ?c) (?missing AS ?m) { ?s <urn:p> ?o }';
    const text = async (hide: boolean) => {
      const result = await engine.query({ query });
      if (result.type !== 'bindings') throw new Error('A SELECT gives bindings.');
      let shown = 0;
      const batches = (async function* () {
        for await (const batch of result.batches) {
          if (batch.ids) shown += batch.length;
          yield hide ? hidden(batch) : batch;
        }
      })();
      const chunks: Uint8Array[] = [];
      for await (const chunk of writeQueryResult({ ...result, batches }, JSON_TYPE)) chunks.push(chunk);
      expect(shown).toBeGreaterThan(3000);
      return joined(chunks);
    };
    const fromBytes = await text(false);
    expect(fromBytes).toBe(await text(true));
    expect(JSON.parse(fromBytes).results.bindings).toEqual(
      ((await engine.sparql({ query })) as { results: { bindings: unknown } }).results.bindings,
    );
  });
});
