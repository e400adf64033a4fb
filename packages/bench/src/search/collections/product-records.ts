import { RandomNumbers } from '../../random-numbers.ts';
import { CollectionBuilder } from './collection-builder.ts';
import type { JudgedCollection } from './judged-collection.ts';

/** Kinds of products: the words of titles, and those that customers use instead. */
const KINDS = [
  ['Jacket', 'coat', 'hood, zip and two pockets'],
  ['Backpack', 'rucksack', 'padded straps and a chest belt'],
  ['Headphones', 'headset', 'soft ear pads and a folding band'],
  ['Kettle', 'water boiler', 'automatic switch and a lid'],
  ['Sofa', 'couch', 'deep seats and oak legs'],
  ['Lamp', 'light', 'dimmer and a fabric shade'],
  ['Knife', 'blade', 'forged steel and a riveted handle'],
  ['Bicycle', 'bike', 'seven gears and disc brakes'],
  ['Keyboard', 'keypad', 'quiet keys and a palm rest'],
  ['Tent', 'shelter', 'aluminium poles and two doors'],
  ['Watch', 'timepiece', 'sapphire glass and a leather strap'],
  ['Blender', 'mixer', 'glass jug and four blades'],
] as const;

/** Properties: the word of the title, and a sentence of the description. */
const FEATURES = [
  ['Waterproof', 'Keeps rain out for hours.'],
  ['Wireless', 'Connects without a cable and charges overnight.'],
  ['Foldable', 'Takes little room when it is packed.'],
  ['Lightweight', 'Weighs less than you expect.'],
  ['Insulated', 'Holds warmth on cold days.'],
  ['Silent', 'Makes hardly any noise.'],
  ['Rechargeable', 'The battery lasts for a week.'],
  ['Recycled', 'Made from old bottles, good for the planet.'],
  ['Adjustable', 'Fits every size.'],
  ['Scratchproof', 'Survives keys and sand.'],
] as const;

const BRANDS = ['Aurora', 'Borealis', 'Cinder', 'Delta Works', 'Ember', 'Fjord', 'Granite', 'Halcyon'];
const COLOURS = ['black', 'white', 'forest green', 'navy blue', 'red', 'sand'];
const PRODUCTS = 4000;
const QUERIES = 150;
const FULL = 3;

/**
 * Generates records with titles, descriptions, brands, colours, categories, numbers and prices:
 * many short values that repeat. A query names a kind and features; a product of the kind gains by
 * the features that it has.
 */
export function productRecords(seed: number): JudgedCollection {
  const random = new RandomNumbers(seed);
  const builder = new CollectionBuilder('product records');
  const products: {
    readonly id: string;
    readonly kind: number;
    readonly features: number[];
    readonly brand: string;
  }[] = [];
  for (let number = 0; number < PRODUCTS; number++) {
    const id = `product/${number}`;
    const kind = random.below(KINDS.length);
    const features = random.sample([...FEATURES.keys()], random.between(1, 3));
    const brand = random.pick(BRANDS);
    const [title, , parts] = KINDS[kind];
    const named = features.slice(0, random.between(1, 2));
    builder.fact(
      id,
      'http://www.w3.org/2000/01/rdf-schema#label',
      `${brand} ${named.map((feature) => FEATURES[feature][0]).join(' ')} ${title} ${random.between(100, 999)}`,
    );
    builder.fact(
      id,
      'description',
      `${features.map((feature) => FEATURES[feature][1]).join(' ')} With ${parts}. ${random.pick(PRAISE)}`,
    );
    builder.fact(id, 'brand', brand);
    builder.fact(id, 'colour', random.pick(COLOURS));
    builder.fact(id, 'category', `${title}s`);
    builder.fact(id, 'sku', `${brand.slice(0, 2).toUpperCase()}-${random.between(10_000, 99_999)}`);
    builder.fact(id, 'price', `${random.between(5, 400)}.99`);
    products.push({ id, kind, features, brand });
  }
  for (let at = 0; at < QUERIES; at++) {
    const { kind, features, brand } = products[random.below(products.length)];
    const withBrand = random.below(2) === 0;
    const gains = new Map<string, number>();
    const feature = features[0];
    for (const product of products) {
      if (product.kind !== kind || !product.features.includes(feature)) continue;
      if (withBrand && product.brand !== brand) continue;
      gains.set(product.id, features.length > 1 && product.features.includes(features[1]) ? FULL : 1);
    }
    const kindWord = random.below(3) === 0 ? KINDS[kind][1] : KINDS[kind][0].toLowerCase();
    const words = features.slice(0, 2).map((one) => FEATURES[one][0].toLowerCase());
    builder.query(`${withBrand ? `${brand} ` : ''}${words.join(' ')} ${kindWord}`, gains);
  }
  return builder.collection();
}

const PRAISE = [
  'Our customers love it.',
  'Two years of warranty.',
  'A gift for everybody.',
  'Sent within a day.',
  'Back in stock.',
  'Designed in Denmark.',
];
