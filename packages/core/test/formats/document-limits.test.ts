import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import type { RdfFormat } from '../../src/formats/rdf-format.ts';
import { findFormat } from '../../src/formats/rdf-formats.ts';
import { IriBase, resolveIri } from '../../src/model/iri.ts';
import { type RequestLimits, requestLimits } from '../../src/model/request-limits.ts';
import { ArraySink } from './array-sink.ts';
import { chunksOf, readDocument, readError } from './documents.ts';

type Reader = NonNullable<RdfFormat['read']>;
const reader = (type: string): Reader => findFormat(type)!.read!;
const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const LONG = 'x'.repeat(60_000);
const list = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => item(i)).join(',');

/** A megabyte or less that would be gigabytes if every name in it were written in full. */
const EXPANDING: readonly (readonly [string, string, string])[] = [
  ['a Turtle prefix', 'text/turtle', `@prefix a: <http://e/${LONG}>.\n${'a:a a:b a:c.\n'.repeat(2_000)}`],
  ['a Turtle base', 'text/turtle', `@base <http://e/${LONG}/>.\n${'<a> <b> <../c>.\n'.repeat(2_000)}`],
  [
    'a Turtle base of many segments',
    'text/turtle',
    `@base <http://e/${'a/'.repeat(30_000)}>.\n${'<a> <b> <../c>.\n'.repeat(2_000)}`,
  ],
  ['Turtle bases relative to one another', 'text/turtle', `@base <http://e/>.\n${'@base <a/>.\n'.repeat(10_000)}`],
  ['a TriG prefix', 'application/trig', `@prefix a: <http://e/${LONG}>.\n${'a:a { a:a a:b a:c }\n'.repeat(2_000)}`],
  ['an N3 prefix', 'text/n3', `@prefix a: <http://e/${LONG}>.\n${'a:a a:b a:c.\n'.repeat(2_000)}`],
  [
    'an xml:base',
    'application/rdf+xml',
    `<rdf:RDF ${RDF} xmlns:e="u:" xml:base="http://e/${LONG}/">${'<e:a rdf:about="b"/>'.repeat(2_000)}</rdf:RDF>`,
  ],
  [
    'an XML namespace',
    'application/rdf+xml',
    `<rdf:RDF ${RDF} xmlns:e="u:${LONG}">${'<e:a/>'.repeat(2_000)}</rdf:RDF>`,
  ],
  [
    'a namespace in an XML literal',
    'application/rdf+xml',
    `<rdf:RDF ${RDF} xmlns:e="u:${LONG}"><rdf:Description><rdf:value rdf:parseType="Literal">${'<e:a/>'.repeat(2_000)}</rdf:value></rdf:Description></rdf:RDF>`,
  ],
  [
    'a JSON-LD prefix',
    'application/ld+json',
    `{"@context":{"a":"http://e/${LONG}/"},"@graph":[${list(2_000, (i) => `{"@id":"a:${i}","a:b":1}`)}]}`,
  ],
  [
    'a JSON-LD @vocab',
    'application/ld+json',
    `{"@context":{"@vocab":"http://e/${LONG}/"},"@graph":[${list(2_000, () => '{"a":1}')}]}`,
  ],
  [
    'a JSON-LD @base',
    'application/ld+json',
    `{"@context":{"@base":"http://e/${LONG}/"},"@graph":[${list(10_000, (i) => `{"@id":"${i}","u:b":1}`)}]}`,
  ],
  [
    'an index that is a property',
    'application/ld+json',
    `{"@context":{"@vocab":"http://e/","p":{"@container":"@index","@index":"q"}},"p":{"${LONG}":[${list(2_000, () => '{}')}]}}`,
  ],
  [
    'an @id map',
    'application/ld+json',
    `{"@context":{"@vocab":"http://e/","p":{"@container":"@id"}},"p":{"_:${LONG}":[${list(2_000, () => '{}')}]}}`,
  ],
];

