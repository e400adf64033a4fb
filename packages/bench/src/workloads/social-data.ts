import { FAMILY_NAMES, GIVEN_NAMES } from '../academic-words.ts';
import { RandomNumbers } from '../random-numbers.ts';
import { COUNTRIES } from './countries.ts';
import type { Dataset, Entity, EntityKind } from './entity.ts';
import { dateAfter, skewed, timeAfter } from './generated-values.ts';
import { languageText, languageTitle } from './language-words.ts';

const city: EntityKind = {
  name: 'city',
  columns: [
    { name: 'title', type: 'string' },
    { name: 'country', type: 'string' },
  ],
};
const tag: EntityKind = {
  name: 'tag',
  columns: [
    { name: 'label', type: 'text' },
    { name: 'broader', type: 'reference', to: 'tag' },
  ],
};
const person: EntityKind = {
  name: 'person',
  columns: [
    { name: 'title', type: 'string' },
    { name: 'born', type: 'date' },
    { name: 'city', type: 'reference', to: 'city' },
    { name: 'joined', type: 'dateTime' },
    { name: 'nickname', type: 'string' },
    { name: 'follows', type: 'reference', to: 'person', isMany: true },
    { name: 'likes', type: 'reference', to: 'post', isMany: true },
  ],
};
const post: EntityKind = {
  name: 'post',
  columns: [
    { name: 'creator', type: 'reference', to: 'person' },
    { name: 'content', type: 'text' },
    { name: 'created', type: 'dateTime' },
    { name: 'tag', type: 'reference', to: 'tag', isMany: true },
    { name: 'replyOf', type: 'reference', to: 'post' },
  ],
};

const AT_SCALE_1 = { city: 100, tag: 400, person: 12_000, post: 64_000 };
const FOLLOWED = 30;
const LIKED = 50;
const CHILDREN_OF_A_TAG = 5;
const TWO_YEARS_S = 2 * 365 * 86_400;

/**
 * People who follow each other, and their posts, replies, tags and likes. Few people have most of
 * the followers, and few write most of the posts. Nicknames are optional.
 */
export function socialDataset({ seed, scale }: { readonly seed: number; readonly scale: number }): Dataset {
  const count = (kind: keyof typeof AT_SCALE_1) => Math.max(8, Math.round(AT_SCALE_1[kind] * scale));
  return {
    name: 'social',
    kinds: [city, tag, person, post],
    *entities(): Generator<Entity> {
      const random = new RandomNumbers(seed);
      /** Distinct numbers, small ones more often; their number follows the same law. */
      const some = (most: number, end: number) => [
        ...new Set(Array.from({ length: 1 + skewed(random, most * 2) }, () => skewed(random, end))),
      ];
      for (let number = 0; number < count('city'); number++) {
        const country = COUNTRIES[skewed(random, COUNTRIES.length)];
        yield { kind: city, number, values: { title: `City ${number}`, country } };
      }
      for (let number = 0; number < count('tag'); number++) {
        const broader = number === 0 ? undefined : Math.floor((number - 1) / CHILDREN_OF_A_TAG);
        yield { kind: tag, number, values: { label: languageTitle(random, 2, 'en'), broader } };
      }
      for (let number = 0; number < count('person'); number++) {
        const given = random.pick(GIVEN_NAMES);
        const values = {
          title: `${given} ${random.pick(FAMILY_NAMES)}`,
          born: dateAfter('1950-01-01', random.below(20_000)),
          city: skewed(random, count('city')),
          joined: timeAfter('2020-01-01', random.below(TWO_YEARS_S)),
          nickname: random.below(3) === 0 ? `${given.toLowerCase()}${number}` : undefined,
          follows: some(FOLLOWED, count('person')).filter((other) => other !== number),
          likes: some(LIKED, count('post')),
        };
        yield { kind: person, number, values };
      }
      for (let number = 0; number < count('post'); number++) {
        const values = {
          creator: skewed(random, count('person')),
          content: languageText(random, random.between(3, 40)),
          created: timeAfter('2022-01-01', Math.floor((number * TWO_YEARS_S) / count('post')) + random.below(600)),
          tag: [...new Set(Array.from({ length: random.between(0, 3) }, () => skewed(random, count('tag'))))],
          // Replies are to posts of not long before, so that threads are deep.
          replyOf: number > 0 && random.below(5) < 2 ? number - 1 - skewed(random, Math.min(number, 500)) : undefined,
        };
        yield { kind: post, number, values };
      }
    },
  };
}
