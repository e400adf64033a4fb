import { Random } from '../differential/random/random.ts';
import { RandomDataset } from '../differential/random/random-dataset.ts';
import { RandomQueries } from '../differential/random/random-query.ts';
import { RandomUpdates } from '../differential/random/random-update.ts';
import { NEW, OURS } from '../differential/random/terms.ts';
import type { VoicedText } from './voices.ts';

const TEXTS_A_DATASET = 10;
const UPDATES_A_DATASET = 2;

/** Matches a string, an IRI, a variable or name, white space, or a single character. */
const TOKEN = /"(?:[^"\\]|\\.)*"|<[^<>\s]*>|[?$]?[\w:.-]+|\s+|./gsu;

/**
 * Deletes a random word of a text, inserts another word before it, replaces it with that word, or
 * exchanges both. Few mutants are still valid SPARQL. White space keeps words apart, because
 * parsers are known to disagree about adjacent words.
 */
function mutant(random: Random, text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  const places = [...tokens.keys()].filter((at) => tokens[at].trim() !== '');
  const [here, there] = [random.pick(places), random.pick(places)];
  const [one, other] = [tokens[here], tokens[there]];
  const change = random.pick(['leave out', 'insert', 'replace', 'exchange'] as const);
  switch (change) {
    case 'leave out':
      tokens[here] = ' ';
      break;
    case 'insert':
      tokens[here] = ` ${other} ${one} `;
      break;
    case 'replace':
      tokens[here] = ` ${other} `;
      break;
    case 'exchange':
      tokens[here] = ` ${other} `;
      tokens[there] = ` ${one} `;
  }
  return tokens.join('');
}

/** Yields `count` random texts, each followed by a mutant of it. */
export function* randomTexts(seed: number, count: number): Generator<VoicedText> {
  let made = 0;
  for (let dataset = seed; ; dataset++) {
    const random = new Random(dataset);
    const isNew = random.chance(0.2);
    const data = new RandomDataset(random, 1, isNew ? NEW : OURS);
    const queries = new RandomQueries(random, data, () => {});
    const updates = new RandomUpdates(random, data, () => {});
    for (let i = 0; i < TEXTS_A_DATASET; i++) {
      if (made++ >= count) return;
      const text = i < TEXTS_A_DATASET - UPDATES_A_DATASET ? queries.query().text : updates.update();
      const name = `dataset seed ${dataset}, text ${i}`;
      yield { name, text, isSparql11: !isNew };
      yield { name: `${name}, mutant`, text: mutant(random, text), isSparql11: !isNew };
    }
  }
}
