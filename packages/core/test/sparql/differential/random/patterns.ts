import { type Draft, NAMES, type Place } from './draft.ts';
import { randomPath } from './random-path.ts';
import { GRAPHS, NODES, PREDICATES } from './terms.ts';

/** Triple patterns that have a solution, as far as names allow. */
export function triples(draft: Draft, place: Place): string {
  const { random } = draft;
  const count = random.weighted([
    [8, 1],
    [4, 2],
    [1, 3],
    [0.3, 4],
  ]);
  return Array.from({ length: count }, () => {
    const { subject, predicate, object } = draft.sample(place);
    const s = random.chance(0.05) ? '[]' : draft.term(subject, 0.12);
    const p = draft.term(predicate, 0.8);
    const o = random.chance(0.05) ? '[]' : draft.term(object, 0.15);
    return `${s} ${p} ${o} .`;
  }).join(' ');
}

export function path(draft: Draft, place: Place): string {
  const { random } = draft;
  const { subject, object } = draft.sample(place);
  const other = draft.sample(place);
  const steps = randomPath(random);
  // A literal cannot begin what RDF has, but a path may be asked for one; for a triple term it may
  // not (SPARQL 1.2).
  const from = random.chance(0.15) && !object.startsWith('<<') ? draft.term(object, 0.5) : draft.term(subject, 0.2);
  const to = draft.term(random.chance(0.5) ? object : other.object, 0.25);
  return `${from} ${steps} ${to} .`;
}

/** Paths of several steps that lead to the same node in more than one way. */
export function waysOfPath(draft: Draft, place: Place): string {
  const { random } = draft;
  const { subject } = draft.sample(place);
  const predicate = () => random.pick(PREDICATES);
  const step = () =>
    random.pick([
      `!${predicate()}`,
      `(${predicate()}|${predicate()})`,
      predicate(),
      `^${predicate()}`,
      `${predicate()}${random.pick(['?', '*', '+'])}`,
    ]);
  const steps = `(${step()}/${step()}/${step()})|${step()}`;
  return `${draft.term(subject, 0.2)} ${steps} ${draft.term(draft.sample(place).object, 0.1)} .`;
}

/** A path whose steps the data has twice in a row, where it has. */
export function twoSteps(draft: Draft, place: Place): string {
  const { random } = draft;
  const rows = place.triples.flatMap((first) =>
    place.triples
      .filter((next) => next.subject === first.object && next !== first)
      .map((next) => [first, next] as const),
  );
  if (rows.length === 0) return path(draft, place);
  const same = rows.filter(([first, next]) => first.predicate === next.predicate);
  const [first, next] = random.pick(same.length > 0 ? same : rows);
  const steps = [...new Set([first.predicate, next.predicate])].join('|');
  const repeated = `(${random.chance(0.3) ? '^' : ''}(${steps}))${random.pick(['?', '+', '*'])}`;
  return `${draft.term(first.subject, 0.4)} ${repeated} ${draft.term(next.object, 0.2)} .`;
}

/** VALUES for one or two names, of the scope or not. */
export function valuesElement(draft: Draft): string {
  const { random, scope } = draft;
  const names = new Set(Array.from({ length: random.between(1, 2) }, () => random.pick([...scope, ...NAMES])));
  draft.see(names);
  return values(draft, [...names]);
}

export function values(draft: Draft, names: readonly string[]): string {
  const { random } = draft;
  const value = (name: string) => {
    const witness = draft.witness(name);
    if (witness && random.chance(0.6)) return witness;
    return random.chance(0.25) ? 'UNDEF' : random.pick([...NODES, ...draft.literals, ...GRAPHS]);
  };
  const rows = Array.from({ length: random.between(0, 3) }, () => `(${names.map(value).join(' ')})`);
  return `VALUES (${names.join(' ')}) { ${rows.join(' ')} }`;
}

/** Triples for a template. */
export function template(draft: Draft, names: readonly string[], withBlankNodes = true): string {
  const { random } = draft;
  const name = () => (names.length > 0 ? random.pick(names) : random.pick(NODES));
  const triple = () => {
    const subject = random.weighted<() => string>([
      [5, name],
      [2, () => random.pick(NODES)],
      [withBlankNodes ? 0.6 : 0, () => '_:n'],
    ])();
    const predicate = random.chance(0.15) ? name() : random.pick(PREDICATES);
    const object = random.weighted<() => string>([
      [5, name],
      [2, () => random.pick([...NODES, ...draft.literals])],
      [withBlankNodes ? 0.6 : 0, () => '_:n'],
    ])();
    return `${subject} ${predicate} ${object}`;
  };
  return Array.from({ length: random.between(1, 3) }, triple).join(' . ');
}
