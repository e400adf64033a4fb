import type { Random } from './random.ts';
import { PREDICATES } from './random-dataset.ts';

/** A property path that is more than an IRI. */
export function randomPath(random: Random, use: (feature: string) => void, depth = 2): string {
  const part = (): string =>
    depth <= 0 || random.chance(0.55) ? random.pick(PREDICATES) : `(${randomPath(random, use, depth - 1)})`;
  const written = random.weighted<readonly [string, () => string]>([
    [3, ['path /', () => `${part()}/${part()}${random.chance(0.2) ? `/${part()}` : ''}`]],
    [3, ['path |', () => `${part()}|${part()}`]],
    [2, ['path ^', () => `^${part()}`]],
    [2, ['path ?', () => `${part()}?`]],
    [3, ['path *', () => `${part()}*`]],
    [3, ['path +', () => `${part()}+`]],
    [2, ['path !', () => negated(random)]],
  ]);
  use(written[0]);
  return written[1]();
}

function negated(random: Random): string {
  const one = () => `${random.chance(0.3) ? '^' : ''}${random.pick(PREDICATES)}`;
  return random.chance(0.4) ? `!${one()}` : `!(${Array.from({ length: random.between(1, 3) }, one).join('|')})`;
}