describe('expansion of a document by prefixes and bases', () => {
  it.each(EXPANDING)('is bounded: %s', async (_, type, document) => {
    const sink = new ArraySink();
    const limits = requestLimits({ maxIriLength: 100_000 });
    const reading = reader(type)(chunksOf(document), sink, { slicer: new Slicer(), limits });
    await expect(reading).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxExpansionBytes'),
      ...(type.includes('json') ? {} : { location: expect.anything() }),
    });
    expect(sink.length).toBeLessThan(500);
  });

  it.each([
    ['text/turtle', '@prefix a: <http://example.org/a/vocabulary/of/usual/length#> .\n', 'a:s a:p a:o.\n'],
    ['text/turtle', '@base <http://example.org/a/base/of/usual/length/> .\n', '<s> <p> <o>.\n'],
  ])('does not hinder a document of %s', async (type, head, statement) => {
    const limits = requestLimits({ maxExpansionBytes: 1, maxExpansionFactor: 1 });
    expect(await readDocument(reader(type), head + statement.repeat(1000), { limits })).toHaveLength(1000);
  });
});

describe('short text that makes much work', () => {
  it.each([
    ['a wide collection', `<urn:s> <urn:p> (${'1 '.repeat(40_000)}) .`],
    [
      'a long base',
      `@base <http://e/${'x/'.repeat(4_000)}> . ${list(1_500, (i) => `<${i}> <p> 1 .`).replaceAll(',', ' ')}`,
    ],
    ['a base that grows', `@base <http://e/${'x/'.repeat(4_000)}> . ${'@base <a/> . '.repeat(700)}`],
  ])('is parsed in pieces: %s', async (_, document) => {
    // Always due: each piece is a pause.
    let pauses = 0;
    const slicer = Object.assign(Object.create(Slicer.prototype), {
      pause: async () => void pauses++,
    }) as Slicer;
    Object.defineProperty(slicer, 'due', { value: true });
    const limits = requestLimits({ maxExpansionBytes: Number.POSITIVE_INFINITY });
    await reader('text/turtle')(chunksOf(document), new ArraySink(), { slicer, limits });
    expect(pauses).toBeGreaterThan(30);
  });

  it('is read as it stands where pieces end inside of characters', async () => {
    const items = list(5_000, (i) => `"${'\u{1F600}'.repeat(1 + (i % 3))}"`);
    const quads = await readDocument(reader('text/turtle'), `<urn:s> <urn:p> ( ${items.replaceAll(',', ' ')} ) .`);
    const texts = quads.map(({ object }) => object.value).filter((text) => text.includes('\u{1F600}'));
    expect(texts).toEqual(Array.from({ length: 5_000 }, (_, i) => '\u{1F600}'.repeat(1 + (i % 3))));
  });
});

describe('long strings of escapes', () => {
  const read = (escapes: string) => readDocument(reader('text/turtle'), `<urn:s> <urn:p> "${escapes}" .`);
  it('are read', async () => {
    const [quad] = await read('\\t\\b\\n\\r\\f\\"\\\'\\\\\\u00e9\\U0001F600\\u00E9x\u{1F600}'.repeat(3_000));
    expect(quad.object.value).toBe('\t\b\n\r\f"\'\\\u00e9\u{1F600}\u00e9x\u{1F600}'.repeat(3_000));
  });

  it.each(['\\x', '\\u00g0', '\\uD800', '\\U00110000', '\\u00'])('are refused with %s among them', async (bad) => {
    for (const document of [`${'\\u0041'.repeat(10_000)}${bad}`, `${bad}${'\\u0041'.repeat(10_000)}`])
      expect(await readError(reader('text/turtle'), `<urn:s> <urn:p> "${document}" .`)).toMatchObject({
        code: 'INVALID_RDF',
      });
  });
});

