import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RdfFormat } from '../../src/formats/rdf-format.ts';
import { RDF_FORMATS } from '../../src/formats/rdf-formats.ts';
import { isAbsoluteIri } from '../../src/model/iri.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';
import { readDocument } from './documents.ts';

const TURTLE = `@prefix : <http://ex/> . @base <http://ex/b/> .
:s a :C ; :p "x\\u00e9"@en-GB, """long
"""^^<t>, 1, -.5, 1e3, true, _:b, [ :q () ; :r ( 1 [] ) ] ; :t <<( :a :b :c )>> . <a#b> :p 'y' ~ :id {| :z 1 |} .`;

/** A document that uses most of each syntax. */
const SAMPLES: Readonly<Record<string, string>> = {
  'application/n-quads':
    '<http://s> <http://p> "a\\u00e9\\n"@en-GB <http://g> .\n_:a <http://p> "1"^^<http://t> . # c\n<http://s> <http://p> <<( _:a <http://q> "x" )>> _:g .\n',
  'application/n-triples': '<http://s> <http://p> "a\\u00e9\\n"@en-GB .\n_:a <http://p> "1"^^<http://t> . # c\n',
  'application/rdf-patch':
    'H id <uuid:1> .\nTX .\nPA "e" <http://e/> .\nPD e .\nA <http://s> <http://p> "a"@en <http://g> .\nA <_:a/b> <http://p> _:b .\nD <http://s> <http://p> "b" .\nTC .\nTX .\nA _:c <http://p> _:d .\nTA . # c\n',
  'text/turtle': TURTLE,
  'application/trig': `${TURTLE}\n:g { :s :p 1 . [] :q 2 } GRAPH _:g { } { :s :p 2 }`,
  'text/n3': `${TURTLE}\n:a = :b . :a is :p of :b . :a!:p^:q <- :r :c .`,
  'application/ld+json': `{"@context":{"@version":1.1,"@vocab":"http://ex/","@base":"http://b/","t":{"@id":"http://t","@type":"@id","@container":"@set"},
"l":{"@container":"@list"},"m":{"@container":"@language"},"j":{"@type":"@json"},"n":"@nest","rev":{"@reverse":"http://r"},"g":{"@container":["@graph","@id"]}},
"@id":"a","@type":["C"],"t":["b","_:c"],"l":[1,2.5,[true]],"m":{"en":"x","de":["y",null]},"j":{"z":[1,null,{"y":"\\u00e9"}]},"n":{"p":{"@value":"v","@language":"en","@direction":"ltr"}},
"rev":{"@id":"d","q":{}},"g":{"urn:g":{"p":1}},"@included":[{"@id":"e","p":{"@value":"w","@type":"http://dt"}}],"@graph":[{"@id":"f","p":{"@set":["h"],"@index":"i"}}]}`,
  'application/rdf+xml': `<?xml version="1.0" encoding="utf-8"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://ex/"><!-- c -->]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="&e;" xml:base="http://b/" xml:lang="en">
<e:C rdf:about="a" e:p="v"><e:q rdf:resource="&e;x"/><e:r rdf:datatype="t">1&amp;<![CDATA[<]]></e:r><rdf:li rdf:ID="i"><rdf:Description rdf:nodeID="n"/></rdf:li>
<e:s rdf:parseType="Collection"><e:D/><e:D/></e:s><e:t rdf:parseType="Literal"><b xmlns="u" c="d">x<!-- y --></b></e:t><e:u rdf:parseType="Resource"><e:v/></e:u></e:C></rdf:RDF>`,
};
const PIECES = [
  '',
  '<',
  '>',
  '"',
  '"""',
  "'",
  '{',
  '}',
  '[',
  ']',
  '(',
  ')',
  '<<(',
  ')>>',
  '.',
  ';',
  ',',
  ':',
  '@',
  '@id',
  '@graph',
  '@value',
  '@list',
  '@reverse',
  '@type',
  '@context',
  '@language',
  '_:',
  '^^',
  '\\',
  '\\u0000',
  '&',
  '&#0;',
  '&e;',
  '</',
  '/>',
  '<!--',
  '<![CDATA[',
  '<?',
  'null',
  'true',
  '1',
  '-',
  'e',
  '#',
  '\n',
  ' ',
  '\u0000',
  '\ufeff',
  '\ud800',
  'é',
  'rdf:li',
  'rdf:ID="i"',
  'xmlns:',
  '__proto__',
  '"@id":',
  '"p":',
  '~',
  '{|',
  '|}',
  'a',
  '?x',
  '=>',
];

describe.each(RDF_FORMATS.map((format): [string, RdfFormat] => [format.name, format]))(
  '%s',
  (_, { mediaType, read }) => {
    const sample = SAMPLES[mediaType];

    it('reads the sample', async () => {
      expect((await readDocument(read!, sample)).length).toBeGreaterThan(1);
    });

    it('meets any damage with quads that are valid, or INVALID_RDF with a message', async () => {
      const edit = fc.record({ at: fc.nat(), removed: fc.nat({ max: 8 }), inserted: fc.constantFrom(...PIECES) });
      const run = fc.tuple(
        fc.array(edit, { minLength: 1, maxLength: 3 }),
        fc.option(fc.nat()),
        fc.integer({ min: 1, max: 200 }),
      );
      await fc.assert(
        fc.asyncProperty(run, async ([edits, cut, chunkSize]) => {
          let text = sample;
          for (const { at, removed, inserted } of edits) {
            const start = at % (text.length + 1);
            text = text.slice(0, start) + inserted + text.slice(start + removed);
          }
          if (cut !== null) text = text.slice(0, cut % (text.length + 1));
          try {
            for (const quad of await readDocument(read!, text, { chunkSize, baseIri: 'http://base/' })) {
              for (const term of [quad.subject, quad.predicate, quad.object, quad.graph])
                if (term.termType === 'NamedNode') expect(isAbsoluteIri(term.value)).toBe(true);
            }
          } catch (error) {
            expect(error).toBeInstanceOf(WorldsError);
            expect((error as WorldsError).code).toMatch(/^(?:INVALID_RDF|UNSUPPORTED)$/);
            expect((error as WorldsError).message).not.toMatch(
              /undefined(?! entity)|\[object|is not a function|Cannot read/,
            );
          }
        }),
        { numRuns: 500 },
      );
    });
  },
);
