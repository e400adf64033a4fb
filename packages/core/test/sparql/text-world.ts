import { vi } from 'vitest';
import type { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { StoredTexts } from '../../src/sparql/exec/stored-texts.ts';
import { unlikeOthers } from './unlike-others.ts';

/**
 * Letters with several spellings: the Kelvin sign and ſ become letters of ASCII, İ, ß and ﬁ several
 * characters, a capital sigma two different ones, and Ÿ differs from ø in a byte of each.
 */
export const LETTERS = [...'abABkK\u212asSſiIİıßẞéÉÿŸøΣσςﬁﬆŉ\u0307\u0301😀𐐀𐐨日ﬃ1 ', '\uFFFD'];

export const word = (random: SeededRandom, length: number) =>
  Array.from({ length }, () => random.pick(LETTERS)).join('');

/** Opens a world with the texts, in turn as strings, with a language and with a datatype. */
export async function openTexts(texts: readonly string[], batchRows?: number): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({
    sparql: nativeEngine({ ...(batchRows === undefined ? {} : { batchRows }) }),
    textIndex: null,
    storage: undefined,
  });
  await engine.createWorld({ slug: 'w' });
  const suffixes = ['', '', '@de', '^^<urn:type>'];
  const data = texts.map((text, i) => `<urn:s${i}> <urn:p> ${JSON.stringify(text)}${suffixes[i % 4]} .`);
  // No strings: errors for these functions, except for STR.
  const others = ['5', 'true', '<urn:Kiss>', '_:b'].map((term, i) => `<urn:t${i}> <urn:p> ${term} .`);
  await engine.import({ source: 'w', data: [...data, ...others].join('\n'), contentType: 'text/turtle' });
  return engine;
}

/** Returns the subjects of `?s <urn:p> ?o` that pass a condition. */
export async function subjects(engine: WorldsEngine, condition: string): Promise<string[]> {
  const query = `SELECT ?s { ?s <urn:p> ?o FILTER(${condition}) }`;
  const rows = await (await engine.select({ query: unlikeOthers(query), sources: ['w'] })).array();
  return rows.map((row) => row.get('s')!.value).sort();
}

/** Without bytes, the function that the specification defines is evaluated on a string. */
export async function subjectsByValue(engine: WorldsEngine, condition: string): Promise<string[]> {
  const off = vi.spyOn(StoredTexts, 'of').mockReturnValue(undefined);
  try {
    return await subjects(engine, condition);
  } finally {
    off.mockRestore();
  }
}