describe('a long language tag', () => {
  it.each(['application/n-quads', 'text/turtle', 'application/ld+json', 'application/rdf+xml'])(
    'is refused in %s',
    async (type) => {
      const document = (tag: string) =>
        type === 'application/ld+json'
          ? `{"@id":"u:s","u:p":{"@value":"a","@language":"${tag}"}}`
          : type === 'application/rdf+xml'
            ? `<rdf:RDF ${RDF} xmlns:e="u:"><rdf:Description><e:p xml:lang="${tag}">a</e:p></rdf:Description></rdf:RDF>`
            : `<u:s> <u:p> "a"@${tag} .`;
      expect(await readDocument(reader(type), document(`en${'-x'.repeat(400)}`))).toHaveLength(1);
      for (const subtags of [600, 100_000]) {
        expect(await readError(reader(type), document(`en${'-x'.repeat(subtags)}`))).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          message: expect.stringContaining('maxLanguageTagLength'),
        });
      }
    },
  );
});

describe('one long term', () => {
  it.each([
    ['application/n-triples', '<http://s> <http://p>\t<http://o/LONG> .', 1, 23],
    ['application/n-quads', '<http://s> <http://p> <http://o/LONG\\u00e9> .', 1, 23],
    ['text/turtle', '@prefix a: <http://o/> .\n<http://s> <http://p> a:LONG .', 2, 23],
    ['application/rdf+xml', `<rdf:RDF ${RDF}>\n<rdf:Description rdf:about="http://o/LONG"/></rdf:RDF>`, 2, 342],
  ])('is refused as an IRI in %s, with its place', async (type, document, line, column) => {
    const limits = requestLimits({ maxIriLength: 300 });
    expect(await readError(reader(type), document.replace('LONG', 'o'.repeat(301)), { limits })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxIriLength'),
      location: { line, column },
    });
    expect(
      (await readDocument(reader(type), document.replace('LONG', 'o'.repeat(280)), { limits })).length,
    ).toBeLessThan(2);
  });

  it.each([
    ['application/n-quads', '<http://s> <http://p> "LONG" .'],
    ['text/turtle', '<http://s> <http://p> "LONG" .'],
    ['text/turtle', '<http://s> <http://p> """LONG""" .'],
    ['application/ld+json', '{"@id":"http://s","http://p":"LONG"}'],
    [
      'application/rdf+xml',
      `<rdf:RDF ${RDF} xmlns:e="u:"><rdf:Description><e:p>LONG</e:p></rdf:Description></rdf:RDF>`,
    ],
    [
      'application/rdf+xml',
      `<rdf:RDF ${RDF} xmlns:e="u:"><rdf:Description><e:p rdf:parseType="Literal"><a>LONG</a></e:p></rdf:Description></rdf:RDF>`,
    ],
  ])('is refused as a literal in %s', async (type, document) => {
    const limits = requestLimits({ maxTokenLength: 100_000 });
    expect(await readError(reader(type), document.replace('LONG', 'o'.repeat(200_000)), { limits })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxTokenLength'),
    });
    expect(await readDocument(reader(type), document.replace('LONG', 'o'.repeat(90_000)), { limits })).toHaveLength(1);
  });
});

describe('input that an XML parser reads in one piece', () => {
  const element = (count: number) =>
    `<rdf:RDF ${RDF} xmlns:e="u:"><rdf:Description ${Array.from({ length: count }, (_, i) => `e:p${i}="1"`).join(' ')}/></rdf:RDF>`;
  const namespaces = (count: number) =>
    `<rdf:RDF ${RDF} ${Array.from({ length: count }, (_, i) => `xmlns:n${i}="u:${i}"`).join(' ')}/>`;
  const entities = (count: number) =>
    `<!DOCTYPE r [${Array.from({ length: count }, (_, i) => `<!ENTITY a${i} "x">`).join('')}]><rdf:RDF ${RDF}/>`;

  it.each([
    ['maxAttributes', element],
    ['maxAttributes', namespaces],
    ['maxEntities', entities],
  ] as const)('is limited: %s, case %#', async (name, document) => {
    const read = reader('application/rdf+xml');
    expect(await readError(read, document(6000))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(`${name} = 5000`),
    });
    const limits = requestLimits({ [name]: 30 });
    expect(await readError(read, document(31), { limits })).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await expect(readDocument(read, document(20), { limits })).resolves.toBeDefined();
  });

  it('counts the attributes of each element by itself', async () => {
    const document = `<rdf:RDF ${RDF} xmlns:e="u:">${'<rdf:Description e:a="1" e:b="2"/>'.repeat(20)}</rdf:RDF>`;
    const limits = requestLimits({ maxAttributes: 4 });
    expect(await readDocument(reader('application/rdf+xml'), document, { limits })).toHaveLength(40);
  });
});

