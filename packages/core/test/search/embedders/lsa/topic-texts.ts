import { SeededRandom } from '@rdf-worlds/testkit';
import type { TrainingText, TrainingTexts } from '../../../../src/contracts/embedder.ts';

/** Words of three topics. Of each the first two mean the same: a text has the one or the other. */
export const TOPICS = [
  ['ship', 'boat', 'harbour', 'sail', 'anchor', 'mast', 'captain', 'tide'],
  ['physician', 'doctor', 'hospital', 'nurse', 'patient', 'medicine', 'surgery', 'ward'],
  ['symphony', 'concerto', 'orchestra', 'violin', 'conductor', 'melody', 'cello', 'tempo'],
] as const;

/** Texts of one topic each, with words that are everywhere. */
export function topicTexts(count: number, seed = 1): readonly TrainingText[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => {
    const [one, other, ...rest] = random.pick(TOPICS);
    const words = [random.chance(0.5) ? one : other, random.pick(rest), random.pick(rest), random.pick(rest)];
    for (let at = 0; at < 2; at++) words.push(random.pick(['thing', 'time', 'place', 'case', 'part'] as never));
    return { text: words.join(' '), language: 'en' };
  });
}

export const trainingTexts = (texts: readonly TrainingText[]): TrainingTexts => ({
  length: texts.length,
  at: (index) => texts[index],
});

export function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let at = 0; at < a.length; at++) {
    dot += a[at] * b[at];
    lengthA += a[at] ** 2;
    lengthB += b[at] ** 2;
  }
  return lengthA === 0 || lengthB === 0 ? 0 : dot / Math.sqrt(lengthA * lengthB);
}
