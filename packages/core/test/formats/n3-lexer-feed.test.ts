import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { findFormat } from '../../src/formats/rdf-formats.ts';
import { TokenEnd } from '../../src/formats/token-end.ts';
import { ArraySink } from './array-sink.ts';
import { chunksOf, readDocument, readError } from './documents.ts';

const readTurtle = findFormat('text/turtle')!.read!;

/** Reads a document with a pause after every piece. Returns the most quads of one piece. */
async function mostQuadsOfAPiece(document: string): Promise<number> {
  const sink = new ArraySink();
  let most = 0;
  let before = 0;
  const look = () => {
    most = Math.max(most, sink.length - before);
    before = sink.length;
  };
  class EagerSlicer extends Slicer {
    override get due(): boolean {
      return true;
    }
    override async pause(): Promise<void> {
      look();
    }
  }
  await readTurtle(chunksOf(document), sink, { slicer: new EagerSlicer() });
  look();
  expect(sink.length).toBeGreaterThan(8_000);
  return most;
}

const ITEMS = '1 '.repeat(8_000);
const CLOSED = `${'('.repeat(8_000)}${')'.repeat(8_000)}`;

describe('text behind a long token', () => {
  it.each([
    ['an IRI', `<urn:${'x'.repeat(30_000)}>`],
    ['an IRI of escapes', `<urn:${'\\u0041'.repeat(6_000)}>`],
    ['a string', `"${'x'.repeat(30_000)}"`],
    ['a string of escaped quotes', `"${'\\"'.repeat(15_000)}"`],
    ['a string of three quotes', `"""${'x""\n'.repeat(8_000)}"""`],
    ['a string of apostrophes', `'${'"'.repeat(30_000)}'`],
    ['a prefixed name', `p:${'x'.repeat(30_000)}`],
    ['a prefixed name of escapes', `p:${'\\,'.repeat(15_000)}`],
    ['a blank node', `_:${'x'.repeat(30_000)}`],
    ['a number', '1'.repeat(30_000)],
    ['a comment', `1 #${'x'.repeat(30_000)}\n`],
    ['a comment with a carriage return', `1 #${'x'.repeat(30_000)}\r`],
  ])('is read in pieces: %s', async (_, token) => {
    const head = '@prefix p: <urn:p> . <urn:s> <urn:p>';
    expect(await mostQuadsOfAPiece(`${head} ${token}, (${ITEMS}) .`)).toBeLessThanOrEqual(2048);
  });

  it('is read in pieces however deep it is', async () => {
    const token = `<urn:${'x'.repeat(30_000)}>`;
    expect(await mostQuadsOfAPiece(`<urn:s> <urn:p> ${token}, ${CLOSED} .`)).toBeLessThanOrEqual(4096);
  });
});