describe('brackets inside one another', () => {
  const collections = (depth: number) => `<u:s> <u:p> ${'( '.repeat(depth)}${') '.repeat(depth)}.`;
  const properties = (depth: number) => `<u:s> <u:p> ${'[ <u:p> '.repeat(depth)}1 ${'] '.repeat(depth)}.`;
  // An annotation and the blank node in it are two levels.
  const annotations = (depth: number) =>
    `<u:s> <u:p> 1 ${'{| <u:p> [ <u:p> 1 '.repeat(depth / 2)}${'] |} '.repeat(depth / 2)}.`;

  const CASES = ['text/turtle', 'application/trig', 'text/n3'].flatMap((type) => [
    ['collections', type, collections] as const,
    ['blank nodes', type, properties] as const,
  ]);

  it.each([...CASES, ['annotations', 'text/turtle', annotations] as const])(
    'are limited: %s of %s',
    async (_, type, document) => {
      const read = reader(type);
      const limits = requestLimits({ maxDocumentNesting: 6 });
      await expect(readDocument(read, document(6), { limits })).resolves.toBeDefined();
      const refused = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('maxDocumentNesting = 6') };
      expect(await readError(read, document(8), { limits })).toMatchObject(refused);
    },
  );

  it.each(CASES)('end the reading of a document where one is too many: %s of %s', async (_, type, document) => {
    const endless = document(100_000);
    let chunks = 0;
    async function* counted() {
      for await (const chunk of chunksOf(endless, 1024)) {
        chunks++;
        yield chunk;
      }
    }
    const [opening] = /[([](?: <u:p>)? /.exec(endless)!;
    const limits = requestLimits({ maxDocumentNesting: 1000 });
    const failed = reader(type)(counted(), new ArraySink(), { slicer: new Slicer(), limits });
    await expect(failed).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      location: { line: 1, column: '<u:s> <u:p> '.length + 1000 * opening.length + 1 },
    });
    expect(chunks).toBeLessThanOrEqual(1 + Math.ceil((1002 * opening.length) / 1024));
  });

  it('are limited by default', async () => {
    expect(await readError(reader('text/turtle'), collections(200_000))).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxDocumentNesting = 100000'),
    });
  });

  it('are counted by depth, not by number', async () => {
    const limits = requestLimits({ maxDocumentNesting: 2 });
    const document = `<u:s> <u:p> ${'( [ ] ) , '.repeat(500)}[ <u:p> ( ${'1 '.repeat(500)}) ] .`;
    expect(await readDocument(reader('text/turtle'), document, { limits })).toHaveLength(500 * 3 + 2 + 1000);
  });
});

