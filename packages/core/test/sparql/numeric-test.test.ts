import { expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { unlikeOthers } from './unlike-others.ts';

/** Objects, and whether each is numeric (SPARQL 1.1 section 17.4.2.4). */
const OBJECTS: readonly (readonly [string, boolean])[] = [
  ['7', true],
  ['-7.50', true],
  ['1e3', true],
  ['"NaN"^^xsd:double', true],
  ['"-INF"^^xsd:double', true],
  ['"1.5"^^xsd:float', true],
  ['"NaN"^^xsd:float', true],
  ['123456789012345678901234567890', true],
  ['0.12345678901234567890123456789', true],
  ['"127"^^xsd:byte', true],
  ['"128"^^xsd:byte', false],
  ['"-1"^^xsd:nonNegativeInteger', false],
  ['"1e3"^^xsd:decimal', false],
  // White space is not in the lexical space (RDF 1.1 Concepts, section 3.3).
  ['" 7 "^^xsd:integer', false],
  ['"seven"^^xsd:integer', false],
  ['""^^xsd:integer', false],
  ['"7"', false],
  ['"7"@en', false],
  ['"7"^^<urn:number>', false],
  ['true', false],
  ['"2024-01-01"^^xsd:date', false],
  ['"2024"^^xsd:gYear', false],
  ['"P1D"^^xsd:dayTimeDuration', false],
  ['<urn:7>', false],
  ['[]', false],
  ['<<( <urn:a> <urn:b> 7 )>>', false],
];
const PREFIX = 'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n';

for (const optimize of [true, false]) {
  it(`isNumeric is true of literals of numeric datatypes that are well-formed, ${optimize ? 'on stored values' : 'on decoded ones'}`, async () => {
    const engine = await WorldsEngine.open({ sparql: nativeEngine({ optimize }) });
    await engine.createWorld({ slug: 'w' });
    const triples = OBJECTS.map(([object], at) => `<urn:${at}> <urn:p> ${object} .`);
    await engine.import({ source: 'w', contentType: 'text/turtle', data: PREFIX + triples.join('\n') });
    const wanted = OBJECTS.flatMap(([, isNumeric], at) => (isNumeric ? [`urn:${at}`] : [])).sort();
    const found = async (where: string) =>
      (await (await engine.select({ query: unlikeOthers(`${PREFIX} SELECT ?s { ${where} }`), sources: ['w'] })).array())
        .map((row) => row.get('s')!.value)
        .sort();
    for (let run = 0; run < 2; run++) {
      expect(await found('?s <urn:p> ?o FILTER(isNumeric(?o))')).toEqual(wanted);
      expect(await found('?s <urn:p> ?o FILTER(isNumeric(?o) && ?o != 7)')).toEqual(
        wanted.filter((one) => one !== 'urn:0'),
      );
    }
    // Computed terms, and no term.
    expect(await found('?s <urn:p> 7 BIND(1 + 1 AS ?two) FILTER(isNumeric(?two))')).toEqual(['urn:0']);
    expect(await found('?s <urn:p> 7 BIND(STR(1 + 1) AS ?two) FILTER(isNumeric(?two))')).toEqual([]);
    expect(await found('?s <urn:p> 7 OPTIONAL { ?s <urn:none> ?o } FILTER(isNumeric(?o))')).toEqual([]);
    await engine.close();
  });
}
