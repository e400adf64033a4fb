import { SeededRandom } from '@rdf-worlds/testkit';
import { dataFactory, type WorldsEngine } from '../../../../src/index.ts';

const { quad, namedNode, literal, defaultGraph } = dataFactory;

/**
 * The worlds of the workers of an engine that is killed or loses power. Each worker runs its steps
 * one after the other in a world of its own. A step is determined by its number alone, so the
 * number of steps done tells what the world must hold. `three/a` is the only world of its
 * namespace; deleting it deletes the namespace.
 */
export const WORKERS = ['one/a', 'one/b', 'two/a', 'two/b', 'two/c', 'three/a'];

/** A world that updates of the others read, and nobody changes. */
export const SHARED = 'library/shared';

/** What a world is: its label, and its quads as lines of N-Quads. Null: there is no such world. */
export type Content = { readonly label: string | undefined; readonly lines: ReadonlySet<string> } | null;

/** How much the steps do. */
export interface Scale {
  /** Number of different quads. */
  readonly quads: number;
  /** Number of quads of an import. */
  readonly many: number;
  /** Maximum number of quads of a write. */
  readonly some: number;
}

export interface Step {
  readonly name: string;
  /** What is there afterwards. */
  readonly apply: (content: Content) => Content;
  /** Gives the world's revision afterwards; 0 when it is gone. */
  readonly run: (engine: WorldsEngine, source: string, isThere: boolean) => Promise<number>;
}

const graphOf = (n: number) => (n % 4 === 0 ? `urn:g${n % 3}` : undefined);
const textOf = (n: number) => `key${n} group${n % 13}`;
const quadOf = (n: number, graph = graphOf(n)) =>
  quad(
    namedNode(`urn:s${n % 97}`),
    namedNode(`urn:p${n % 7}`),
    literal(textOf(n)),
    graph === undefined ? defaultGraph() : namedNode(graph),
  );
const lineOf = (n: number, graph = graphOf(n)) =>
  `<urn:s${n % 97}> <urn:p${n % 7}> "${textOf(n)}" ${graph === undefined ? '' : `<${graph}> `}.`;
const isIn = (graph: string | undefined) => (line: string) =>
  graph === undefined ? line.endsWith('" .') : line.endsWith(` <${graph}> .`);
/** The word that the texts of a line's quad have, and no others. */
export const wordOf = (line: string): string => /"(key\d+) /.exec(line)![1];
/** The triple of a line, whatever its graph. */
export const tripleOf = (line: string): string => line.slice(0, line.lastIndexOf('"') + 1);

const inDefaultGraph = (n: number) => `${tripleOf(lineOf(n))} .`;

const SHARED_LINES = Array.from({ length: 30 }, (_, n) => lineOf(n));

/** Makes the world that is read by all; the same every time. */
export async function makeShared(engine: WorldsEngine): Promise<void> {
  await engine.createWorld({ namespace: 'library', slug: 'shared', ifExists: 'return' });
  await engine.import({ source: SHARED, mode: 'replace', data: SHARED_LINES.join('\n') });
}

export const sharedContent: Content = { label: undefined, lines: new Set(SHARED_LINES) };

async function create(engine: WorldsEngine, source: string): Promise<number> {
  const [namespace, slug] = source.split('/');
  return (await engine.createWorld({ namespace, slug })).revision;
}

async function remove(engine: WorldsEngine, source: string): Promise<number> {
  const [namespace] = source.split('/');
  if (namespace === 'three') await engine.deleteNamespace({ namespace });
  else await engine.deleteWorld({ source });
  return 0;
}

type Lines = ReadonlySet<string>;
type Change = { readonly name: string; readonly run: Step['run'] } & (
  | { readonly lines: (lines: Lines) => Iterable<string> }
  | { readonly label: string }
);

export function stepOf(seed: number, worker: number, n: number, scale: Scale): Step {
  const random = new SeededRandom(seed * 1_000_003 + worker * 10_007 + n);
  const isRemoval = random.below(14) === 0;
  const change = changeOf(random, scale);
  return {
    name: isRemoval ? 'delete or create' : `${change.name}, or create`,
    apply: (content) => {
      if (!content) return { label: undefined, lines: new Set() };
      if (isRemoval) return null;
      if ('label' in change) return { ...content, label: change.label };
      return { ...content, lines: new Set(change.lines(content.lines)) };
    },
    // A step of a world that is not there makes it.
    run: (engine, source, isThere) => {
      if (!isThere) return create(engine, source);
      return isRemoval ? remove(engine, source) : change.run(engine, source, isThere);
    },
  };
}

