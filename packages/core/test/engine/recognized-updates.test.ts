import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

const TEMPLATES: readonly ((one: string, other: string, n: number) => string)[] = [
  (one, other) => `INSERT DATA { <urn:${one}> <urn:knows> <urn:${other}> }`,
  (one, other, n) => `PREFIX : <urn:>\nINSERT DATA { :${one} :age ${n} ; :name "${other}"@en , '${one}' }`,
  (one, other, n) =>
    `INSERT DATA { GRAPH <urn:g> { <urn:${one}> <urn:on> "2026-01-0${1 + (n % 9)}"^^<urn:day> } } # ${other}`,
  (one, other) => `INSERT DATA { <urn:${one}> <urn:list> ( <urn:${one}> "${other}" [ <urn:p> <urn:${other}> ] ) }`,
  (one, other) => `DELETE DATA { <urn:${one}> <urn:knows> <urn:${other}> } # by ${other}`,
  (one, other, n) => `PREFIX : <urn:>\nDELETE DATA { :${other} :age ${n} . :${one} :name '${one}' }`,
  (one, other) => `INSERT DATA { <urn:${one}> <urn:knows> <urn:${other}> {| <urn:by> <urn:${other}> |} }`,
];

it('updates that are recognized by their template change the same quads as parsed ones', async () => {
  const random = new SeededRandom(20261128);
  const name = () => `n${random.below(6)}`;
  const engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['recognized', 'parsed']) await engine.createWorld({ slug });
  for (let i = 0; i < 400; i++) {
    const query = random.pick(TEMPLATES)(name(), name(), random.below(30));
    const recognized = await engine.update({ query, sources: ['recognized'] });
    // A text with bindings is parsed.
    const parsed = await engine.update({ query, sources: ['parsed'], bindings: {} });
    expect({ query, ...recognized, revision: 0 }).toEqual({ query, ...parsed, revision: 0 });
  }
  const isSame = await engine.isIsomorphic({ source: 'recognized', to: { source: 'parsed' } });
  expect(isSame).toBe(true);
  await engine.close();
});
