import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { prepareOperation } from '../../src/sparql/prepare-operation.ts';

/** What an ASK for one triple of a prefixed name asks for. */
function objectOf(text: string, baseIri?: string): string {
  const operation = prepareOperation(text, { baseIri });
  const found = /"object":\{"termType":"NamedNode","value":"([^"]*)"/.exec(JSON.stringify(operation));
  return found![1];
}

describe('a prologue that was read before', () => {
  it('means the same again', () => {
    for (let time = 0; time < 3; time++) {
      expect(objectOf(`# ${time}\nPREFIX a: <urn:a:> ASK { ?s ?p a:x }`)).toBe('urn:a:x');
      expect(objectOf(`# ${time}\nPREFIX a: <urn:a:> ASK { ?s ?p a:y }`)).toBe('urn:a:y');
    }
  });

  it('may be the beginning of a longer one', () => {
    for (let time = 0; time < 2; time++) {
      expect(objectOf('PREFIX b: <urn:b:> ASK { ?s ?p b:x }')).toBe('urn:b:x');
      expect(objectOf('PREFIX b: <urn:b:> PREFIX c: <urn:c:> ASK { ?s ?p c:x }')).toBe('urn:c:x');
      expect(objectOf('PREFIX b: <urn:b:> PREFIX b: <urn:other:> ASK { ?s ?p b:x }')).toBe('urn:other:x');
    }
    expect(() => objectOf('PREFIX b: <urn:b:> ASK { ?s ?p c:x }')).toThrow('The prefix "c:" is not declared');
  });

  it('ends where its last token does', () => {
    expect(objectOf('PREFIX d: <urn:d:> # end\nASK { ?s ?p d:x }')).toBe('urn:d:x');
    expect(() => prepareOperation('PREFIX d: <urn:d:> # end')).not.toThrow();
    expect(objectOf('PREFIX d: <urn:d:> # ended { ?s ?p d:w }\nASK { ?s ?p d:x }')).toBe('urn:d:x');
    expect(objectOf('VERSION ""PREFIX d: <urn:d:> ASK { ?s ?p d:x }')).toBe('urn:d:x');
    expect(() => objectOf('VERSION """PREFIX d: <urn:d:> ASK { ?s ?p d:x }')).toThrow('not closed');
    expect(objectOf('VERSION ""ASK { ?s ?p <urn:x> }')).toBe('urn:x');
    expect(() => objectOf('VERSION """ASK { ?s ?p <urn:x> }')).toThrow('not closed');
  });

  it('is another one with another base', () => {
    for (const base of ['http://one.example/', 'http://two.example/', 'http://one.example/']) {
      expect(objectOf('PREFIX e: <e/> ASK { ?s ?p e:x }', base)).toBe(`${base}e/x`);
      expect(objectOf('BASE <down/> PREFIX e: <e/> ASK { ?s ?p <x> }', base)).toBe(`${base}down/x`);
    }
    expect(() => objectOf('PREFIX e: <e/> ASK { ?s ?p e:x }')).toThrow('has no base');
  });

  it('does not learn what a later prologue of its text declares', () => {
    for (let time = 0; time < 2; time++) {
      const text = `PREFIX f: <urn:f:> INSERT DATA { <urn:s> <urn:p> f:x } ; PREFIX f: <urn:g:> INSERT DATA { <urn:s> <urn:p> f:x }`;
      const { operations } = prepareOperation(text) as unknown as { operations: { quads: { object: object }[] }[] };
      expect(operations.map(({ quads }) => quads[0].object)).toMatchObject([
        { value: 'urn:f:x' },
        { value: 'urn:g:x' },
      ]);
      expect(objectOf('PREFIX f: <urn:f:> ASK { ?s ?p f:x }')).toBe('urn:f:x');
    }
  });

  it('keeps the offsets of what is behind it', () => {
    for (let time = 0; time < 2; time++) {
      expect(() => prepareOperation('PREFIX h: <urn:h:>\nASK { ?s ?p h:x ')).toThrow(
        expect.objectContaining({ location: { line: 2, column: 17 } }),
      );
    }
  });

  it('declares in random texts what names in full say', () => {
    const prefix = fc.constantFrom('', 'a', 'b', 'a.b');
    const namespace = fc.constantFrom('urn:1:', 'urn:2:', 'http://x.example/#');
    const space = fc.constantFrom(' ', '\n', ' # a: <urn:1:>\n', '\t');
    const declarations = fc.array(fc.tuple(prefix, namespace, space), { maxLength: 4 });
    const local = fc.constantFrom('x', 'y1', '', 'a\\~b', 'x'.repeat(80));
    fc.assert(
      fc.property(declarations, prefix, local, (declared, used, name) => {
        const text = declared.map(([one, iri, end]) => `PREFIX ${one}: <${iri}>${end}`).join('');
        const known = new Map(declared.map(([one, iri]) => [one, iri]));
        const asks = () => objectOf(`${text}ASK { ?s ?p ${used}:${name} }`);
        if (known.has(used)) expect(asks()).toBe(known.get(used) + name.replace('\\', ''));
        else expect(asks).toThrow('is not declared');
      }),
      { numRuns: 500, seed: 1122 },
    );
  });
});

describe('names that were looked up before', () => {
  const text = 'PREFIX ex: <urn:ex:> SELECT ?o WHERE { ex:s ex:p ?o }';
  let texts = 0;
  const count = async (engine: WorldsEngine, source: string): Promise<number> => {
    const result = await engine.select({ query: `# ${++texts}\n${text}`, sources: [source] });
    let rows = 0;
    for await (const batch of result.batches) rows += batch.length;
    return rows;
  };

  it('are looked up in the dictionary of each namespace', async () => {
    await using engine = await WorldsEngine.open();
    for (const name of ['one/w', 'two/w', 'three/w'])
      await engine.createWorld({ slug: 'w', namespace: name.split('/')[0] });
    await engine.update({ query: 'INSERT DATA { <urn:x> <urn:y> <urn:z> }', sources: ['two/w'] });
    for (const name of ['one/w', 'two/w']) {
      expect(await count(engine, name)).toBe(0);
      await engine.update({ query: 'PREFIX ex: <urn:ex:> INSERT DATA { ex:s ex:p 1 }', sources: [name] });
    }
    for (const name of ['one/w', 'two/w', 'three/w', 'one/w'])
      expect(await count(engine, name)).toBe(name === 'three/w' ? 0 : 1);
  });

  it('are found again after they were forgotten', async () => {
    await using engine = await WorldsEngine.open();
    await engine.createWorld({ slug: 'w' });
    for (let time = 0; time < 3; time++) {
      await engine.update({ query: 'PREFIX ex: <urn:ex:> INSERT DATA { ex:s ex:p 1, 2 }', sources: ['w'] });
      expect(await count(engine, 'w')).toBe(2);
      await engine.update({ query: 'DELETE WHERE { ?s ?p ?o }', sources: ['w'] });
      await engine.compact();
      expect(await count(engine, 'w')).toBe(0);
    }
  });
});
