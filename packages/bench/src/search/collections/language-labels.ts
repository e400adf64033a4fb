import { RandomNumbers } from '../../random-numbers.ts';
import { CollectionBuilder } from './collection-builder.ts';
import type { JudgedCollection } from './judged-collection.ts';

const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';
const LOCALES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'fi', 'pl', 'cs', 'tr', 'ru', 'el', 'hu', 'id'];
const CODES = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const QUERIES = 400;

/**
 * The names of countries, languages and currencies in sixteen languages, from the locale data of
 * the runtime (Unicode CLDR). A query is a name in one of them, a part of it, or misspelt; the
 * entity is the answer, and every entity that has exactly this name.
 */
export function languageLabels(seed: number): JudgedCollection {
  const random = new RandomNumbers(seed);
  const builder = new CollectionBuilder('labels in languages');
  const named: { readonly id: string; readonly names: readonly string[] }[] = [];
  for (const [type, length] of [
    ['region', 2],
    ['currency', 3],
    ['language', 2],
  ] as const) {
    const displays = LOCALES.map((locale) => new Intl.DisplayNames(locale, { type, fallback: 'none' }));
    for (const code of codes(length)) {
      const value = type === 'language' ? code.toLowerCase() : code;
      const names = displays.map((display) => display.of(value));
      if (names.some((name) => name === undefined)) continue;
      const id = `${type}/${value}`;
      for (const [at, name] of names.entries()) builder.fact(id, LABEL, name!, LOCALES[at]);
      builder.fact(id, 'code', value);
      builder.fact(id, 'kind', type);
      named.push({ id, names: names as string[] });
    }
  }
  const holders = new Map<string, Set<string>>();
  for (const { id, names } of named) {
    for (const name of names) holders.set(name, (holders.get(name) ?? new Set()).add(id));
  }
  for (let at = 0; at < QUERIES; at++) {
    const { names } = random.pick(named);
    const name = random.pick(names);
    const gains = new Map(Array.from(holders.get(name)!, (holder) => [holder, 1]));
    const letters = [...name];
    if (at % 4 === 3 && letters.length >= 8) letters.splice(random.between(2, letters.length - 2), 1);
    builder.query(letters.join(''), gains);
  }
  return builder.collection();
}

function* codes(length: 2 | 3): Generator<string> {
  for (const first of CODES) {
    for (const second of CODES) {
      if (length === 2) yield first + second;
      else for (const third of CODES) yield first + second + third;
    }
  }
}
