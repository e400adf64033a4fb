import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { XSD } from '../../../src/model/vocabulary.ts';
import { findResultFormat } from '../../../src/sparql/results/result-formats.ts';
import { SolutionTable, textOf } from './solution-table.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;

const written = (mediaType: string, table: SolutionTable) =>
  textOf(findResultFormat(mediaType)!.writeBindings(table.variables, table.batches(), { slicer: new Slicer() }));

const typed = (value: string, type: string) => literal(value, namedNode(XSD + type));
const triple = quad(blankNode('b'), namedNode('http://ex/p'), literal('x', 'en'));

const table = new SolutionTable(
  ['x', 'y'],
  [
    [namedNode('http://ex/a?b=1&c'), blankNode('b1')],
    [undefined, literal('')],
    [literal('a "b", <c>\n'), literal('ab', 'de-AT')],
    [typed('01', 'integer'), typed('1', 'string')],
    [literal('אב', { language: 'he', direction: 'rtl' }), triple],
    [undefined, undefined],
  ],
);

describe('SPARQL Results JSON', () => {
  it('writes terms as the specification has them', async () => {
    expect(await written('application/sparql-results+json', table)).toBe(
      `{"head":{"vars":["x","y"]},"results":{"bindings":[
{"x":{"type":"uri","value":"http://ex/a?b=1&c"},"y":{"type":"bnode","value":"b1"}},
{"y":{"type":"literal","value":""}},
{"x":{"type":"literal","value":"a \\"b\\", <c>\\n"},"y":{"type":"literal","value":"ab","xml:lang":"de-AT"}},
{"x":{"type":"literal","value":"01","datatype":"${XSD}integer"},"y":{"type":"literal","value":"1"}},
{"x":{"type":"literal","value":"אב","xml:lang":"he","its:dir":"rtl"},"y":{"type":"triple","value":{"subject":{"type":"bnode","value":"b"},"predicate":{"type":"uri","value":"http://ex/p"},"object":{"type":"literal","value":"x","xml:lang":"en"}}}},
{}
]}}
`,
    );
  });

  it('takes any name for a variable', async () => {
    const names = ['__proto__', '"', 'constructor'];
    const text = await written(
      'application/sparql-results+json',
      new SolutionTable(names, [names.map((name) => literal(name))]),
    );
    const [binding] = JSON.parse(text).results.bindings;
    expect(Object.keys(binding)).toEqual(names);
  });

  it('writes no solutions as an empty list', async () => {
    const text = await written('application/sparql-results+json', new SolutionTable(['x'], []));
    expect(JSON.parse(text)).toEqual({ head: { vars: ['x'] }, results: { bindings: [] } });
  });
});

describe('SPARQL Results XML', () => {
  it('writes terms as the specification has them', async () => {
    expect(await written('application/sparql-results+xml', table)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>
<sparql xmlns="http://www.w3.org/2005/sparql-results#">
<head><variable name="x"/><variable name="y"/></head>
<results>
<result><binding name="x"><uri>http://ex/a?b=1&amp;c</uri></binding><binding name="y"><bnode>b1</bnode></binding></result>
<result><binding name="y"><literal></literal></binding></result>
<result><binding name="x"><literal>a "b", &lt;c&gt;
</literal></binding><binding name="y"><literal xml:lang="de-AT">ab</literal></binding></result>
<result><binding name="x"><literal datatype="${XSD}integer">01</literal></binding><binding name="y"><literal>1</literal></binding></result>
<result><binding name="x"><literal xml:lang="he" xmlns:its="http://www.w3.org/2005/11/its" its:version="2.0" its:dir="rtl">אב</literal></binding><binding name="y"><triple><subject><bnode>b</bnode></subject><predicate><uri>http://ex/p</uri></predicate><object><literal xml:lang="en">x</literal></object></triple></binding></result>
<result></result>
</results>
</sparql>
`,
    );
  });

  it('keeps carriage returns, which a parser would make line feeds', async () => {
    const text = await written('application/sparql-results+xml', new SolutionTable(['x'], [[literal('\r\n\r')]]));
    expect(text).toContain('<literal>&#13;\n&#13;</literal>');
  });
});

describe('CSV', () => {
  it('writes values alone, quoted where RFC 4180 asks for it', async () => {
    expect(await written('text/csv', table)).toBe(
      [
        'x,y',
        'http://ex/a?b=1&c,_:b1',
        ',""',
        '"a ""b"", <c>\n",ab',
        '01,1',
        'אב,"<<( _:b <http://ex/p> ""x""@en )>>"',
        ',',
        '',
      ].join('\r\n'),
    );
  });
});

describe('TSV', () => {
  it('writes terms in the syntax of Turtle', async () => {
    expect(await written('text/tab-separated-values', table)).toBe(
      [
        '?x\t?y',
        '<http://ex/a?b=1&c>\t_:b1',
        '\t""',
        '"a \\"b\\", <c>\\n"\t"ab"@de-AT',
        '01\t"1"',
        '"אב"@he--rtl\t<<( _:b <http://ex/p> "x"@en )>>',
        '\t',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['integer', '-007', '-007'],
    ['integer', ' 7', `" 7"^^<${XSD}integer>`],
    ['integer', '7.0', `"7.0"^^<${XSD}integer>`],
    ['decimal', '+.50', '+.50'],
    ['decimal', '5.', `"5."^^<${XSD}decimal>`],
    ['decimal', '5', `"5"^^<${XSD}decimal>`],
    ['double', '1.5E-3', '1.5E-3'],
    ['double', '1.5', `"1.5"^^<${XSD}double>`],
    ['double', 'INF', `"INF"^^<${XSD}double>`],
    ['float', '1e0', `"1e0"^^<${XSD}float>`],
    // Section 4 abbreviates numbers alone.
    ['boolean', 'true', `"true"^^<${XSD}boolean>`],
  ])('writes the %s %j as %s', async (type, value, expected) => {
    const text = await written('text/tab-separated-values', new SolutionTable(['x'], [[typed(value, type)]]));
    expect(text).toBe(`?x\n${expected}\n`);
  });

  it('escapes what would end a field, a line or an IRI', async () => {
    const hostile = new SolutionTable(['x'], [[literal('\t\n\r\\"\u0000\u0001')], [namedNode('http://ex/> <a\t')]]);
    expect(await written('text/tab-separated-values', hostile)).toBe(
      '?x\n"\\t\\n\\r\\\\\\"\\u0000\\u0001"\n<http://ex/\\u003E\\u0020\\u003Ca\\u0009>\n',
    );
  });
});
