import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { readN3, readTrig, readTurtle } from '../../src/formats/n3-reader.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';
import { ArraySink } from './array-sink.ts';
import { lines, readDocument, readError } from './documents.ts';

const READERS = { Turtle: readTurtle, TriG: readTrig, N3: readN3 } as const;
const PREFIX = '@prefix : <http://ex/> .\n';

const values = (quads: Awaited<ReturnType<typeof readDocument>>) =>
  quads.map(({ subject, predicate, object, graph }) => [subject, predicate, object, graph].map(({ value }) => value));

describe.each(Object.entries(READERS))('%s', (name, read) => {
  it.each([1, 3, 64, 1e9])('reads the same from chunks of %i bytes', async (chunkSize) => {
    const text = `\ufeff${PREFIX}:é :p "\u{1f600}"@en-GB, 1, 1.0, 1e0, true, 'x'^^:t ; a :C .\n[] :p (1 _:x [ :q _:x ]) . # end`;
    expect(lines(await readDocument(read, text, { chunkSize }))).toEqual(lines(await readDocument(read, text)));
    expect(await readDocument(read, text, { chunkSize })).toHaveLength(15);
  });

  it('keeps lexical forms as they are, and language tags in the usual case', async () => {
    const quads = await readDocument(read, `${PREFIX}:s :p 01, +1.0, 1E0, "a"@EN-gb, "\\u00e9" .`);
    expect(quads.map(({ object }) => object.value)).toEqual(['01', '+1.0', '1E0', 'a', 'é']);
    expect(quads[3].object).toMatchObject({ language: 'en-GB' });
  });

  it('distinguishes generated blank nodes from labels, and treats a label inside [] or () like any other', async () => {
    const text = `${PREFIX}_:g1 :p [] . _:n3-0 :p [ :q _:g1 ], ( _:g1 ) . _:b0 :p _:b0_b0 .`;
    const quads = await readDocument(read, text);
    const labels = new Set(
      quads
        .flatMap(({ subject, object }) => [subject, object])
        .flatMap((term) => (term.termType === 'BlankNode' ? [term.value] : [])),
    );
    // g1, n3-0, b0, b0_b0, and three without a label
    expect(labels.size).toBe(7);
    const nested = quads.filter(
      ({ predicate, object }) => /q$|first$/.test(predicate.value) && object.termType === 'BlankNode',
    );
    expect(nested.map(({ object }) => object.value)).toEqual([quads[0].subject.value, quads[0].subject.value]);
  });

  it('resolves against the base, and @base against it', async () => {
    const text = '<a> <#b> <> . @base <c/> . <d> <#e> <../f> .';
    expect(values(await readDocument(read, text, { baseIri: 'http://h/x/y' }))).toEqual([
      ['http://h/x/a', 'http://h/x/y#b', 'http://h/x/y', ''],
      ['http://h/x/c/d', 'http://h/x/c/#e', 'http://h/x/f', ''],
    ]);
  });

  it('resolves against a URN', async () => {
    const [[subject, predicate, object]] = values(await readDocument(read, '<a> <#b> <?c> .', { baseIri: 'urn:x:y' }));
    expect([subject, predicate, object]).toEqual(['urn:a', 'urn:x:y#b', 'urn:x:y?c']);
  });

  it.each([
    ['a prefix that Turtle does not have', '@prefix _: <http://x/> . _:a _:b 1 .', 1, undefined, /prefix|_:/],
    ['a relative IRI that looks absolute', '@base <http://h/> . <1:a> <http://p> 1 .', 1, undefined, /IRI/],
    ['a relative IRI without a base', '<a> <http://p> 1 .', 1, 1, /relative/],
    ['a relative IRI in a prefix', '@prefix p: <x#> .', 1, 12, /relative/],
    ['a relative datatype', '<http://s> <http://p>\n "1"^^<t> .', 2, undefined, /relative/],
    ['an IRI with a space', '<http://s s> <http://p> 1 .', 1, 1, /IRI/],
    ['an escaped space in an IRI', '<http://s> <http://p> <http://\\u0020> .', 1, undefined, /IRI/],
    ['an escaped > in an IRI', '<http://s> <http://p> <http://o\\u003e> .', 1, undefined, /IRI/],
    ['a surrogate escape', '<http://s> <http://p> "\\ud800" .', 1, undefined, /string|escape/],
    ['an unknown prefix', 'a:b <http://p> 1 .', 1, 1, /prefix "a:"/],
    ['a variable', '<http://s> <http://p> ?x .', 1, undefined, /variable/],
    ['a blank node as predicate', '<http://s> _:p 1 .', 1, undefined, /blank|predicate/i],
    ['a cut-off statement', '<http://s> <http://p>', 1, undefined, /./],
    ['a missing last dot', '<http://s> <http://p> 1', 1, undefined, /./],
    ['a cut-off string', '<http://s> <http://p> "abc', 1, undefined, /./],
    ['a cut-off long string', '<http://s> <http://p> """abc\n\n"', undefined, undefined, /./],
    ['a cut-off IRI', '<http://s> <http://p', 1, undefined, /./],
    ['an open [', '<http://s> <http://p> [ <http://q> 1 .', 1, undefined, /./],
    ['an open (', '<http://s> <http://p> ( 1 .', 1, undefined, /./],
    ['a closed ] that was not open', '<http://s> <http://p> 1 ] .', 1, undefined, /./],
    ['a language tag that is none', '<http://s> <http://p> "a"@toolongsubtag .', 1, undefined, /tag/],
    [
      'rdf:langString without a language',
      '<http://s> <http://p> "a"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .',
      1,
      undefined,
      /lang/,
    ],
    ['a NUL', '<http://s> \u0000 .', 1, undefined, /./],
    ['HTML', '<!DOCTYPE html>\n<html></html>', 1, 1, /./],
  ])('refuses %s', async (_, text, line, column, message) => {
    for (const chunkSize of [1, 1e9]) {
      const error = await readError(read, text, { chunkSize });
      expect(error.code).toBe('INVALID_RDF');
      expect(error.message).toMatch(message);
      expect(error.message).toContain(name);
      expect(error.message).not.toContain('undefined');
      expect(error.location).toMatchObject({ ...(line && { line }), ...(column && { column }) });
    }
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('<http://s> <http://p> "'), Buffer.from([0xff]), Buffer.from('" .')]);
    expect(await readError(read, bytes)).toMatchObject({ code: 'INVALID_RDF', location: { line: 1, column: 24 } });
  });

  it('refuses a base that is not absolute', async () => {
    expect(await readError(read, '', { baseIri: 'x' })).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it.each(['', ' \n', '# comment', '\ufeff'])('reads the empty document %j', async (text) => {
    expect(await readDocument(read, text)).toEqual([]);
  });

  it.each([
    ['[ ... ] closed', (depth: number) => `${PREFIX}:s :p ${'[ :p '.repeat(depth)}1${' ]'.repeat(depth)} .`, 20_001],
    ['( ... ) closed', (depth: number) => `${PREFIX}:s :p ${'( '.repeat(depth)}1${' )'.repeat(depth)} .`, 40_001],
  ])('reads 20,000 levels of %s', async (_, text, quads) => {
    expect(await readDocument(read, text(20_000))).toHaveLength(quads);
  });

  it.each(['[', '(', '{', '<<', '<<(', '[:p '])('survives 20,000 times %j', async (opening) => {
    const error = await readError(read, `${PREFIX}:s :p ${opening.repeat(20_000)}`);
    expect(error.code).toBe('INVALID_RDF');
  });

  it('passes on errors of the sink, and adds the location only to INVALID_RDF', async () => {
    const failing = (thrown: unknown) => {
      const sink = new ArraySink();
      sink.addQuad = () => {
        throw thrown;
      };
      const text = new TextEncoder().encode(`${PREFIX}:s :p 1 .`);
      return read(
        (async function* () {
          yield text;
        })(),
        sink,
        { slicer: new Slicer() },
      ).catch((error: unknown) => error);
    };
    const full = new WorldsError('LIMIT_EXCEEDED', 'full');
    expect(await failing(full)).toBe(full);
    expect(await failing(new WorldsError('INVALID_RDF', 'bad term'))).toMatchObject({ location: { line: 2 } });
  });

  it('stops at the signal', async () => {
    const controller = new AbortController();
    async function* endless() {
      yield new TextEncoder().encode(PREFIX);
      for (let i = 0; ; i++) {
        if (i === 5) controller.abort();
        yield new TextEncoder().encode(`:s :p ${i} .\n`);
      }
    }
    const sink = new ArraySink();
    const reading = read(endless(), sink, { slicer: new Slicer(controller.signal), signal: controller.signal });
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    expect(sink.length).toBeLessThan(7);
  });
});

