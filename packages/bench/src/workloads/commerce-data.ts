import { RandomNumbers } from '../random-numbers.ts';
import { COUNTRIES } from './countries.ts';
import type { Dataset, Entity, EntityKind } from './entity.ts';
import { dateAfter, decimal, skewed, timeAfter } from './generated-values.ts';
import { languageText, languageTitle } from './language-words.ts';

const category: EntityKind = {
  name: 'category',
  columns: [
    { name: 'label', type: 'text' },
    { name: 'parent', type: 'reference', to: 'category' },
  ],
};
const feature: EntityKind = { name: 'feature', columns: [{ name: 'label', type: 'text' }] };
const vendor: EntityKind = {
  name: 'vendor',
  columns: [
    { name: 'title', type: 'string' },
    { name: 'country', type: 'string' },
    { name: 'score', type: 'double' },
  ],
};
const person: EntityKind = {
  name: 'person',
  columns: [
    { name: 'title', type: 'string' },
    { name: 'country', type: 'string' },
  ],
};
const product: EntityKind = {
  name: 'product',
  columns: [
    { name: 'label', type: 'text' },
    { name: 'category', type: 'reference', to: 'category' },
    { name: 'maker', type: 'reference', to: 'vendor' },
    { name: 'weight', type: 'double' },
    { name: 'height', type: 'integer' },
    { name: 'released', type: 'date' },
    { name: 'feature', type: 'reference', to: 'feature', isMany: true },
    { name: 'comment', type: 'text' },
  ],
};
const offer: EntityKind = {
  name: 'offer',
  columns: [
    { name: 'product', type: 'reference', to: 'product' },
    { name: 'vendor', type: 'reference', to: 'vendor' },
    { name: 'price', type: 'decimal' },
    { name: 'deliveryDays', type: 'integer' },
    { name: 'validFrom', type: 'date' },
    { name: 'validTo', type: 'date' },
  ],
};
const review: EntityKind = {
  name: 'review',
  columns: [
    { name: 'about', type: 'reference', to: 'product' },
    { name: 'reviewer', type: 'reference', to: 'person' },
    { name: 'heading', type: 'text' },
    { name: 'body', type: 'text' },
    { name: 'written', type: 'dateTime' },
    { name: 'rating', type: 'integer' },
    { name: 'usefulness', type: 'integer' },
  ],
};

/** Entities at scale 1, which makes about a million triples. */
const AT_SCALE_1 = { category: 150, feature: 1200, vendor: 500, person: 8000, product: 16_000, offer: 62_000 };
const REVIEWS_AT_SCALE_1 = 28_000;
const CHILDREN_OF_A_CATEGORY = 4;
const YEARS_OF_REVIEWS_S = 4 * 365 * 86_400;

/**
 * A shop: products in a tree of categories, offers with prices and dates, reviews with texts of up
 * to 1,400 characters in four languages. Few products have most of the offers and reviews. Comments
 * and ratings are optional.
 */
export function commerceDataset({ seed, scale }: { readonly seed: number; readonly scale: number }): Dataset {
  const count = (kind: keyof typeof AT_SCALE_1) => Math.max(8, Math.round(AT_SCALE_1[kind] * scale));
  return {
    name: 'commerce',
    kinds: [category, feature, vendor, person, product, offer, review],
    *entities(): Generator<Entity> {
      const random = new RandomNumbers(seed);
      for (let number = 0; number < count('category'); number++) {
        const parent = number === 0 ? undefined : Math.floor((number - 1) / CHILDREN_OF_A_CATEGORY);
        yield { kind: category, number, values: { label: languageTitle(random, 2, 'en'), parent } };
      }
      for (let number = 0; number < count('feature'); number++) {
        yield { kind: feature, number, values: { label: languageTitle(random, 3) } };
      }
      for (let number = 0; number < count('vendor'); number++) {
        const values = { title: `Vendor ${number}`, country: country(random), score: double(random.below(5000)) };
        yield { kind: vendor, number, values };
      }
      for (let number = 0; number < count('person'); number++) {
        yield { kind: person, number, values: { title: `Reviewer ${number}`, country: country(random) } };
      }
      for (let number = 0; number < count('product'); number++) {
        const features = Array.from({ length: random.between(3, 12) }, () => skewed(random, count('feature')));
        const values = {
          label: languageTitle(random, random.between(2, 5)),
          category: random.below(count('category')),
          maker: skewed(random, count('vendor')),
          weight: double(random.between(10, 80_000)),
          height: String(random.between(1, 500)),
          released: dateAfter('2018-01-01', random.below(2500)),
          feature: [...new Set(features)],
          comment: random.below(5) < 2 ? languageText(random, random.between(15, 60)) : undefined,
        };
        yield { kind: product, number, values };
      }
      for (let number = 0; number < count('offer'); number++) {
        const start = random.below(1400);
        const values = {
          product: skewed(random, count('product')),
          vendor: skewed(random, count('vendor')),
          price: decimal(random.between(100, 100 + skewed(random, 500_000))),
          deliveryDays: String(random.between(1, 21)),
          validFrom: dateAfter('2022-01-01', start),
          validTo: dateAfter('2022-01-01', start + random.between(7, 180)),
        };
        yield { kind: offer, number, values };
      }
      const reviews = Math.max(8, Math.round(REVIEWS_AT_SCALE_1 * scale));
      for (let number = 0; number < reviews; number++) {
        const body = languageText(random, random.between(10, 200));
        const values = {
          about: skewed(random, count('product')),
          reviewer: random.below(count('person')),
          heading: languageTitle(random, random.between(2, 6), body.language),
          body,
          written: timeAfter('2021-01-01', random.below(YEARS_OF_REVIEWS_S)),
          rating: random.below(10) < 7 ? String(random.between(1, 10)) : undefined,
          usefulness: random.below(10) < 3 ? String(skewed(random, 400)) : undefined,
        };
        yield { kind: review, number, values };
      }
    },
  };
}

function country(random: RandomNumbers): string {
  return COUNTRIES[skewed(random, COUNTRIES.length)];
}

/** Returns the lexical form of a double with an exponent, from thousandths. */
function double(thousandths: number): string {
  return (thousandths / 1000).toExponential(3).replace('e+', 'E').replace('e', 'E');
}
