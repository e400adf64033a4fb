import { forEachPrincipal } from '../session/own.ts';
import { client } from '../session/service.ts';
import { learnFrom } from './prefixes.ts';

/** An IRI of a vocabulary, with the number of its uses. */
export interface Counted {
  readonly iri: string;
  readonly count: number;
}

/** What worlds are described with, most used first. */
export interface Vocabulary {
  readonly classes: readonly Counted[];
  readonly predicates: readonly Counted[];
  /**
   * How many there are; the lists may be cut. Of several worlds, the number in the lists or in the
   * largest world, whichever is more.
   */
  readonly totals: { readonly classes: number; readonly predicates: number };
}

const MAX_NAMES = 10_000;
const MAX_KEPT = 20;
const kept = new Map<string, Promise<Vocabulary>>();

/**
 * Returns the classes and predicates of worlds, counted by the server. `state` names their state:
 * the same is counted once.
 */
export function vocabularyOf(worlds: readonly string[], state = ''): Promise<Vocabulary> {
  const key = `${worlds.join(' ')} ${state}`;
  let found = kept.get(key);
  if (!found) {
    found = counted(worlds);
    kept.set(key, found);
    found.catch(() => kept.delete(key));
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  }
  return found;
}

/** Counts again when the vocabulary is next needed: the worlds have changed. */
export function forgetVocabulary(): void {
  kept.clear();
}

forEachPrincipal(forgetVocabulary);

async function counted(worlds: readonly string[]): Promise<Vocabulary> {
  const schemas = await Promise.all(worlds.map((source) => client.schema({ source, limit: MAX_NAMES })));
  const classes = summed(schemas.flatMap((schema) => schema.classes.map((each) => [each.class, each.count] as const)));
  const predicates = summed(
    schemas.flatMap((schema) => schema.predicates.map((each) => [each.predicate, each.count] as const)),
  );
  learnFrom(
    [...predicates, ...classes].map(({ iri }) => iri),
    1,
  );
  const total = (list: readonly Counted[], key: 'classes' | 'predicates') =>
    Math.max(list.length, ...schemas.map(({ totals }) => totals[key]));
  return {
    classes,
    predicates,
    totals: { classes: total(classes, 'classes'), predicates: total(predicates, 'predicates') },
  };
}

function summed(counts: readonly (readonly [iri: string, count: number])[]): Counted[] {
  const sums = new Map<string, number>();
  for (const [iri, count] of counts) sums.set(iri, (sums.get(iri) ?? 0) + count);
  return Array.from(sums, ([iri, count]) => ({ iri, count })).sort((a, b) => b.count - a.count);
}
