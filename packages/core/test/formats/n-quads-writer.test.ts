import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { DEFAULT_GRAPH } from '../../src/contracts/term-source.ts';
import { graphBatches } from '../../src/formats/graph-batches.ts';
import { writeNQuads, writeNTriples } from '../../src/formats/n-quads-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { XSD_STRING } from '../../src/model/vocabulary.ts';
import { ArraySource } from './array-source.ts';
import { writtenBytes } from './documents.ts';

const { namedNode, blankNode, literal, defaultGraph, quad } = dataFactory;

const CHUNK_BYTES = 1 << 16;

/** What must come out: each term on its own, from its strings. */
function plainLines(source: ArraySource, graphs: readonly number[]): Buffer {
  let text = '';
  for (const graph of graphs) {
    for (const { subject, predicate, object, length } of graphBatches(source, graph)) {
      for (let row = 0; row < length; row++) {
        const ids = [subject[row], predicate[row], object[row], ...(graph === DEFAULT_GRAPH ? [] : [graph])];
        text += `${ids.map((id) => plainTerm(source.terms.term(id))).join(' ')} .\n`;
      }
    }
  }
  return Buffer.from(text);
}

function plainTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal': {
      const escaped = term.value
        .replaceAll('\\', '\\\\')
        .replaceAll('"', '\\"')
        .replaceAll('\n', '\\n')
        .replaceAll('\r', '\\r');
      if (term.language) return `"${escaped}"@${term.language}${term.direction ? `--${term.direction}` : ''}`;
      return term.datatype.value === XSD_STRING ? `"${escaped}"` : `"${escaped}"^^<${term.datatype.value}>`;
    }
    case 'Quad':
      return `<<( ${plainTerm(term.subject)} ${plainTerm(term.predicate)} ${plainTerm(term.object)} )>>`;
    default:
      throw new Error(`No line holds a ${term.termType}.`);
  }
}

async function checkWriters(source: ArraySource): Promise<Uint8Array[]> {
  // Every store has this term from the beginning.
  source.terms.intern(namedNode(XSD_STRING));
  const triples = await writtenBytes(writeNTriples, source);
  expect(Buffer.concat(triples).equals(plainLines(source, [DEFAULT_GRAPH]))).toBe(true);
  const chunks = await writtenBytes(writeNQuads, source);
  expect(Buffer.concat(chunks).equals(plainLines(source, [DEFAULT_GRAPH, ...source.graphs]))).toBe(true);
  for (const [at, chunk] of chunks.entries()) {
    expect(chunk.at(-1)).toBe('\n'.charCodeAt(0));
    if (chunk.length > CHUNK_BYTES) continue;
    // As many lines as have room: the next one, written with all of its bytes escaped, would have
    // had none.
    const next = chunks[at + 1];
    if (next) expect(chunk.length + 2 * (next.indexOf(0x0a) + 1) + 64).toBeGreaterThan(CHUNK_BYTES);
  }
  // Each chunk has its own buffer, so transferring one leaves the others intact.
  expect(new Set(chunks.map(({ buffer }) => buffer)).size).toBe(chunks.length);
  return chunks;
}

/**
 * All that is special: to the syntax, to UTF-8, and as a part of eight bytes that are read as a
 * double; lone surrogates become U+FFFD in bytes.
 */
