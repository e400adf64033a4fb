import { SeededRandom } from '@rdf-worlds/testkit';
import { dataFactory, type WorldsEngine } from '../../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;

/**
 * What the process does that is killed. Each worker has a world of its own and does one step after the other; a step follows from its number alone, so that
 * whoever knows how many steps were done knows what the world must hold. Null: there is no such world.
 */
export const WORKERS = ['one/a', 'one/b', 'two/a', 'two/b'];

export type Lines = ReadonlySet<string> | null;

interface Step {
  /** What is there afterwards. */
  readonly apply: (lines: Lines) => Lines;
  readonly run: (engine: WorldsEngine, source: string, lines: Lines) => Promise<unknown>;
}

const lineOf = (n: number) => `<urn:s${n % 997}> <urn:p${n % 7}> "${n}" .`;
const quadOf = (n: number) => quad(namedNode(`urn:s${n % 997}`), namedNode(`urn:p${n % 7}`), literal(String(n)));
const numbers = (random: SeededRandom, count: number) => Array.from({ length: count }, () => random.below(20_000));

export function stepOf(seed: number, worker: number, n: number): Step {
  const random = new SeededRandom(seed * 1_000_003 + worker * 10_007 + n);
  const create: Step['run'] = (engine, source) => {
    const [namespace, slug] = source.split('/');
    return engine.createWorld({ namespace, slug });
  };
  const kind = random.below(20);
  if (kind === 0) {
    return {
      apply: (lines) => (lines ? null : new Set()),
      run: (engine, source, lines) => (lines ? engine.deleteWorld({ source }) : create(engine, source, lines)),
    };
  }
  if (kind <= 2) {
    const added = numbers(random, 1500);
    const mode = kind === 1 ? 'replace' : 'merge';
    return orCreate(create, {
      apply: (lines) => new Set([...(mode === 'merge' ? lines! : []), ...added.map(lineOf)]),
      run: (engine, source) => engine.import({ source, mode, data: added.map(quadOf) }),
    });
  }
  if (kind === 3) {
    const p = random.below(7);
    return orCreate(create, {
      apply: (lines) => new Set([...lines!].filter((line) => !line.includes(`<urn:p${p}>`))),
      run: (engine, source) => engine.update({ sources: [source], query: `DELETE WHERE { ?s <urn:p${p}> ?o }` }),
    });
  }
  const [added, removed] = [numbers(random, 1 + random.below(20)), numbers(random, random.below(20))];
  return orCreate(create, {
    apply: (lines) => {
      const after = new Set(lines);
      for (const each of removed) after.delete(lineOf(each));
      for (const each of added) after.add(lineOf(each));
      return after;
    },
    run: (engine, source) => engine.write({ source, insert: added.map(quadOf), delete: removed.map(quadOf) }),
  });
}

/** A step of a world that is not there makes it. */
function orCreate(create: Step['run'], step: Step): Step {
  return {
    apply: (lines) => (lines ? step.apply(lines) : new Set()),
    run: (engine, source, lines) => (lines ? step : { run: create }).run(engine, source, lines),
  };
}