function changeOf(random: SeededRandom, { quads, many, some }: Scale): Change {
  const numbers = (count: number) => Array.from({ length: count }, () => random.below(quads));
  const graph = `urn:g${random.below(3)}`;
  const p = `urn:p${random.below(7)}`;
  const update = (query: string) => async (engine: WorldsEngine, source: string) =>
    (await engine.update({ sources: [source], query })).revision;
  switch (random.below(18)) {
    case 0: {
      const added = numbers(many);
      return {
        name: 'import, replacing all',
        lines: () => added.map((each) => lineOf(each)),
        run: async (engine, source) =>
          (await engine.import({ source, mode: 'replace', data: added.map((each) => quadOf(each)) })).revision,
      };
    }
    case 1: {
      const added = numbers(many).map((each) => lineOf(each));
      return {
        name: 'import, merging',
        lines: (lines) => [...lines, ...added],
        run: async (engine, source) => (await engine.import({ source, data: added.join('\n') })).revision,
      };
    }
    case 2: {
      const added = numbers(many);
      return {
        name: 'import, replacing a graph',
        lines: (lines) => [
          ...[...lines].filter((line) => !isIn(graph)(line)),
          ...added.map((each) => lineOf(each, graph)),
        ],
        run: async (engine, source) => {
          const data = added.map(inDefaultGraph).join('\n');
          return (await engine.import({ source, graph, mode: 'replace', data })).revision;
        },
      };
    }
    case 3:
      return {
        name: 'delete by pattern',
        lines: (lines) => [...lines].filter((line) => !(line.includes(`<${p}>`) && isIn(undefined)(line))),
        run: update(`DELETE WHERE { ?s <${p}> ?o }`),
      };
    case 4:
      return {
        name: 'move a graph',
        lines: (lines) => [...lines].map((line) => (isIn(graph)(line) ? `${tripleOf(line)} .` : line)),
        run: update(
          `DELETE { GRAPH <${graph}> { ?s ?p ?o } } INSERT { ?s ?p ?o } WHERE { GRAPH <${graph}> { ?s ?p ?o } }`,
        ),
      };
    case 5:
      return {
        name: 'update from two worlds',
        lines: (lines) => [
          ...lines,
          ...[...lines, ...SHARED_LINES]
            .filter((line) => line.includes(`<${p}>`) && isIn(undefined)(line))
            .map((line) => line.replace(`<${p}>`, `<urn:copied>`)),
        ],
        run: async (engine, source) => {
          const query = `INSERT { ?s <urn:copied> ?o } WHERE { ?s <${p}> ?o }`;
          return (await engine.update({ query, sources: [{ name: source, write: true }, SHARED] })).revision;
        },
      };
    case 6: {
      const added = numbers(some);
      return {
        name: 'update of three operations',
        lines: (lines) => [...[...lines].filter((line) => !isIn(graph)(line)), ...added.map(inDefaultGraph)],
        run: update(
          `DROP SILENT GRAPH <${graph}> ; CREATE GRAPH <${graph}> ;
          INSERT DATA { ${added.map(inDefaultGraph).join(' ')} }`,
        ),
      };
    }
    case 7: {
      const label = `label ${random.below(1000)}`;
      return {
        name: 'label',
        label,
        run: async (engine, source) => (await engine.updateWorld({ source, label })).revision,
      };
    }
    case 8:
      return {
        name: 'update that fails at its end',
        lines: (lines) => lines,
        run: async (engine, source) => {
          const query = `DROP SILENT ALL ; INSERT DATA { <urn:s> <${p}> "half" } ; CREATE GRAPH <urn:twice> ; CREATE GRAPH <urn:twice>`;
          const failed = await engine.update({ sources: [source], query }).then(
            () => false,
            () => true,
          );
          if (!failed) throw new Error('An update that makes a graph twice did not fail.');
          return (await engine.getWorld({ source }))!.revision;
        },
      };
    default: {
      const [added, removed] = [numbers(1 + random.below(some)), numbers(random.below(some))];
      return {
        name: 'write',
        lines: (lines) => {
          const after = new Set(lines);
          for (const each of removed) after.delete(lineOf(each));
          for (const each of added) after.add(lineOf(each));
          return after;
        },
        run: async (engine, source) => {
          const change = {
            insert: added.map((each) => quadOf(each)),
            delete: removed.map((each) => quadOf(each)),
          };
          return (await engine.write({ source, ...change })).revision;
        },
      };
    }
  }
}