describe('a long token', () => {
  const long = (text: string) => text.repeat(1 + 5_000 / text.length);
  const TOKENS: readonly (readonly [string, string])[] = [
    [`<urn:${long('x')}>`, `urn:${long('x')}`],
    [`<urn:${long('\\u0041')}>`, `urn:${long('\\u0041').replaceAll('\\u0041', 'A')}`],
    [`<urn:${long('\u{1F600}')}>`, `urn:${long('\u{1F600}')}`],
    [`"${long('a\\"')}"`, long('a\\"').replaceAll('\\', '')],
    [`'${long("a\\'")}'`, long("a\\'").replaceAll('\\', '')],
    [`"""${long('a"" b"\n')}"""`, long('a"" b"\n')],
    [`'''${long("a''\r\n")}'''`, long("a''\r\n")],
    [`"${long('\\\\')}"`, long('\\\\').replaceAll('\\\\', '\\')],
    [
      `"${long('x\\U0001F600\\t')}"`,
      long('x\\U0001F600\\t').replaceAll('\\U0001F600', '\u{1F600}').replaceAll('\\t', '\t'),
    ],
    [`"""${long('\\n')}\r\n"" \\""""`, `${long('\\n').replaceAll('\\n', '\n')}\r\n"" "`],
    [`p:${long('a.\\,')}`, `urn:${long('a.\\,').replaceAll('\\', '')}`],
    [`#${long('<"#')}\n"a"`, 'a'],
    [`#${long("<'#")}\r\n"b"`, 'b'],
    [`#${long(' ')}\r"c"`, 'c'],
    [long('12'), long('12')],
    [`"x"^^<urn:${long('x')}>`, 'x'],
    [`"x"@en${long('-x').slice(0, 900)}`, 'x'],
  ];

  it.each([1, 7, 100, 1000, 1025, 4096])('is read as it stands from chunks of %s bytes', async (chunkSize) => {
    const document = `@prefix p: <urn:> .\n${TOKENS.map(([token]) => `<urn:s> <urn:p> ${token} .`).join('\n')}`;
    const quads = await readDocument(readTurtle, document, { chunkSize });
    expect(quads.map(({ object }) => object.value)).toEqual(TOKENS.map(([, value]) => value));
  });

  it('may have a language or a datatype', async () => {
    const text = `"${long('x')}"`;
    const document = `<urn:s> <urn:p> ${text}@en, ${text} ^^<urn:t>, "x" ^^ "${long('y')}" .`;
    const quads = await readDocument(readTurtle, document.replace(/, "x".*/, '.'), { chunkSize: 100 });
    expect(
      quads.map(({ object }) => [(object as RDF.Literal).language, (object as RDF.Literal).datatype.value]),
    ).toEqual([
      ['en', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'],
      ['', 'urn:t'],
    ]);
    expect(await readError(readTurtle, document, { chunkSize: 100 })).toMatchObject({ code: 'INVALID_RDF' });
  });

  it.each([
    ['on one line', `"${long('x')}"`, 1, 1],
    ['of lines', `"""${long('x\n')}abc"""`, 1 + 2_501, 7],
    ['of lines that end with CR LF', `'''${long('x\r\n')}a\n'''`, 1 + 1_668, 4],
    ['of escaped line breaks', `"""${long('\\n')}"""`, 1, 1],
  ])('counts as many lines as it has: %s', async (_, text, line, column) => {
    const at = (error: { location?: unknown }) => error.location;
    const short = `<urn:s> <urn:p> ${text} <`;
    const columns = line === 1 ? short.length : column + 1;
    for (const chunkSize of [100, 1000, 100_000])
      expect(at(await readError(readTurtle, `${short}urn:o> .`, { chunkSize }))).toEqual({ line, column: columns });
  });

  it.each([
    ['an IRI with a space', `<urn:${long('x')} ${long('x')}> .\n<urn:s> <urn:p> <urn:o> .`, 1],
    ['a string with a line break', `"${long('x')}\n${long('x')}" .`, 1],
    ['an IRI without an end', `<urn:${long('x')}`, 1],
    ['a string without an end', `"""${long('x\n')}`, 1],
    ['a name without a colon', `${long('x')} .\n<urn:s> <urn:p> <urn:o> .`, 1],
  ])('is refused where it is malformed: %s', async (_, token, line) => {
    for (const chunkSize of [100, 1000, 100_000]) {
      const error = await readError(readTurtle, `<urn:s> <urn:p> ${token}`, { chunkSize });
      expect(error).toMatchObject({ code: 'INVALID_RDF', location: { line } });
    }
  });
});

describe('TokenEnd', () => {
  const ends = (token: string, text: string) => new TokenEnd(token).find(text);

  it('is behind what closes a token', () => {
    expect(ends('<ab', 'c>d')).toBe(2);
    expect(ends('"ab', 'c"d')).toBe(2);
    expect(ends("'ab", 'c"\'d')).toBe(3);
    expect(ends('"""', 'c"d""e"""f')).toBe(9);
    expect(ends('abc', 'de,f')).toBe(3);
    expect(ends('#ab', 'c>"\nd')).toBe(4);
  });

  it('is not behind what is escaped', () => {
    expect(ends('"ab', '\\"\\\\"')).toBe(5);
    expect(ends('"""', '\\""""')).toBe(5);
    expect(ends('p:a', '\\,\\,')).toBe(-1);
  });

  it('is behind a line break, but for long strings', () => {
    for (const token of ['<ab', '"ab', 'abc', '#ab']) {
      expect(ends(token, 'c\nd')).toBe(2);
      expect(ends(token, 'c\r\nd')).toBe(3);
    }
    expect(ends('"""', 'c\nd')).toBe(-1);
  });

  it('continues in the next text', () => {
    const strings = new TokenEnd("'''");
    expect(["a'", "'b\\", "'''", "'c"].map((text) => strings.find(text))).toEqual([-1, -1, -1, 1]);
    const comments = new TokenEnd('#ab');
    expect(['a\r', '\nb'].map((text) => comments.find(text))).toEqual([-1, 1]);
  });
});