describe('Turtle', () => {
  it.each([
    ['a named graph', `${PREFIX}:g { :s :p 1 }`],
    ['a default graph in braces', `${PREFIX}{ :s :p 1 }`],
    ['GRAPH', `${PREFIX}GRAPH :g { :s :p 1 }`],
    ['a fourth term', `${PREFIX}:s :p :o :g .`],
    ['a literal subject', `${PREFIX}"s" :p 1 .`],
    ['=', `${PREFIX}:s = :o .`],
    ['a path', `${PREFIX}:s!:p :q 1 .`],
  ])('refuses %s', async (_, text) => {
    expect(await readError(readTurtle, text)).toMatchObject({ code: 'INVALID_RDF', location: { line: 2 } });
  });

  it('reads triple terms and reifiers of RDF 1.2', async () => {
    const quads = await readDocument(readTurtle, `${PREFIX}:s :p <<( :a :b :c )>> . :s :p :o {| :q 1 |} .`);
    expect(quads[0].object).toMatchObject({ termType: 'Quad', subject: { value: 'http://ex/a' } });
    expect(quads).toHaveLength(4);
  });

  it('refuses triple terms that nest too deep', async () => {
    const text = `${PREFIX}:s :p ${'<<( :a :b '.repeat(20_000)}1${' )>>'.repeat(20_000)} .`;
    expect(await readError(readTurtle, text)).toMatchObject({ code: 'INVALID_RDF', location: { line: 2 } });
  });
});