describe('JSON-LD contexts', () => {
  const terms = (count: number) => list(count, (i) => `"t${i}":"u:${i}"`);
  const scoped = (count: number, graph: string) =>
    `{"@context":{"@vocab":"http://e/","p":{"@context":{${terms(count)}}}},"@graph":[${graph}]}`;
  const read = (document: string, limits: Partial<RequestLimits> = {}) =>
    readDocument(reader('application/ld+json'), document, { limits: requestLimits(limits) });
  const failing = (document: string, limits: Partial<RequestLimits> = {}) =>
    readError(reader('application/ld+json'), document, { limits: requestLimits(limits) });

  it('that are scoped to a property are processed once for all nodes', async () => {
    const document = scoped(
      1000,
      list(1000, () => '{"p":{"a":1}}'),
    );
    expect(await read(document, { maxContextTerms: 2500 })).toHaveLength(2000);
  });

  it('that are scoped to a type are processed once for all nodes', async () => {
    const document = `{"@context":{"@vocab":"http://e/","T":{"@context":{${terms(1000)}}}},"@graph":[${list(1000, () => '{"@type":"T","a":1}')}]}`;
    expect(await read(document, { maxContextTerms: 2500 })).toHaveLength(2000);
  });

  it('that have a URL are processed and loaded once for all documents in an array', async () => {
    let loads = 0;
    const documentLoader = async () => {
      loads++;
      return { document: `{"@context":{${terms(1000)}}}` };
    };
    const document = `[${list(1000, () => '{"@context":"http://c","t1":1}')}]`;
    const limits = requestLimits({ maxContextTerms: 1500 });
    expect(await readDocument(reader('application/ld+json'), document, { documentLoader, limits })).toHaveLength(1000);
    expect(loads).toBe(1);
  });

  it('of a few terms cost these, not those that they stand in', async () => {
    const document = `{"@context":{${terms(1000)}},"@graph":[${list(1000, () => '{"@context":{"a":"u:b"},"a":1}')}]}`;
    expect(await read(document, { maxContextTerms: 2000 })).toHaveLength(1000);
  });

  it.each([
    [
      'processed for each node anew',
      scoped(
        1000,
        list(100, (i) => `{"@context":{"a${i}":"u:a"},"p":{"a":1}}`),
      ),
      'maxContextTerms',
    ],
    [
      'nested in one another',
      `{"@context":{"@vocab":"http://e/","p":{"@context":{${terms(1000)}}}},"a":${'{"p":'.repeat(100)}1${'}'.repeat(100)}}`,
      'maxContextTerms',
    ],
    ['defined by one another', `{"@context":{${list(2000, (i) => `"t${i}":"t${i + 1}:x"`)}}}`, 'maxContextDepth'],
  ])('are bounded: %s', async (_, document, limit) => {
    expect(await failing(document, { maxContextTerms: 10_000 })).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining(limit),
    });
  });

  it('are loaded from a bounded number of URLs', async () => {
    const documentLoader = async (url: string) => ({ document: { '@context': `${url}x` } });
    const refused = await readError(reader('application/ld+json'), '{"@context":"http://c/"}', { documentLoader });
    expect(refused).toMatchObject({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining('maxRemoteContexts') });
  });

  it('may nest as deep as the document', async () => {
    const depth = 250;
    const document = `{"@context":${'{"p":{"@id":"u:p","@context":'.repeat(depth)}{}${'}}'.repeat(depth)},"p":${'{"p":'.repeat(depth)}1${'}'.repeat(depth)}}`;
    expect(await read(document)).toHaveLength(depth + 1);
  });
});

