import { HOSTILE_STRINGS, randomQuads } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { DataFactory, Parser, Writer } from 'n3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { isAbsoluteIri } from '../../src/model/iri.ts';
import { dataOf, linesOf } from './world-state.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;

let engine: WorldsEngine;
let worlds = 0;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
});
afterEach(() => engine.close());

async function emptyWorld(): Promise<string> {
  const { slug } = await engine.createWorld({ slug: `w${worlds++}` });
  return slug;
}

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

/** Pieces of at most `length` bytes. */
function* pieces(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** The lines of a document, or where it is broken. */
async function read(
  data: Uint8Array | AsyncIterable<Uint8Array>,
  contentType = 'application/n-quads',
): Promise<unknown> {
  // A namespace of its own: terms that are known already would come in another order, and blank
  // nodes be named otherwise.
  const source = { slug: 'w', namespace: `n${worlds++}` };
  await engine.createWorld(source);
  try {
    const { quads } = await engine.import({ source, data, contentType });
    return { quads, lines: await linesOf(engine, source) };
  } catch (error) {
    const { code, location, message } = error as { code: string; location: unknown; message: string };
    if (code !== 'INVALID_RDF') throw error;
    return { code, location, message };
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('N-Quads that are well-formed', () => {
  const S = '<urn:s> <urn:p>';
  it.each([
    ['no space between terms', '<urn:s><urn:p><urn:o><urn:g>.', `${S} <urn:o> <urn:g> .`],
    // White space may stand between terminals (N-Quads section 4).
    ['spaces around ^^', '<urn:s> <urn:p> "x" ^^\t<urn:t> .', '<urn:s> <urn:p> "x"^^<urn:t> .'],
    ['a space before a language', '<urn:s> <urn:p> "x\\n" @en .', '<urn:s> <urn:p> "x\\n"@en .'],
    ['tabs and spaces', ' \t<urn:s>\t \t<urn:p>  <urn:o>\t.\t ', `${S} <urn:o> .`],
    ['a comment behind', `${S} <urn:o> . # <urn:x> "`, `${S} <urn:o> .`],
    ['a comment at once', `${S} <urn:o>.#`, `${S} <urn:o> .`],
    ['a hash in an IRI', '<urn:s#> <urn:p#x> <urn:o> .', '<urn:s#> <urn:p#x> <urn:o> .'],
    ['all ECHARs', `${S} "\\t\\b\\n\\r\\f\\"\\'\\\\" .`, `${S} "\t\b\\n\\r\f\\"'\\\\" .`],
    ['UCHARs', `${S} "\\u0041\\U0001F600\\u00e9\\u00E9" .`, `${S} "A😀éé" .`],
    ['UCHARs of characters that need an escape', `${S} "\\u000A\\u0022\\u005C" .`, `${S} "\\n\\"\\\\" .`],
    ['UCHARs in an IRI', '<\\u0075rn:\\u00e9\\U0001F600> <urn:p> <urn:o> .', '<urn:é😀> <urn:p> <urn:o> .'],
    ['raw control characters in a string', `${S} "\u0000\u0007\u007f\t" .`, `${S} "\u0000\u0007\u007f\t" .`],
    ['a string with the marks of other terms', `${S} "<urn:x> _:b . # ^^ @en" .`, `${S} "<urn:x> _:b . # ^^ @en" .`],
    ['xsd:string', `${S} "x"^^<http://www.w3.org/2001/XMLSchema#string> .`, `${S} "x" .`],
    ['a datatype after an escape', `${S} "\\n"^^<urn:\\u0074> .`, `${S} "\\n"^^<urn:t> .`],
    ['a language after an escape', `${S} "é"@de-CH-1996 .`, `${S} "é"@de-CH-1996 .`],
    ['a language with a direction', `${S} "x"@ar--rtl .`, `${S} "x"@ar--rtl .`],
    ['a label with dots and digits', '_:0.a..b-c·1. <urn:p> <urn:o> .'.replace('1.', '1'), '_:0 <urn:p> <urn:o> .'],
    ['a label before the dot', `${S} _:b.`, `${S} _:0 .`],
    ['a graph label before the dot', `${S} <urn:o> _:b.`, `${S} <urn:o> _:0 .`],
    ['a label beyond ASCII', `${S} _:é𐐀.`, `${S} _:0 .`],
    [
      'a triple term',
      `${S} <<(<urn:s><urn:p><<( _:a <urn:p> "x"@en )>>)>>.`,
      `${S} <<( <urn:s> <urn:p> <<( _:0 <urn:p> "x"@en )>> )>> .`,
    ],
  ])('%s', async (_, line, expected) => {
    expect(await read(bytesOf(line))).toEqual({ quads: 1, lines: [expected] });
  });

  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
    ['a mixture', '\n\r\r\n\n'],
  ])('lines that end in %s', async (_, end) => {
    const data = `${S} "1" .${end}${S} "2" .${end}# x${end}${end}${S} "3" .`;
    const expected = { quads: 3, lines: ['1', '2', '3'].map((n) => `${S} "${n}" .`) };
    for (const text of [data, data + end, `\ufeff${data}`, end + data])
      expect(await read(bytesOf(text))).toEqual(expected);
  });

  it('subjects that begin alike', async () => {
    const subjects = [
      '<urn:s>',
      '<urn:s>',
      '<urn:s1>',
      '<urn:s>',
      '<urn:\\u0073>',
      '<urn:s12345678>',
      '<urn:s1234567>',
      '<urn:s12345678>',
      `<urn:${'s'.repeat(600)}>`,
      `<urn:${'s'.repeat(600)}>`,
      '<urn:s>',
    ];
    const data = subjects.map((subject, i) => `${subject} <urn:p> "${i}" .`).join('\n');
    const result = await read(bytesOf(data));
    expect(result).toEqual({
      quads: subjects.length,
      lines: subjects.map((subject, i) => `${subject.replace('\\u0073', 's')} <urn:p> "${i}" .`).sort(),
    });
  });

  it('a line of 3 MB, in chunks of every kind of size', async () => {
    const long = bytesOf(`${S} "${'é\\n😀'.repeat(300_000)}"@en <urn:g> .\n${S} "after" .`);
    const source = await emptyWorld();
    await engine.import({ source, data: long });
    const expected = await dataOf(engine, source);
    expect(expected.length).toBeGreaterThan(1_000_000);
    for (const length of [1000, 65_536, 131_072, 1 << 20, (1 << 20) + 1]) {
      const other = await emptyWorld();
      await engine.import({ source: other, data: each(pieces(long, length)) });
      expect((await dataOf(engine, other)) === expected).toBe(true);
    }
  });
});

describe('N-Quads that are not well-formed are INVALID_RDF at their line and column', () => {
  const GOOD = '<urn:s> <urn:p> "é" .\n';
  it.each([
    ['a relative subject', '<s> <urn:p> <urn:o> .', 2],
    ['an empty IRI', '<> <urn:p> <urn:o> .', 2],
    ['a scheme that begins with a digit', '<1a:b> <urn:p> <urn:o> .', 2],
    ['a scheme with an underscore', '<a_b:c> <urn:p> <urn:o> .', 2],
    ['a space in an IRI', '<urn:a b> <urn:p> <urn:o> .', 7],
    ['a quote in an IRI', '<urn:a"b> <urn:p> <urn:o> .', 7],
    ['a control character in an IRI', '<urn:a\u0000b> <urn:p> <urn:o> .', 7],
    ['a bracket in an IRI', '<urn:a<b> <urn:p> <urn:o> .', 7],
    ['an ECHAR in an IRI', '<urn:a\\nb> <urn:p> <urn:o> .', 7],
    ['an escaped space in an IRI', '<urn:a\\u0020b> <urn:p> <urn:o> .', 7],
    ['an escaped bracket in an IRI', '<urn:é\\u003eb> <urn:p> <urn:o> .', 8],
    ['an escaped surrogate in an IRI', '<urn:a\\ud83d\\ude00> <urn:p> <urn:o> .', 7],
    ['an IRI without end', '<urn:s', 7],
    ['an IRI over two lines', '<urn:s\n> <urn:p> <urn:o> .', 7],
    ['a literal subject', '"s" <urn:p> <urn:o> .', 1],
    ['a triple term as subject', '<<( <urn:s> <urn:p> <urn:o> )>> <urn:p> <urn:o> .', 2],
    ['a blank predicate', '<urn:s> _:p <urn:o> .', 9],
    ['a literal predicate', '<urn:s> "p" <urn:o> .', 9],
    ['the keyword a', '<urn:s> a <urn:o> .', 9],
    ['a prefixed name', 'ex:s <urn:p> <urn:o> .', 1],
    ['a directive', '@prefix ex: <urn:x> .', 1],
    ['a number', '<urn:s> <urn:p> 5 .', 17],
    ['single quotes', "<urn:s> <urn:p> 'x' .", 17],
    ['a missing object', '<urn:s> <urn:p> .', 17],
    ['a missing dot', '<urn:s> <urn:p> <urn:o>', 24],
    ['a missing dot before the line end', '<urn:s> <urn:p> <urn:o>\n.', 24],
    ['two dots', '<urn:s> <urn:p> <urn:o> ..', 26],
    ['two statements on a line', '<urn:s> <urn:p> <urn:o> . <urn:s> <urn:p> <urn:o> .', 27],
    ['a literal graph', '<urn:s> <urn:p> <urn:o> "g" .', 25],
    ['two graphs', '<urn:s> <urn:p> <urn:o> <urn:g> <urn:h> .', 33],
    ['an unknown escape', '<urn:s> <urn:p> "a\\x" .', 19],
    ['a line end in a string', '<urn:s> <urn:p> "a\nb" .', 19],
    ['a carriage return in a string', '<urn:s> <urn:p> "a\rb" .', 19],
    ['a string without end', '<urn:s> <urn:p> "a', 19],
    ['a backslash at the end', '<urn:s> <urn:p> "a\\', 19],
    ['too few digits', '<urn:s> <urn:p> "\\u123" .', 18],
    ['too few digits of eight', '<urn:s> <urn:p> "\\U0001F60" .', 18],
    ['a high surrogate alone', '<urn:s> <urn:p> "\\uD83D" .', 18],
    ['a low surrogate alone', '<urn:s> <urn:p> "\\uDE00" .', 18],
    ['a pair of surrogates as escapes', '<urn:s> <urn:p> "\\uD83D\\uDE00" .', 18],
    ['a code point that is none', '<urn:s> <urn:p> "\\U00110000" .', 18],
    ['a language without letters', '<urn:s> <urn:p> "x"@ .', 21],
    ['a language that begins with a digit', '<urn:s> <urn:p> "x"@1 .', 21],
    ['a language that ends in a hyphen', '<urn:s> <urn:p> "x"@en- .', 24],
    ['a language with an underscore', '<urn:s> <urn:p> "x"@en_US .', 23],
    ['an unknown direction', '<urn:s> <urn:p> "x"@en--up .', 24],
    ['one caret', '<urn:s> <urn:p> "x"^<urn:t> .', 20],
    ['a relative datatype', '<urn:s> <urn:p> "x"^^<t> .', 23],
    ['rdf:langString', '<urn:s> <urn:p> "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .', 22],
    ['language and datatype', '<urn:s> <urn:p> "x"@en^^<urn:t> .', 23],
    ['a label without name', '_: <urn:p> <urn:o> .', 3],
    ['a label with a space', '_ :b <urn:p> <urn:o> .', 1],
    ['a label that begins with a hyphen', '_:-b <urn:p> <urn:o> .', 3],
    ['a label with a colon', '_:a:b <urn:p> <urn:o> .', 4],
    ['a triple term without end', '<urn:s> <urn:p> <<( <urn:s> <urn:p> <urn:o> .', 45],
    ['a quoted triple of RDF-star', '<urn:s> <urn:p> << <urn:s> <urn:p> <urn:o> >> .', 17],
    ['a comment in the middle', '<urn:s> <urn:p> # x', 17],
    ['text', 'oops', 1],
    ['a NUL', '\u0000', 1],
    ['a byte-order mark in the middle', '\ufeff<urn:s> <urn:p> <urn:o> .', 1],
  ])('%s', async (_, bad, column) => {
    for (const end of ['\n', '\r\n', '\r']) {
      const document = GOOD.replace('\n', end).repeat(2) + bad + end + GOOD;
      for (const length of [document.length * 2, 1, 7]) {
        const result = await read(each(pieces(bytesOf(document), length)));
        expect(result).toMatchObject({ code: 'INVALID_RDF', location: { line: 3, column } });
      }
    }
    expect(await read(bytesOf(`# first\n${bad}`))).toMatchObject({ location: { line: 2, column } });
  });

  it.each([
    ['a byte that begins nothing', [0xff]],
    ['a continuation alone', [0x80]],
    ['a character cut short', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an overlong NUL', [0xe0, 0x80, 0x80]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
  ])('bytes that are not UTF-8: %s, in a string, an IRI, a label and a comment', async (_, bad) => {
    for (const [before, after] of [
      ['<urn:s> <urn:p> "a', '" .'],
      ['<urn:s> <urn:p> <urn:', '> .'],
      ['<urn:s> <urn:p> _:a', ' .'],
      ['#', ''],
    ]) {
      const document = Uint8Array.from([...bytesOf(GOOD + before), ...bad, ...bytesOf(`${after}\n${GOOD}`)]);
      for (const length of [document.length, 1, 3]) {
        const result = await read(each(pieces(document, length)));
        expect(result).toMatchObject({ code: 'INVALID_RDF', location: { line: 2, column: before.length + 1 } });
      }
    }
  });

  it('a graph in N-Triples', async () => {
    const result = await read(bytesOf('<urn:s> <urn:p> <urn:o> <urn:g> .'), 'application/n-triples');
    expect(result).toMatchObject({ location: { line: 1, column: 25 }, message: expect.stringContaining('N-Triples') });
  });
});

describe('the cut of the chunks', () => {
  const token = fc.constantFrom(
    '<urn:s>',
    '<urn:\\u00e9>',
    '_:b.c',
    '"é\\n"',
    '"x"@en',
    '"1"^^<urn:t>',
    '<<( <urn:s> <urn:p> _:b )>>',
    '<bad',
    '"',
    '@',
    '^^',
    '.',
    '#é',
    '\\',
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\ufeff',
    'é',
    '\u0000',
  );
  const line = fc
    .tuple(fc.constantFrom('<urn:s>', '_:a', '<urn:s2>'), token, fc.constantFrom('.', '<urn:g> .', '_:g .', '. # é'))
    .map(([s, o, rest]) => `${s} <urn:p> ${o} ${rest}`);
  const document = fc
    .array(fc.oneof({ weight: 4, arbitrary: line }, { weight: 1, arbitrary: token }), { maxLength: 12 })
    .chain((parts) =>
      fc
        .array(fc.constantFrom('\n', '\r', '\r\n', ' '), { minLength: parts.length, maxLength: parts.length })
        .map((ends) => parts.map((part, i) => part + ends[i]).join('')),
    );

  it('makes no difference, to quads or to errors', async () => {
    await fc.assert(
      fc.asyncProperty(document, fc.array(fc.nat(), { maxLength: 12 }), async (text, cuts) => {
        const bytes = bytesOf(text);
        const whole = await read(bytes);
        expect(await read(each(pieces(bytes, 1)))).toEqual(whole);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const parts = places.slice(1).map((end, i) => bytes.subarray(places[i], end));
        expect(await read(each(parts))).toEqual(whole);
      }),
      { numRuns: 300 },
    );
  });
});

describe('output is read back unchanged', () => {
  const HOSTILE = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(...HOSTILE_STRINGS),
    fc
      .array(fc.constantFrom('"', '\\', '\n', '\r', '\t', '\\u0041', '>', '.', '😀', '\u0000', '\u2028'), {
        maxLength: 8,
      })
      .map((parts) => parts.join('')),
  );
  const iri = HOSTILE.map((text) => namedNode(`urn:${encodeURI(text.toWellFormed())}é`)).filter(({ value }) =>
    isAbsoluteIri(value),
  );
  const object = fc.oneof(
    HOSTILE.map((text) => literal(text.toWellFormed())),
    fc
      .tuple(HOSTILE, fc.constantFrom('en', 'EN', 'de-CH-1996'))
      .map(([text, language]) => literal(text.toWellFormed(), language)),
    fc.tuple(HOSTILE, iri).map(([text, datatype]) => literal(text.toWellFormed(), datatype)),
    iri,
  );
  const quads = fc.array(
    fc.tuple(iri, iri, object, fc.oneof(fc.constant(defaultGraph()), iri)).map(([s, p, o, g]) => quad(s, p, o, g)),
    { maxLength: 12 },
  );

  it('by this library', async () => {
    await fc.assert(
      fc.asyncProperty(quads, async (data) => {
        const [source, copy] = [await emptyWorld(), await emptyWorld()];
        const { inserted } = await engine.import({ source, data });
        const document = await engine.export({ source });
        expect(await engine.import({ source: copy, data: document })).toMatchObject({ quads: inserted, inserted });
        expect(await engine.write({ source: copy, delete: data })).toMatchObject({ deleted: inserted });
        expect(await dataOf(engine, copy)).toBe('');
      }),
      { numRuns: 150 },
    );
  });

  it('by n3, which is another one', async () => {
    await fc.assert(
      fc.asyncProperty(quads, async (data) => {
        const source = await emptyWorld();
        const { inserted } = await engine.import({ source, data });
        const theirs = new Parser({ format: 'N-Quads' }).parse(await dataOf(engine, source));
        expect(theirs).toHaveLength(inserted);
        const writer = new Writer({ format: 'N-Quads' });
        // n3 lowers language tags.
        const same = theirs.map((one) => DataFactory.quad(one.subject, one.predicate, one.object, one.graph));
        for (const one of same) writer.addQuad(one);
        const text = await new Promise<string>((resolve, reject) =>
          writer.end((error, result) => (error ? reject(error) : resolve(result))),
        );
        const copy = await emptyWorld();
        await engine.import({ source: copy, data: text });
        const lower = (lines: string[]) =>
          lines
            .map((line) => line.replace(/"@[A-Za-z0-9-]+(?= (<urn:[^ ]*> )?\.$)/, (tag) => tag.toLowerCase()))
            .sort();
        expect([...new Set(lower(await linesOf(engine, copy)))]).toEqual([
          ...new Set(lower(await linesOf(engine, source))),
        ]);
      }),
      { numRuns: 80 },
    );
  });

  it('with blank nodes and triple terms, twice', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [first, second, third] = [await emptyWorld(), await emptyWorld(), await emptyWorld()];
      const { inserted } = await engine.import({ source: first, data: randomQuads(seed, { tripleTerms: true }) });
      await engine.import({ source: second, data: engine.exportStream({ source: first }) });
      await engine.import({ source: third, data: engine.quads({ source: second }) });
      const lines = await linesOf(engine, first);
      expect(lines).toHaveLength(inserted);
      expect(await linesOf(engine, second)).toEqual(lines);
      expect(await linesOf(engine, third)).toEqual(lines);
    }
  });

  it('with texts of every length around the size of a chunk, and more predicates than are remembered', async () => {
    const subject = namedNode('urn:s');
    const around = (size: number) => Array.from({ length: 24 }, (_, i) => 'x"\\'.repeat(size).slice(0, size - 12 + i));
    const data = [
      ...[100, 3000, 1 << 16, 1 << 17].flatMap(around).map((text) => quad(subject, namedNode('urn:p'), literal(text))),
      ...around(70_000).map((text) => quad(namedNode(`urn:${'y'.repeat(text.length)}`), namedNode('urn:p'), subject)),
      ...Array.from({ length: 600 }, (_, i) =>
        quad(subject, namedNode(`urn:p${i % 300}`), literal(`${i}`), namedNode(`urn:g${i}`)),
      ),
    ];
    const [source, copy] = [await emptyWorld(), await emptyWorld()];
    await engine.import({ source, data });
    const lines = await linesOf(engine, source);
    const expected = data.map(({ subject: s, predicate, object, graph }) => {
      const value =
        object.termType === 'Literal'
          ? `"${object.value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
          : `<${object.value}>`;
      return `<${s.value}> <${predicate.value}> ${value} ${graph.value ? `<${graph.value}> ` : ''}.`;
    });
    expect(lines).toEqual(expected.sort());
    await engine.import({ source: copy, data: engine.exportStream({ source }) });
    expect(await linesOf(engine, copy)).toEqual(lines);
  });
});