const character = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...'abcxyz019 ./#-') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...['"', '\\', '\n', '\r', '\t', '!', '#', '[', ']', '\u0000', '\u001f', '\u007f', '\u00a2', '\u00dc', '\u00ff'],
      ...['\u07ff', '\u0800', '\uffff', '\ud800', '\udfff', '\u{10000}', '\u{10ffff}', '\u{10ffff}\u007f'],
    ),
  },
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const text = fc.array(character, { maxLength: 80, size: 'max' }).map((parts) => parts.join(''));
// biome-ignore lint/suspicious/noControlCharactersInRegex: IRIREF excludes the range #x00-#x20
const iri = text.map((rest) => namedNode(`x:${rest.replace(/[\u0000-\u0020<>"{}|^`\\]/g, '')}`));
const blank = fc.integer({ min: 0, max: 1e9 }).map((number) => blankNode(`b${number.toString(36)}`));
const language = fc.constantFrom('en', 'de-AT-1996', 'zh-Hant-TW-x-longer-than-a-step-of-a-copy');
const anyLiteral = fc.oneof(
  text.map((value) => literal(value)),
  fc.tuple(text, iri).map(([value, type]) => literal(value, type)),
  fc.tuple(text, language).map(([value, tag]) => literal(value, tag)),
  fc
    .tuple(text, language, fc.constantFrom('ltr' as const, 'rtl' as const))
    .map(([value, tag, direction]) => literal(value, { language: tag, direction })),
);
const subject = fc.oneof(iri, blank);
const { object } = fc.letrec<{ object: RDF.Quad_Object }>((tie) => ({
  object: fc.oneof(
    { depthSize: 'small' },
    anyLiteral,
    subject,
    fc.tuple(subject, iri, tie('object')).map(([s, p, o]) => quad(s, p, o) as RDF.Quad_Object),
  ),
}));
const graph = fc.oneof(fc.constant(defaultGraph()), iri, blank);

describe('lines are those of a plain writer', () => {
  it('whatever is in the terms, and however often they come', async () => {
    const dataset = fc
      .tuple(
        fc.array(subject, { minLength: 1, maxLength: 3 }),
        fc.array(iri, { minLength: 1, maxLength: 4 }),
        fc.array(object, { minLength: 1, maxLength: 12 }),
        fc.array(graph, { minLength: 1, maxLength: 3 }),
      )
      .chain(([subjects, predicates, objects, graphs]) =>
        fc.array(
          fc
            .tuple(
              fc.constantFrom(...subjects),
              fc.constantFrom(...predicates),
              fc.constantFrom(...objects),
              fc.constantFrom(...graphs),
            )
            .map((terms) => quad(...terms)),
          { maxLength: 30 },
        ),
      );
    await fc.assert(
      fc.asyncProperty(dataset, async (quads) => {
        await checkWriters(new ArraySource(quads));
      }),
      { numRuns: 400 },
    );
  });

  it('with texts of every length, and a character to escape at every place', async () => {
    const quads: RDF.Quad[] = [];
    for (let length = 0; length < 40; length++) {
      const plain = 'abcdefgh'.repeat(5).slice(0, length);
      const node = namedNode(`x:${plain}`);
      quads.push(
        quad(node, node, literal(plain)),
        quad(node, node, literal(plain, node)),
        quad(node, node, node, node),
      );
      for (let at = 0; at < length; at++) {
        for (const special of ['"', '\\', '\n', '\r', '\t', '\u007f', 'é', '!']) {
          quads.push(quad(node, node, literal(plain.slice(0, at) + special + plain.slice(at + 1))));
        }
      }
    }
    await checkWriters(new ArraySource(quads));
  });

  it('over many chunks: with one subject, with more predicates than are kept, and with lines as long as a chunk', async () => {
    const predicate = (number: number) => namedNode(`x:p/${'long/'.repeat(number % 150)}${number}`);
    const quads: RDF.Quad[] = [];
    for (let i = 0; i < 4000; i++) {
      quads.push(
        quad(namedNode(`x:subject/${i >> 10}`), predicate((i * 7) % 600), literal(`value ${i}`.repeat(i % 9))),
      );
    }
    for (const length of [2000, 2100, CHUNK_BYTES / 2, CHUNK_BYTES - 100, CHUNK_BYTES - 20, CHUNK_BYTES, 200_000]) {
      const long = `${length}`.repeat(length).slice(0, length);
      quads.push(
        quad(namedNode(`x:long/${length}`), predicate(1), literal(long)),
        quad(namedNode(`x:long/${length}`), predicate(2), literal(long, namedNode(`x:${long}`))),
        quad(namedNode(`x:long/${length}`), namedNode(`x:${long}`), literal('"'.repeat(length), 'en')),
        quad(namedNode(`x:${long}`), predicate(3), quad(blankNode('b'), predicate(4), literal(long))),
        quad(namedNode(`x:${long}`), predicate(3), literal('short'), namedNode(`x:${long}`)),
        quad(namedNode(`x:${long}`), predicate(5), literal('short'), namedNode(`x:${long}`)),
      );
    }
    const chunks = await checkWriters(new ArraySource(quads));
    expect(chunks.length).toBeGreaterThan(20);
    // A long line takes its neighbours with it, but no more than a chunk of them.
    const longest = Buffer.byteLength(`<x:> <x:> "" <x:>`) + 4 * 2 * 200_000;
    for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(longest + CHUNK_BYTES);
  });
});

/**
 * A slice that is always used up; the pause of a given number throws, as it does when the signal
 * has fired.
 */
class ShortSlicer extends Slicer {
  pauses = 0;
  private readonly last: number;

  constructor(last = Number.POSITIVE_INFINITY) {
    super();
    this.last = last;
  }

  override get due(): boolean {
    return true;
  }

  override async pause(): Promise<void> {
    if (++this.pauses >= this.last) throw new Error('aborted');
  }
}

describe('the event loop', () => {
  const quads = Array.from({ length: 5000 }, (_, i) =>
    quad(namedNode('x:s'), namedNode('x:p'), literal(`${i}`.repeat(i < 4000 ? 1 : 50))),
  );

  it('may run after each batch and each chunk', async () => {
    const slicer = new ShortSlicer();
    const chunks = await writtenBytes(writeNQuads, new ArraySource(quads), { slicer });
    expect(slicer.pauses).toBeGreaterThanOrEqual(Math.ceil(5000 / 512) + chunks.length - 1);
  });

  it('may hear of an abort there', async () => {
    const slicer = new ShortSlicer(3);
    await expect(writtenBytes(writeNTriples, new ArraySource(quads), { slicer })).rejects.toThrow('aborted');
    expect(slicer.pauses).toBe(3);
  });
});