describe('the event loop', () => {
  /** A slicer that pauses whenever it is asked, and counts. */
  class CountingSlicer extends Slicer {
    pauses = 0;
    override get due(): boolean {
      return true;
    }
    override async pause(): Promise<void> {
      this.pauses++;
    }
  }

  it.each([
    ['of JSON values', 'application/ld+json', `[${list(20_000, () => '1')}]`, 20_000 / 1024],
    ['of JSON objects', 'application/ld+json', `[${list(20_000, () => '{}')}]`, 40_000 / 1024],
    ['of a string', 'application/ld+json', `{"u:a":"${'x'.repeat(4_000_000)}"}`, 244],
    ['of nodes', 'application/ld+json', `[${list(10_000, (i) => `{"@id":"u:${i}","u:p":1}`)}]`, 60_000 / 1024],
    ['of values', 'application/ld+json', `{"u:a":[${list(20_000, (i) => `${i}`)}]}`, 60_000 / 1024],
    ['of types', 'application/ld+json', `{"@type":[${list(20_000, (i) => `"u:${i}"`)}]}`, 60_000 / 1024],
    [
      'of an index',
      'application/ld+json',
      `{"@context":{"p":{"@id":"u:p","@container":"@index"}},"p":{${list(10_000, (i) => `"${i}":1`)}}}`,
      40_000 / 1024,
    ],
    [
      'of languages',
      'application/ld+json',
      `{"@context":{"p":{"@id":"u:p","@container":"@language"}},"p":{"en":[${list(20_000, () => '"a"')}]}}`,
      60_000 / 1024,
    ],
    ['of a list', 'application/ld+json', `{"u:a":{"@list":[${list(20_000, () => '1')}]}}`, 60_000 / 1024],
    [
      'of a JSON literal',
      'application/ld+json',
      `{"u:a":{"@type":"@json","@value":{${list(20_000, (i) => `"${(i * 7919) % 20_000}":1`)}}}}`,
      100_000 / 1024,
    ],
    ['of terms', 'application/ld+json', `{"@context":{${list(20_000, (i) => `"t${i}":"u:${i}"`)}}}`, 60_000 / 1024],
    [
      'of contexts',
      'application/ld+json',
      `{"@context":[${list(10_000, (i) => `{"t${i}":"u:${i}"}`)}]}`,
      60_000 / 1024,
    ],
    [
      'of Turtle',
      'text/turtle',
      'a:a a:b a:c.\n'.replace(/^/, '@prefix a: <u:> .\n').concat('a:a a:b a:c.\n'.repeat(50_000)),
      650_000 / 16_384,
    ],
    [
      'of RDF/XML',
      'application/rdf+xml',
      `<rdf:RDF ${RDF}>${'<rdf:Description/>'.repeat(50_000)}</rdf:RDF>`,
      900_000 / 16_384,
    ],
    ['of N-Quads', 'application/n-quads', '<u:a> <u:b> <u:c> .\n'.repeat(50_000), 1_000_000 / 65_536],
  ])('gets its turn between pieces %s', async (_, type, document, pauses) => {
    const slicer = new CountingSlicer();
    await reader(type)(chunksOf(document), new ArraySink(), { slicer });
    expect(slicer.pauses).toBeGreaterThanOrEqual(Math.floor(pauses));
  });
});

describe('the memory of a JSON-LD document', () => {
  it.each([
    ['objects', `[${list(10_000, () => '{}')}]`, 10_000 * 250],
    ['arrays', `{"u:p":[${list(10_000, () => '[]')}]}`, 10_000 * 100],
    ['a string', `{"u:p":"${'x'.repeat(100_000)}"}`, 200_000],
  ])('is reserved while it is read: %s', async (_, document, bytes) => {
    let reserved = 0;
    const reserve = (held: number) => {
      reserved = Math.max(reserved, held);
      return undefined;
    };
    await readDocument(reader('application/ld+json'), document, { reserve });
    expect(reserved).toBeGreaterThan(bytes * 0.9);
    const refuse = () => {
      throw new Error('too much');
    };
    await expect(readDocument(reader('application/ld+json'), document, { reserve: refuse })).rejects.toThrow(
      'too much',
    );
  });
});

describe('IriBase', () => {
  it('resolves like resolveIri, whatever the dots', () => {
    for (const base of ['http://h', 'http://h/a/./..//b/../c?q#f', 'urn:a/b/', 'x:a/../b/c', 'file:///'])
      for (const reference of ['', 'a', './a', '../a', '../../../a', '..', '/..', '//x/../y', '?q', '#f', 'a/./b/..'])
        expect(new IriBase(base).resolve(reference)).toBe(resolveIri(reference, base));
    expect(new IriBase('http://h/a/b/c/d').resolve('../../x')).toBe('http://h/a/x');
    expect(new IriBase('http://h/a/b/c/d').resolve('../../../../..')).toBe('http://h/');
  });
});
