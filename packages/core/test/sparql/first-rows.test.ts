import { beforeAll, describe, expect, it } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';

/**
 * Everyone has a name; only people, whose names come last in the order of terms, like something.
 */
const DATA = [
  ...Array.from({ length: 5000 }, (_, i) => `<urn:thing${i}> <urn:name> "a thing ${i}" .`),
  ...Array.from({ length: 500 }, (_, i) => `<urn:person${i}> <urn:name> "person ${i}" .`),
  ...Array.from({ length: 500 }, (_, i) =>
    Array.from({ length: 20 }, (_, k) => `<urn:person${i}> <urn:likes> <urn:thing${i * 7 + k}> .`).join('\n'),
  ),
].join('\n');
const PATTERNS = '{ ?s <urn:likes> ?o . ?s <urn:name> ?n }';

describe('a join of which the first rows are wanted', () => {
  let engine: WorldsEngine;
  beforeAll(async () => {
    engine = await WorldsEngine.open({ sparql: nativeEngine(), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: DATA });
    return () => engine.close();
  });

  const scanned = async (query: string) => {
    const { text } = await engine.explain({ query, analyze: true });
    const [line] = text.split('\n').filter((one) => one.includes('scan '));
    return { pattern: line.includes('likes') ? 'likes' : 'name', rows: Number(/actual (\d+)/.exec(line)![1]) };
  };

  it('begins where they are found soon', async () => {
    expect((await scanned(`SELECT * ${PATTERNS}`)).pattern).toBe('name');
    for (const query of [
      `SELECT * ${PATTERNS} LIMIT 10`,
      `SELECT ?n ${PATTERNS} OFFSET 5 LIMIT 20`,
      `ASK ${PATTERNS}`,
    ]) {
      const { pattern, rows } = await scanned(query);
      expect(pattern).toBe('likes');
      expect(rows).toBeLessThanOrEqual(64);
    }
  });

  it('gives as many', async () => {
    const count = async (query: string) => (await (await engine.select({ query })).array()).length;
    expect(await count(`SELECT * ${PATTERNS} LIMIT 10`)).toBe(10);
    expect(await count(`SELECT * ${PATTERNS} OFFSET 9995 LIMIT 10`)).toBe(5);
    expect(await count(`SELECT * { ?s <urn:likes> ?o . ?o <urn:likes> ?n } LIMIT 10`)).toBe(0);
    expect(await engine.ask({ query: 'ASK { ?s <urn:likes> ?o . ?o <urn:likes> ?n }' })).toBe(false);
  });
});
