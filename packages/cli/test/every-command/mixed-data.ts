import { SeededRandom } from '@rdf-worlds/testkit';

const EX = 'https://example.org/';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';
const FOAF = 'http://xmlns.com/foaf/0.1/';

/** A sixth of the reviews are in this graph. */
export const REVIEWS = `${EX}graphs/reviews`;

const WORDS =
  'light bulb filament tungsten kettle copper wire quiet sturdy arrived late broken excellent garden chair oak table colour warm cold steel glass bottle paper winter summer cheap heavy round square café naïve Straße größer 東京 書籍 cleans quickly battery lasts never charges well'.split(
    ' ',
  );
const LANGUAGES = ['en', 'de', 'fr', 'ja', 'pt-BR'];
const NAMES = 'Ada Bob Chloé Dmitri Eun-ji Fatima Günther Hiroshi Inês José'.split(' ');

const iri = (path: string) => `<${EX}${path}>`;
const typed = (value: string, type: string) => `"${value}"^^<${XSD}${type}>`;

/**
 * Yields `count` distinct lines of N-Quads, as a shop has them: products with labels and
 * descriptions in several languages, people who know each other, reviews of which some are in a
 * named graph, and orders with addresses (blank nodes) and collections of their items.
 */
export function* mixedLines(count: number, seed: number): Generator<string> {
  let left = count;
  for (const line of endlessLines(new SeededRandom(seed))) {
    if (left-- === 0) return;
    yield line;
  }
}

function* endlessLines(random: SeededRandom): Generator<string> {
  for (let at = 0; ; at++) {
    yield* person(at, random);
    for (let product = at * 2; product < at * 2 + 2; product++) yield* describedProduct(product, random);
    for (let review = at * 3; review < at * 3 + 3; review++) yield* writtenReview(review, at, random);
    if (at % 2 === 0) yield* order(at, random);
  }
}

function sentence(random: SeededRandom, words: number): string {
  return Array.from({ length: words }, () => random.pick(WORDS)).join(' ');
}

const day = (random: SeededRandom) => `20${10 + random.below(15)}-0${1 + random.below(9)}-${10 + random.below(18)}`;

function* person(at: number, random: SeededRandom): Generator<string> {
  const subject = iri(`people/${at}`);
  yield `${subject} <${RDF}type> <${FOAF}Person> .\n`;
  yield `${subject} <${FOAF}name> "${random.pick(NAMES)} ${random.pick(NAMES)} \\"${at}\\"" .\n`;
  yield `${subject} <${FOAF}mbox> <mailto:person${at}@example.org> .\n`;
  yield `${subject} ${iri('birthday')} ${typed(day(random), 'date')} .\n`;
  const known = new Set(Array.from({ length: random.below(4) }, () => random.below(at + 1)));
  for (const other of known) yield `${subject} <${FOAF}knows> ${iri(`people/${other}`)} .\n`;
}

function* describedProduct(at: number, random: SeededRandom): Generator<string> {
  const subject = iri(`products/${at}`);
  yield `${subject} <${RDF}type> ${iri('Product')} .\n`;
  for (const language of LANGUAGES.slice(0, 1 + random.below(4)))
    yield `${subject} <${RDFS}label> "${sentence(random, 3)} ${at}"@${language} .\n`;
  yield `${subject} <${RDFS}comment> "${sentence(random, 10 + random.below(50))}"@${random.pick(LANGUAGES)} .\n`;
  yield `${subject} ${iri('price')} ${typed(`${random.below(500)}.${10 + random.below(89)}`, 'decimal')} .\n`;
  yield `${subject} ${iri('stock')} ${typed(String(random.below(1000)), 'integer')} .\n`;
  yield `${subject} ${iri('category')} ${iri(`categories/${random.below(200)}`)} .\n`;
}

function* writtenReview(at: number, author: number, random: SeededRandom): Generator<string> {
  const subject = iri(`reviews/${at}`);
  const end = at % 6 === 0 ? ` <${REVIEWS}> .\n` : ' .\n';
  yield `${subject} <${RDF}type> ${iri('Review')}${end}`;
  yield `${subject} ${iri('by')} ${iri(`people/${author}`)}${end}`;
  yield `${subject} ${iri('about')} ${iri(`products/${random.below(2 * author + 2)}`)}${end}`;
  yield `${subject} ${iri('rating')} ${typed(String(1 + random.below(5)), 'integer')}${end}`;
  yield `${subject} ${iri('score')} ${typed(`${random.below(100)}.5E-2`, 'double')}${end}`;
  yield `${subject} ${iri('written')} ${typed(`${day(random)}T12:00:${10 + random.below(49)}Z`, 'dateTime')}${end}`;
  yield `${subject} ${iri('text')} "${sentence(random, 5 + random.below(40))}\\n${at}"${end}`;
}

function* order(at: number, random: SeededRandom): Generator<string> {
  const subject = iri(`orders/${at}`);
  yield `${subject} ${iri('placedBy')} ${iri(`people/${at}`)} .\n`;
  yield `${subject} ${iri('shipTo')} _:address${at} .\n`;
  yield `_:address${at} ${iri('street')} "${random.pick(WORDS)} ${random.below(99)}" .\n`;
  yield `_:address${at} ${iri('city')} "${random.pick(['Porto', 'Kyōto', 'Århus'])}" .\n`;
  const items = 1 + random.below(4);
  yield `${subject} ${iri('items')} _:cell${at}x0 .\n`;
  for (let item = 0; item < items; item++) {
    yield `_:cell${at}x${item} <${RDF}first> ${iri(`products/${random.below(2 * at + 2)}`)} .\n`;
    yield `_:cell${at}x${item} <${RDF}rest> ${item + 1 < items ? `_:cell${at}x${item + 1}` : `<${RDF}nil>`} .\n`;
  }
}
