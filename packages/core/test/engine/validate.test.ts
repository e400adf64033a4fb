import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open();
});
afterAll(() => engine.close());

const marked = async (query: string) => {
  const { error } = await engine.validate({ query });
  if (!error?.location) return undefined;
  const line = query.split(/\r\n|\r|\n/)[error.location.line - 1];
  return line.slice(error.location.column - 1, error.location.column - 1 + error.length!);
};

describe('engine.validate', () => {
  it('returns the form and the prefixes of a well-formed text', async () => {
    expect(await engine.validate({ query: 'PREFIX ex: <urn:> ASK { ex:a ?p ?o }' })).toEqual({
      form: 'ask',
      prefixes: { ex: 'urn:' },
    });
    expect(await engine.validate({ query: 'PREFIX : <x/> DESCRIBE :a', baseIri: 'http://e/' })).toEqual({
      form: 'describe',
      prefixes: { '': 'http://e/x/' },
    });
    expect(await engine.validate({ query: 'PREFIX a: <urn:a> INSERT DATA { a:b a:c 1 }' })).toEqual({
      form: 'update',
      prefixes: { a: 'urn:a' },
    });
  });

  it('returns the first error with its place, and the prefixes all the same', async () => {
    const text = 'PREFIX ex: <urn:>\n# PREFIX no: <urn:no>\nSELECT * { ?s ex:p "PREFIX no: <urn:no>" . ?s nope:q ?o }';
    expect(await engine.validate({ query: text })).toEqual({
      prefixes: { ex: 'urn:' },
      error: {
        code: 'INVALID_SPARQL',
        message: expect.stringContaining('nope'),
        location: { line: 3, column: 47 },
        length: 6,
      },
    });
  });

  it.each([
    ['SELECT * { ?s ?p }', '}'],
    ['SELECT * {\r\n ?s ?p ?o ?x\r\n}', '?x'],
    ['SELECT * { ?s ?p <urn:a> <urn:long> }', '<urn:long>'],
    ['SELECT * { ?s ?p "a" "b c" }', '"b c"'],
    ['SELEKT * {}', 'SELEKT'],
    ['SELECT * {', ''],
    ['SELECT * { ?s ?p "\u{1F600}" \u{1F600} }', '\u{1F600}'],
  ])('marks the token of %j', async (query, token) => {
    expect(await marked(query)).toBe(token);
  });

  it('reports what is not supported and what is too long as errors of the text', async () => {
    const { error } = await engine.validate({ query: `SELECT * { ${'{'.repeat(5000)}${'}'.repeat(5000)} }` });
    expect(error?.code).toMatch(/LIMIT_EXCEEDED|INVALID_SPARQL/);
  });

  it('throws what is not about the text', async () => {
    await expect(engine.validate({ query: 'ASK {}', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await expect(engine.validate({} as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