describe('TriG', () => {
  it('reads named graphs, by blank nodes too', async () => {
    const text = `${PREFIX}:s :p 1 . { :s :p 2 } :g { :s :p 3 } GRAPH _:g { :s :p 4 } _:g { :s :p 5 } [] { :s :p 6 }`;
    const quads = await readDocument(readTrig, text);
    expect(quads.map(({ graph }) => graph.termType)).toEqual([
      'DefaultGraph',
      'DefaultGraph',
      'NamedNode',
      'BlankNode',
      'BlankNode',
      'BlankNode',
    ]);
    expect(quads[3].graph.value).toBe(quads[4].graph.value);
    expect(quads[3].graph.value).not.toBe(quads[5].graph.value);
  });

  it.each([
    ['graphs in graphs', `${PREFIX}:g { :h { :s :p 1 } }`],
    ['an open graph', `${PREFIX}:g { :s :p 1`],
    ['a literal as graph', `${PREFIX}"g" { :s :p 1 }`],
    ['a prefix in a graph', `${PREFIX}:g { @prefix a: <http://a> . }`],
  ])('refuses %s', async (_, text) => {
    expect(await readError(readTrig, text)).toMatchObject({ code: 'INVALID_RDF', location: { line: 2 } });
  });
});

describe('N3', () => {
  it('reads RDF that is not Turtle', async () => {
    const text = `${PREFIX}:a = :b . :a is :p of :b . :a!:p :q 1 .`;
    expect(values(await readDocument(readN3, text))).toHaveLength(4);
  });

  it('has an empty prefix for the document itself, until one is declared', async () => {
    const base = { baseIri: 'https://example.org/dir/doc' };
    const own = await readDocument(readN3, '@base <https://example.org/other> . :a :p <#b> .', base);
    expect(values(own)).toEqual(
      values(await readDocument(readTurtle, `@prefix : <${base.baseIri}#> . :a :p <https://example.org/other#b> .`)),
    );
    const declared = await readDocument(readN3, '@prefix : <urn:x:> . :a :p :b .', base);
    expect(declared[0]?.subject.value).toBe('urn:x:a');
    // Without a base it is as relative as <#a>.
    expect((await readError(readN3, ':a :p 1 .')).message).toMatch(/relative/);
    expect((await readError(readTurtle, ':a :p 1 .', base)).message).toMatch(/prefix/);
  });

  it.each([
    ['a rule', `${PREFIX}{ :a :b :c } => { :d :e :f } .`, /formula|rule/],
    ['a rule between IRIs', `${PREFIX}:a => :b .`, /rule/],
    ['a rule backwards', `${PREFIX}:a <= :b .`, /rule/],
    ['a formula', `${PREFIX}:a :says { :b :c :d } .`, /formula/],
    ['an empty formula', `${PREFIX}:a :says {} .`, /formula/],
    ['a variable', `${PREFIX}?x :p 1 .`, /variable/],
    ['@forAll', `${PREFIX}@forAll :x . :x :p 1 .`, /quantifier/],
    ['@forSome', `${PREFIX}@forSome :x . :x :p 1 .`, /quantifier/],
    ['a literal subject', `${PREFIX}1 :p 1 .`, /subject/],
    ['a literal predicate', `${PREFIX}:s "p" 1 .`, /predicate/],
    ['a list predicate', `${PREFIX}:s (1) 1 .`, /predicate/],
  ])('refuses %s', async (_, text, message) => {
    const error = await readError(readN3, text);
    expect(error).toMatchObject({ code: 'INVALID_RDF', location: { line: 2 } });
    expect(error.message).toMatch(message);
  });
});
