import type { Random } from './random.ts';
import { PREDICATES } from './terms.ts';

/** A property path that is more than an IRI. */
export function randomPath(random: Random, depth = 2): string {
  const part = (): string =>
    depth <= 0 || random.chance(0.55) ? random.pick(PREDICATES) : `(${randomPath(random, depth - 1)})`;
  return random.weighted<() => string>([
    [3, () => `${part()}/${part()}${random.chance(0.2) ? `/${part()}` : ''}`],
    [3, () => `${part()}|${part()}`],
    [2, () => `^${part()}`],
    [2, () => `${part()}?`],
    [3, () => `${part()}*`],
    [3, () => `${part()}+`],
    [4, () => negated(random)],
  ])();
}

function negated(random: Random): string {
  const one = () => `${random.chance(0.4) ? '^' : ''}${random.pick(PREDICATES)}`;
  return random.chance(0.3) ? `!${one()}` : `!(${Array.from({ length: random.between(1, 3) }, one).join('|')})`;
}
