import { describe, expect, it } from 'vitest';
import { readRdfXml } from '../../src/formats/rdfxml-reader.ts';
import { lines, readDocument, readError } from './documents.ts';

const OPEN = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://ex/">';
const rdf = (content: string) => `${OPEN}\n${content}</rdf:RDF>`;
const read = (document: string | Uint8Array, options = {}) => readDocument(readRdfXml, document, options);
const error = (document: string | Uint8Array, options = {}) => readError(readRdfXml, document, options);
const about = (content: string, attributes = '') =>
  rdf(`<rdf:Description rdf:about="urn:s" ${attributes}>${content}</rdf:Description>`);
const objectOf = async (content: string, attributes = '', options = {}) =>
  (await read(about(content, attributes), options))[0].object;

describe('readRdfXml', () => {
  it.each([1, 5, 1e9])('reads the same from chunks of %i bytes', async (chunkSize) => {
    const text = `\ufeff<?xml version="1.0"?>\r\n${about('<e:p>é\u{1f600}\r\nb &amp; c</e:p><e:q><e:C e:r="1"/></e:q>')}`;
    expect(lines(await read(text, { chunkSize }))).toEqual(lines(await read(text)));
    expect(await read(text, { chunkSize })).toHaveLength(4);
  });

  it.each([
    ['a comment', 'foo<!-- c -->bar', 'foobar'],
    ['a CDATA section', 'a<![CDATA[<b>]]>c', 'a<b>c'],
    ['a processing instruction', 'a<?pi x?>b', 'ab'],
    ['references', '&lt;&#233;&#x1f600;&gt;', '<é\u{1f600}>'],
    ['space around', '  a \n', '  a \n'],
    ['nothing', '', ''],
  ])('reads the whole text of a property with %s', async (_, xml, text) => {
    for (const chunkSize of [1, 1e9])
      expect(await objectOf(`<e:p>${xml}</e:p>`, '', { chunkSize })).toMatchObject({ value: text });
  });

  it('keeps the letter case of xml:lang, whatever the order of attributes, until it is undone', async () => {
    const quads = await read(
      about('<e:p>a</e:p><e:p xml:lang="">b</e:p><e:q e:r="c" xml:lang="de-AT"/>', 'e:o="d" xml:lang="en-GB"'),
    );
    const languages = new Map(
      quads.map(({ object }) => [object.value, object.termType === 'Literal' ? object.language : '']),
    );
    expect(Object.fromEntries(languages)).toMatchObject({ a: 'en-GB', b: '', c: 'de-AT', d: 'en-GB' });
  });

  it('resolves against xml:base on any element, and against the given base', async () => {
    const text =
      rdf(`<rdf:Description rdf:about=".hidden" xml:base="http://h/a/b"><e:p rdf:resource="../c" xml:base="http://i/d/e/"/>
      <e:p rdf:resource=""/><e:p rdf:datatype="t">x</e:p><e:p rdf:type="T"/></rdf:Description><e:C rdf:ID="id"/>`);
    const quads = await read(text, { baseIri: 'http://base/doc' });
    const iris = new Set(
      quads.flatMap(({ subject, object }) => [
        subject.value,
        object.value,
        object.termType === 'Literal' ? object.datatype.value : '',
      ]),
    );
    for (const iri of [
      'http://h/a/.hidden',
      'http://i/d/c',
      'http://h/a/b',
      'http://h/a/t',
      'http://h/a/T',
      'http://base/doc#id',
    ])
      expect(iris).toContain(iri);
    expect(quads.find(({ object }) => object.value === 'http://h/a/T')?.object.termType).toBe('NamedNode');
  });

  it('takes about, ID, resource, parseType and type without a prefix for those of RDF', async () => {
    const quads = await read(
      rdf('<rdf:Description about="urn:s" type="urn:T"><e:p resource="urn:o"/></rdf:Description>'),
    );
    expect(quads.map(({ object }) => object)).toMatchObject([
      { termType: 'NamedNode', value: 'urn:T' },
      { value: 'urn:o' },
    ]);
  });

  it.each([
    [
      'escapes',
      'a &lt; <e:b c="&quot;&lt;&#9;"/>&amp;',
      'a &lt; <e:b xmlns:e="http://ex/" c="&quot;&lt;&#x9;"></e:b>&amp;',
    ],
    [
      'namespaces where they are used',
      '<e:a><e:b/></e:a><e:c/>',
      '<e:a xmlns:e="http://ex/"><e:b></e:b></e:a><e:c xmlns:e="http://ex/"></e:c>',
    ],
    ['no namespace', '<a><b xmlns="urn:n"><c xmlns=""/></b></a>', '<a><b xmlns="urn:n"><c xmlns=""></c></b></a>'],
    [
      'attributes in order',
      '<a z="1" b="2" e:a="3" xml:lang="EN"/>',
      '<a xmlns:e="http://ex/" b="2" z="1" e:a="3" xml:lang="EN"></a>',
    ],
    ['comments and instructions', '<!--c--><?p i?><?q?>', '<!--c--><?p i?><?q?>'],
    ['text alone', 'x<![CDATA[<]]>', 'x&lt;'],
  ])('writes XML literals canonically: %s', async (_, xml, canonical) => {
    expect(await objectOf(`<e:p rdf:parseType="Literal">${xml}</e:p>`)).toMatchObject({
      value: canonical,
      datatype: { value: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral' },
    });
  });

  it('distinguishes nodes without a name from rdf:nodeID', async () => {
    const quads = await read(
      rdf('<rdf:Description rdf:nodeID="g1"><e:p><rdf:Description/></e:p><e:p rdf:nodeID="g1"/></rdf:Description>'),
    );
    expect(quads[0].subject.value).not.toBe(quads[0].object.value);
    expect(quads[1].subject.value).toBe(quads[1].object.value);
  });

  it.each([
    ['a cut-off document', `${OPEN}<e:C>`, /unclosed/],
    ['a cut-off tag', `${OPEN}<e:C`, /./],
    ['a wrong closing tag', `${OPEN}</rdf:R>`, /./],
    ['an unknown namespace', rdf('<x:C/>'), /namespace/],
    ['an element without a namespace', rdf('<C/>'), /namespace/],
    ['a property without a namespace', about('<p>1</p>'), /namespace/],
    ['an attribute without a namespace', about('', 'p="1"'), /namespace/],
    ['text between nodes', rdf('text'), /text is not allowed/],
    ['text between properties', about('text'), /text is not allowed/],
    ['text beside a node', about('<e:p>text<e:C/></e:p>'), /one value/],
    ['two nodes in a property', about('<e:p><e:C/><e:C/></e:p>'), /second node/],
    ['a node in a typed literal', about('<e:p rdf:datatype="urn:t"><e:C/></e:p>'), /only text/],
    ['content beside rdf:resource', about('<e:p rdf:resource="urn:o">x</e:p>'), /not allowed/],
    ['a node beside rdf:resource', about('<e:p rdf:resource="urn:o"><e:C/></e:p>'), /empty/],
    ['rdf:resource and rdf:nodeID', about('<e:p rdf:resource="urn:o" rdf:nodeID="a"/>'), /one of/],
    [
      'rdf:parseType and rdf:resource',
      about('<e:p rdf:parseType="Resource" rdf:resource="urn:o"/>'),
      /its only other attributes/,
    ],
    ['a relative IRI without a base', rdf('<e:C rdf:about="a"/>'), /relative/],
    ['rdf:ID without a base', rdf('<e:C rdf:ID="a"/>'), /relative/],
    ['an IRI with a space', rdf('<e:C rdf:about="http://a b"/>'), /not allowed in an IRI/],
    ['an IRI with >', rdf('<e:C rdf:about="urn:a&gt;"/>'), /not allowed in an IRI/],
    ['a malformed xml:lang', about('<e:p xml:lang="a b">x</e:p>'), /language tag/],
    [
      'rdf:langString',
      about('<e:p rdf:datatype="http://www.w3.org/1999/02/22-rdf-syntax-ns#langString">x</e:p>'),
      /language tag/,
    ],
    ['an undeclared entity', about('<e:p>&a;</e:p>'), /entity/],
    ['an empty document', '', /root/],
    ['two roots', `${OPEN}</rdf:RDF>${OPEN}</rdf:RDF>`, /one root|root/],
    ['Turtle', '@prefix : <http://ex/> .', /./],
    ['a character that XML does not have', about('<e:p>\u0001</e:p>'), /character/],
    ['a reference to a surrogate', about('<e:p>&#xd800;</e:p>'), /character/],
  ])('refuses %s', async (_, text, message) => {
    for (const chunkSize of [1, 1e9]) {
      const refused = await error(text, { chunkSize });
      expect(refused.code).toBe('INVALID_RDF');
      expect(refused.message).toMatch(message);
      expect(refused.location?.line).toBeGreaterThanOrEqual(1);
      expect(refused.location?.column).toBeGreaterThanOrEqual(1);
    }
  });

  it('says where', async () => {
    expect(await error(`${OPEN}\n  <e:C rdf:about="a"/>`)).toMatchObject({ location: { line: 2, column: 23 } });
  });

  it.each([
    ['elements', `${OPEN}${'<e:C><e:p>'.repeat(10_000)}`],
    ['elements, closed', rdf(`${'<e:C><e:p>'.repeat(10_000)}${'</e:p></e:C>'.repeat(10_000)}`)],
    ['resources', about(`${'<e:p rdf:parseType="Resource">'.repeat(20_000)}`)],
    [
      'elements with namespaces',
      `${OPEN}${Array.from({ length: 20_000 }, (_, i) => `<e:C xmlns:n${i}="urn:${i}"><e:p>`).join('')}`,
    ],
    ['elements of a literal', about(`<e:p rdf:parseType="Literal">${'<a>'.repeat(20_000)}`)],
  ])('refuses 20,000 nested %s', async (_, text) => {
    const refused = await error(text);
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(/nested deeper than 1024/);
  });

  it('reads 1,000 levels', async () => {
    expect(await read(rdf(`${'<e:C><e:p>'.repeat(500)}${'</e:p></e:C>'.repeat(500)}`))).toHaveLength(1000);
  });

  it('stops at the signal', async () => {
    await expect(read(rdf(''), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('entities', () => {
  const withSubset = (subset: string, content = '<e:p>x</e:p>') => `<!DOCTYPE rdf:RDF [${subset}]>\n${about(content)}`;

  it('expand to plain text, in text and attributes', async () => {
    const document = withSubset(
      `<!-- <!ENTITY a "no"> --><?pi <!ENTITY a "no">?>
       <!ENTITY a "http://a/"> <!ENTITY b '&#98;&#x22;'> <!ENTITY a "second"><!ELEMENT rdf:RDF ANY>
       <!ENTITY amp "&#38;#38;">`,
      '<e:p rdf:resource="&a;x"/><e:p>&b;&amp;</e:p>',
    );
    expect((await read(document)).map(({ object }) => object.value)).toEqual(['http://a/x', 'b"&']);
  });

  it.each([
    ['an external entity', '<!ENTITY a SYSTEM "file:///etc/passwd">', '<e:p>&a;</e:p>'],
    ['a public entity', '<!ENTITY a PUBLIC "a" "http://127.0.0.1/">', '<e:p>&a;</e:p>'],
    ['a parameter entity', '<!ENTITY % a "x">', ''],
    ['an external parameter entity', '<!ENTITY % a SYSTEM "http://127.0.0.1/"> %a;', ''],
    ['a reference to one', '%a;', ''],
    ['an entity in an entity', '<!ENTITY a "x"><!ENTITY b "&a;">', '<e:p>&b;</e:p>'],
    ['an entity in an entity, by a character reference', '<!ENTITY a "x"><!ENTITY b "&#38;a;">', '<e:p>&b;</e:p>'],
    ['markup in an entity', '<!ENTITY a "<e:q/>">', '<e:p>&a;</e:p>'],
    ['markup in an entity, by a character reference', '<!ENTITY a "&#60;e:q/>">', '<e:p>&a;</e:p>'],
    ['a character that is none', '<!ENTITY a "&#xd800;">', ''],
    ['a declared attribute', '<!ATTLIST e:C e:p CDATA "x">', ''],
    ['a long entity', `<!ENTITY a "${'x'.repeat(2000)}">`, ''],
    [
      'a billion laughs',
      `<!ENTITY a "lol"><!ENTITY b "${'&a;'.repeat(10)}"><!ENTITY c "${'&b;'.repeat(10)}">`,
      '<e:p>&c;</e:p>',
    ],
    ['a quadratic blow-up', `<!ENTITY a "${'x'.repeat(1000)}">`, `<e:p>${'&a;'.repeat(5000)}</e:p>`],
  ])('refuses %s', async (_, subset, content) => {
    const refused = await error(withSubset(subset, content));
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.location).toBeDefined();
    expect(refused.message).toMatch(/entit/i);
  });

  it('do not come from an external DTD, which is not read', async () => {
    const doctype = '<!DOCTYPE rdf:RDF PUBLIC "-//x" "http://127.0.0.1:9/x.dtd">';
    expect(await read(doctype + about('<e:p>x</e:p>'))).toHaveLength(1);
    expect((await error(doctype + about('<e:p>&x;</e:p>'))).message).toMatch(/undefined entity/);
  });
});

describe('encodings', () => {
  const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>${about('<e:p>é</e:p>')}`;

  it.each([
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['no', Buffer.from(about('<e:p>é</e:p>'))],
    ['ISO-8859-1', Buffer.from(xml('ISO-8859-1'), 'latin1')],
    ['UTF-16 (little endian)', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(xml('UTF-16'), 'utf16le')])],
    ['UTF-16 (big endian)', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(xml('UTF-16'), 'utf16le').swap16()])],
  ])('%s encoding is understood', async (_, bytes) => {
    for (const chunkSize of [1, 1e9]) expect((await read(bytes, { chunkSize }))[0].object.value).toBe('é');
  });

  it('rejects bytes that are invalid in the declared encoding, and unknown encodings', async () => {
    expect(await error(Buffer.from(xml('UTF-8'), 'latin1'))).toMatchObject({
      code: 'INVALID_RDF',
      location: { line: 2 },
    });
    expect(
      await error(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from([0x00, 0xd8, 0x41, 0x00])])),
    ).toMatchObject({ code: 'INVALID_RDF' });
    expect(await error(xml('x-unheard-of'))).toMatchObject({ code: 'UNSUPPORTED' });
  });
});
