import { Random } from '../differential/random/random.ts';
import { RandomDataset } from '../differential/random/random-dataset.ts';
import { RandomQueries } from '../differential/random/random-query.ts';
import { RandomUpdates } from '../differential/random/random-update.ts';
import { NEW, OURS } from '../differential/random/terms.ts';
import type { VoicedText } from './voices.ts';

const TEXTS_A_DATASET = 10;
const UPDATES_A_DATASET = 2;

/** String, IRI, variable or name, white space, or one character. */
const TOKEN = /"(?:[^"\\]|\\.)*"|<[^<>\s]*>|[?$]?[\w:.-]+|\s+|./gsu;

/**
 * A text in which one word is left out, doubled, replaced by another or exchanged with it: most are
 * no SPARQL any more, some still are. White space keeps the words apart; what happens without it is
 * decided in the table.
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
