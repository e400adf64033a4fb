import { describe, expect, it } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import type { Update } from '../../src/sparql/algebra/algebra.ts';
import { ParsedTexts } from '../../src/sparql/parsed-texts.ts';

/** Parses nothing, and remembers what it was asked for. */
function counting() {
  const asked: string[] = [];
  const parsed = new ParsedTexts();
  const texts = {
    get size() {
      return parsed.size;
    },
    get(text: string, baseIri: string | undefined) {
      const known = parsed.known(text, baseIri);
      if (known) return known;
      asked.push(`${text} ${baseIri}`);
      const operation: Update = { type: 'update', operations: [] };
      parsed.keep(text, baseIri, undefined, operation);
      return operation;
    },
  };
  return { asked, texts };
}

describe('parsed texts', () => {
  it('are parsed once for a text and a base', () => {
    const { asked, texts } = counting();
    const first = texts.get('a', undefined);
    expect(texts.get('a', undefined)).toBe(first);
    expect(texts.get('a', 'urn:base')).not.toBe(first);
    texts.get('a', '');
    texts.get('a', 'urn:base');
    expect(asked).toEqual(['a undefined', 'a urn:base', 'a ']);
  });

  it('do not mix a base with the text behind it', () => {
    const { asked, texts } = counting();
    const pairs: readonly (readonly [string, string | undefined])[] = [
      ['b\nc', 'a'],
      ['c', 'a\nb'],
      [':c', undefined],
      ['1:ac', undefined],
      ['c', 'a'],
      ['0:c', undefined],
      ['c', ''],
    ];
    for (const [text, baseIri] of [...pairs, ...pairs]) texts.get(text, baseIri);
    expect(asked).toHaveLength(pairs.length);
  });

  it('are not another base and its text', () => {
    const { texts } = counting();
    const pair = texts.get('c', 'a');
    expect(texts.get('a c', undefined)).not.toBe(pair);
    expect(texts.get('c', 'a')).toBe(pair);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('may be %j', (text) => {
    const { asked, texts } = counting();
    const first = texts.get(text, undefined);
    expect(texts.get(text, undefined)).toBe(first);
    expect(asked).toHaveLength(1);
  });

  it('stay while they are used, however many others come', () => {
    const { asked, texts } = counting();
    for (let i = 0; i < 1000; i++) {
      texts.get('used', undefined);
      texts.get(`other ${i}`, undefined);
    }
    expect(asked.filter((one) => one.startsWith('used'))).toHaveLength(1);
    expect(texts.size).toBeLessThanOrEqual(40);
    asked.length = 0;
    for (let i = 0; i < 16; i++) texts.get(`other ${999 - i}`, undefined);
    expect(asked).toEqual([]);
    texts.get('other 900', undefined);
    expect(asked).toEqual(['other 900 undefined']);
  });

  it('stay long when they are asked again', () => {
    const { asked, texts } = counting();
    for (let i = 0; i < 1000; i++) for (let again = 0; again < 2; again++) texts.get(`text ${i}`, undefined);
    for (let i = 0; i < 1000; i++) texts.get(`once ${i}`, undefined);
    expect(texts.size).toBeLessThanOrEqual(256 + 32);
    asked.length = 0;
    for (let i = 999; i >= 1000 - 128; i--) texts.get(`text ${i}`, undefined);
    expect(asked).toEqual([]);
    texts.get('text 700', undefined);
    expect(asked).toEqual(['text 700 undefined']);
  });

  it('stay when they come again after many others', () => {
    const { asked, texts } = counting();
    const ask = () => {
      for (let i = 0; i < 100; i++) texts.get(`text ${i}`, undefined);
    };
    ask();
    expect(texts.size).toBeLessThanOrEqual(32);
    ask();
    asked.length = 0;
    ask();
    expect(asked).toEqual([]);
  });

  it('are bounded by their length too', () => {
    const { asked, texts } = counting();
    const long = (i: number) => `${i} `.padEnd(1 << 16, 'x');
    for (let i = 0; i < 100; i++) texts.get(long(i), undefined);
    expect(texts.size).toBeLessThanOrEqual(4);
    texts.get(long(99), undefined);
    expect(asked).toHaveLength(100);
    for (let i = 0; i < 100; i++) for (let again = 0; again < 2; again++) texts.get(long(i), undefined);
    expect(texts.size).toBeGreaterThanOrEqual(7);
    expect(texts.size).toBeLessThanOrEqual(20);
    // Longer ones, or those with an absurd base, are parsed and forgotten.
    asked.length = 0;
    const { size } = texts;
    for (let i = 0; i < 2; i++) texts.get('y'.repeat((1 << 16) + 1), undefined);
    for (let i = 0; i < 2; i++) texts.get('a', 'b'.repeat(1 << 21));
    expect(asked).toHaveLength(4);
    expect(texts.size).toBe(size);
  });
});

describe('a text that is asked again', () => {
  it('applies the bindings of each call', async () => {
    await using engine = await WorldsEngine.open({ sparql: nativeEngine(), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: '<urn:a> <urn:p> "1" .\n<urn:b> <urn:p> "2" .' });
    const query = 'SELECT ?s ?o { ?s <urn:p> ?o } ORDER BY ?s';
    const answers = async (bindings?: Readonly<Record<string, string>>) =>
      (await (await engine.select({ query, bindings })).array()).map((row) => row.get('s')!.value);
    expect(await answers()).toEqual(['urn:a', 'urn:b']);
    expect(await answers({ o: '1' })).toEqual(['urn:a']);
    expect(await answers({ o: '2' })).toEqual(['urn:b']);
    expect(await answers()).toEqual(['urn:a', 'urn:b']);
    const named = 'SELECT ?__proto__ ?constructor { ?__proto__ <urn:p> ?constructor } ORDER BY ?constructor';
    for (const value of ['1', '2']) {
      const rows = await (await engine.select({ query: named, bindings: { constructor: value } })).array();
      expect(rows.map((row) => row.get('constructor')!.value)).toEqual([value]);
    }
    const pairs = new Map([['__proto__', '1']]);
    expect(await engine.ask({ query: 'ASK { ?s <urn:p> ?__proto__ }', bindings: pairs })).toBe(true);
  });

  it('resolves against the base of its own request', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: '<http://one/x> <urn:p> "1" .' });
    const ask = (baseIri?: string) => engine.ask({ query: 'ASK { <x> <urn:p> ?o }', baseIri });
    expect(await ask('http://one/')).toBe(true);
    expect(await ask('http://two/')).toBe(false);
    await expect(ask()).rejects.toMatchObject({ code: 'INVALID_SPARQL' });
    expect(await ask('http://one/')).toBe(true);
  });
});
