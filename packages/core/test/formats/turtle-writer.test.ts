import { describe, expect, it } from 'vitest';
import { writeTrig, writeTurtle } from '../../src/formats/turtle-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { XSD } from '../../src/model/vocabulary.ts';
import { ArraySource } from './array-source.ts';
import { writtenBytes, writtenText } from './documents.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const ex = (name: string) => namedNode(`http://ex/${name}`);
const type = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const typed = (value: string, datatype: string) => literal(value, namedNode(XSD + datatype));

describe('writeTurtle', () => {
  it('groups by subject and predicate, and uses the prefixes', async () => {
    const source = new ArraySource([
      quad(ex('s'), type, ex('C')),
      quad(ex('s'), ex('p'), literal('a')),
      quad(ex('s'), ex('p'), literal('b', 'en-GB')),
      quad(ex('s'), ex('p'), literal('c', { language: 'ar', direction: 'rtl' })),
      quad(blankNode('x'), ex('p'), quad(ex('s'), ex('p'), blankNode('y'))),
    ]);
    expect(await writtenText(writeTurtle, source, { prefixes: { ex: 'http://ex/' } })).toBe(
      `@prefix ex: <http://ex/> .

ex:s a ex:C ;
  ex:p "a", "b"@en-GB, "c"@ar--rtl .
_:x ex:p <<( ex:s ex:p _:y )>> .
`,
    );
  });

  it('writes the default graph alone', async () => {
    const source = new ArraySource([quad(ex('s'), ex('p'), ex('o'), ex('g')), quad(ex('s'), ex('p'), ex('o2'))]);
    expect(await writtenText(writeTurtle, source)).toBe('<http://ex/s> <http://ex/p> <http://ex/o2> .\n');
  });

  it.each([
    ['1', 'integer', '1'],
    ['-01', 'integer', '-01'],
    ['+1', 'integer', '+1'],
    ['1.0', 'decimal', '1.0'],
    ['.5', 'decimal', '.5'],
    ['1e0', 'double', '1e0'],
    ['-1.5E-10', 'double', '-1.5E-10'],
    ['true', 'boolean', 'true'],
    ['', 'integer', `""^^<${XSD}integer>`],
    ['1 ', 'integer', `"1 "^^<${XSD}integer>`],
    ['1\n', 'integer', `"1\\n"^^<${XSD}integer>`],
    ['1', 'decimal', `"1"^^<${XSD}decimal>`],
    ['1.', 'decimal', `"1."^^<${XSD}decimal>`],
    ['1', 'double', `"1"^^<${XSD}double>`],
    ['INF', 'double', `"INF"^^<${XSD}double>`],
    ['1', 'boolean', `"1"^^<${XSD}boolean>`],
    ['TRUE', 'boolean', `"TRUE"^^<${XSD}boolean>`],
    ['1', 'int', `"1"^^<${XSD}int>`],
    ['1', 'string', '"1"'],
  ])('writes %j as %s: %s', async (value, datatype, text) => {
    const source = new ArraySource([quad(ex('s'), ex('p'), typed(value, datatype))]);
    expect(await writtenText(writeTurtle, source)).toBe(`<http://ex/s> <http://ex/p> ${text} .\n`);
  });

  it.each([
    ['http://ex/', 'ex:'],
    ['http://ex/a-b_9', 'ex:a-b_9'],
    ['http://ex/9', 'ex:9'],
    ['http://ex/-a', '<http://ex/-a>'],
    ['http://ex/a-', '<http://ex/a->'],
    ['http://ex/a.b', '<http://ex/a.b>'],
    ['http://ex/a/b', '<http://ex/a/b>'],
    ['http://ex/a%20b', '<http://ex/a%20b>'],
    ['http://ex/é', '<http://ex/é>'],
    ['http://ex/ns#a', 'ns:a'],
    ['http://ex/ns#a#b', '<http://ex/ns#a#b>'],
    ['http://ex', '<http://ex>'],
    ['http://ex/a;b', '<http://ex/a;b>'],
    ['http://ex/id_7', 'ex:id_7'],
    ['urn:x:7', 'x:7'],
  ])('shortens <%s> to %s', async (iri, text) => {
    const source = new ArraySource([quad(blankNode('x'), ex('p'), namedNode(iri))]);
    const prefixes = { ex: 'http://ex/', ns: 'http://ex/ns#', second: 'http://ex/', x: 'urn:x:' };
    expect(await writtenText(writeTurtle, source, { prefixes })).toContain(`_:x ex:p ${text} .\n`);
  });

  it('declares no prefix that Turtle does not have', async () => {
    const prefixes = JSON.parse(
      '{"":"http://e/","__proto__":"http://p/","a b":"http://a/","1":"http://a/","a-":"http://a/","_":"http://a/","x":"relative","y":"http://a/> .\\n<","z":"","ok":"http://ok/"}',
    );
    expect(await writtenText(writeTurtle, new ArraySource([]), { prefixes })).toBe(
      '@prefix : <http://e/> .\n@prefix ok: <http://ok/> .\n\n',
    );
  });

  it('gives chunks of about 64 KiB', async () => {
    const quads = Array.from({ length: 10_000 }, (_, i) => quad(ex(`s${i}`), ex('p'), literal(`value ${i}`)));
    const sizes = (await writtenBytes(writeTurtle, new ArraySource(quads))).map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(3);
    for (const size of sizes.slice(0, -1)) expect(size).toBeGreaterThanOrEqual(65_536);
    for (const size of sizes) expect(size).toBeLessThan(70_000);
  });
});

describe('writeTrig', () => {
  it('writes the default graph, then each named one, empty ones too', async () => {
    const source = new ArraySource(
      [
        quad(ex('s'), ex('p'), ex('o')),
        quad(ex('s'), ex('p'), ex('o'), ex('g')),
        quad(ex('s'), ex('q'), ex('o'), ex('g')),
        quad(ex('s'), ex('p'), ex('o'), blankNode('g')),
      ],
      [ex('empty')],
    );
    expect(await writtenText(writeTrig, source, { prefixes: { '': 'http://ex/' } })).toBe(
      `@prefix : <http://ex/> .

:s :p :o .
:g {
  :s :p :o ;
    :q :o .
}
_:g {
  :s :p :o .
}
:empty {
}
`,
    );
  });
});
