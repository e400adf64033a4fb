// @ts-expect-error rdf-ext has no types
import rdf from 'rdf-ext';
import SHACLValidator from 'rdf-validate-shacl';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataFactory, type WorldHandle, WorldsEngine } from '../../src/index.ts';

const PREFIXES = `
  PREFIX : <https://example.org/> PREFIX sh: <http://www.w3.org/ns/shacl#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>`;
const SHAPES = `${PREFIXES}
  :PersonShape a sh:NodeShape ; sh:targetClass :Person ;
    sh:property [ sh:path :name ; sh:datatype xsd:string ; sh:minCount 1 ; sh:maxCount 1 ],
      [ sh:path :knows ; sh:class :Person ],
      [ sh:path ( :knows :name ) ; sh:minLength 2 ] .`;
const PEOPLE = `${PREFIXES}
  :ada a :Person ; :name "Ada" ; :knows :mary .
  :mary a :Person ; :name "Mary", "M." ; :knows :nobody .`;

let engine: WorldsEngine;
let shapes: WorldHandle;
let people: WorldHandle;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  [shapes, people] = ['shapes', 'people'].map((slug) => engine.world(slug));
  for (const [world, data] of [
    [shapes, SHAPES],
    [people, PEOPLE],
  ] as const) {
    await engine.createWorld({ slug: world.source as string });
    await world.import({ data, contentType: 'text/turtle' });
  }
});
afterEach(() => engine.close());

it('a SHACL validator reads shapes and data from worlds, and its report is imported', async () => {
  const validate = async () => {
    const validator = new SHACLValidator(await shapes.dataset());
    return validator.validate(await people.dataset());
  };
  const report = await validate();
  expect(report.conforms).toBe(false);
  const found = report.results.map(({ focusNode, sourceConstraintComponent }) =>
    [focusNode, sourceConstraintComponent].map((term) => term?.value.replace(/^.*[/#]/, '')).join(' '),
  );
  expect(found.sort()).toEqual(['mary ClassConstraintComponent', 'mary MaxCountConstraintComponent']);
  await engine.createWorld({ slug: 'report' });
  expect((await engine.import({ source: 'report', data: report.dataset })).quads).toBe(report.dataset.size);

  const repaired = await people.dataset();
  const nobody = dataFactory.namedNode('https://example.org/nobody');
  for (const object of [nobody, dataFactory.literal('M.')]) {
    for (const quad of repaired.match(null, null, object)) repaired.delete(quad);
  }
  // What is not committed yet is valid already.
  const validator = new SHACLValidator(await shapes.dataset());
  expect((await validator.validate(repaired)).conforms).toBe(true);
  await repaired.commit();
  expect((await validate()).conforms).toBe(true);
});

it('grapoi walks, adds and deletes', async () => {
  const dataset = await people.dataset();
  const iri = (name: string) => dataFactory.namedNode(`https://example.org/${name}`);
  const ada = rdf.grapoi({ dataset, term: iri('ada') });
  expect(ada.out(iri('knows')).out(iri('name')).values.sort()).toEqual(['M.', 'Mary']);
  ada.addOut(iri('name'), dataFactory.literal('Ada Lovelace')).deleteOut(iri('name'), dataFactory.literal('Ada'));
  await dataset.commit();
  expect(await people.get('https://example.org/ada', { context: { '@vocab': 'https://example.org/' } })).toMatchObject({
    name: ['Ada Lovelace'],
  });
});
