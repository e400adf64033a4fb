import { RandomNumbers } from '../../random-numbers.ts';
import { CollectionBuilder } from './collection-builder.ts';
import type { JudgedCollection } from './judged-collection.ts';

const TEXTS = 20_000;
const QUERIES = 200;
const LONG = 10;

/**
 * Known-item search: each question consists of a few words of one text, which is the only relevant
 * hit.
 */
export function knownItems(texts: readonly string[], seed: number): JudgedCollection {
  const random = new RandomNumbers(seed);
  const builder = new CollectionBuilder('known items');
  const chosen = random.sample(texts, TEXTS);
  const long: number[] = [];
  for (const [at, text] of chosen.entries()) {
    builder.fact(`text/${at}`, 'text', text);
    if (text.split(/\s+/).length >= LONG) long.push(at);
  }
  for (const at of random.sample(long, QUERIES)) {
    const words = chosen[at].split(/\s+/);
    builder.query(random.sample(words, Math.ceil(words.length / 3)).join(' '), new Map([[`text/${at}`, 1]]));
  }
  return builder.collection();
}
