import { becomeIdle } from '../idle.ts';
import { RandomNumbers } from '../random-numbers.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';
import type { Corpus } from './corpus.ts';
import { type Latencies, type LatencySettings, measureLatencies } from './latency.ts';
import { countWords, plainWordCounts, type QueryClass, textQueries } from './text-queries.ts';
import type { TextSystem, TextSystemKind } from './text-system.ts';

export interface TextSettings extends LatencySettings {
  readonly seed: number;
  /** Queries per class. */
  readonly queries: number;
  /** Documents removed and re-added in each round. */
  readonly updates: number;
  /** Number of words whose document counts are compared. */
  readonly countedWords: number;
  /** Number of documents in which they are counted. */
  readonly countedDocuments: number;
}

/** The costs of one system. */
export interface TextCosts {
  readonly name: string;
  readonly build: Lap;
  /** The system's own count; if it has none, the growth of the heap. */
  readonly bytes: number;
  /** One lap per round, for one document. */
  readonly removals: readonly Lap[];
  readonly additions: readonly Lap[];
}

export interface TextResult {
  readonly costs: readonly TextCosts[];
  readonly classes: readonly { readonly name: QueryClass; readonly latencies: readonly Latencies[] }[];
}

/** Number of texts in the warm-up before building. */
const WARM_TEXTS = 20_000;

/**
 * Builds every system over the texts, queries it and updates it. Throws if two systems count
 * different documents.
 */
export async function measureTexts(
  kinds: readonly TextSystemKind[],
  { texts }: Corpus,
  settings: TextSettings,
  progress: (message: string) => void,
): Promise<TextResult> {
  await compareCounts(kinds, texts.slice(0, settings.countedDocuments), settings.countedWords);
  const built: { system: TextSystem; build: Lap; bytes: number }[] = [];
  for (const kind of kinds) {
    progress(`building ${kind.name}`);
    built.push(await buildSystem(kind, texts));
  }
  const systems = built.map(({ system }) => system);

  const classes: TextResult['classes'][number][] = [];
  for (const set of textQueries(texts, countWords(texts), settings.queries, settings.seed)) {
    progress(`asking: ${set.name}`);
    const answerers = systems.flatMap((system) => {
      const ask = system.asker(set);
      return ask ? [{ name: system.name, ask }] : [];
    });
    classes.push({ name: set.name, latencies: await measureLatencies(answerers, set.queries, settings) });
  }

  const removals = systems.map((): Lap[] => []);
  const additions = systems.map((): Lap[] => []);
  const random = new RandomNumbers(settings.seed);
  for (let round = 0; round < settings.rounds; round++) {
    progress(`updates, round ${round + 1} of ${settings.rounds}`);
    const docs = [...new Set(Array.from({ length: settings.updates }, () => random.below(texts.length)))];
    const own = docs.map((doc) => texts[doc]);
    await becomeIdle();
    for (const [at, system] of systems.entries()) {
      removals[at].push(lapOf(docs.length, () => system.remove(own, docs)));
      additions[at].push(lapOf(docs.length, () => system.add(own, docs)));
    }
  }
  for (const system of systems) system.close();
  const costs = built.map(({ system, build, bytes }, at) => ({
    name: system.name,
    build,
    bytes,
    removals: removals[at],
    additions: additions[at],
  }));
  return { costs, classes };
}

/** Compares counts of words on which all tokenizers agree. Throws if a system's count is wrong. */
async function compareCounts(kinds: readonly TextSystemKind[], texts: readonly string[], most: number): Promise<void> {
  const expected = plainWordCounts(texts, most);
  for (const kind of kinds) {
    const system = await kind.open({ exact: true });
    system.add(texts, numbers(texts.length));
    for (const [word, count] of expected) {
      const counted = await system.count(word);
      if (counted !== count)
        throw new Error(`${kind.name} counts ${counted} documents with the word "${word}"; there are ${count}.`);
    }
    system.close();
  }
}

async function buildSystem(kind: TextSystemKind, texts: readonly string[]) {
  const warm = await kind.open();
  warm.add(texts.slice(0, WARM_TEXTS), numbers(Math.min(WARM_TEXTS, texts.length)));
  warm.close();
  const docs = numbers(texts.length);
  await becomeIdle();
  const before = heldBytes();
  const system = await kind.open();
  const watch = new Stopwatch();
  system.add(texts, docs);
  const build = watch.lap();
  await becomeIdle();
  return { system, build, bytes: system.bytes() ?? heldBytes() - before };
}

function lapOf(operations: number, work: () => void): Lap {
  const watch = new Stopwatch();
  work();
  const { cpuMs, wallMs } = watch.lap();
  return { cpuMs: cpuMs / operations, wallMs: wallMs / operations };
}

/** Returns the memory held by JavaScript, on the heap and in arrays. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function numbers(count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, at) => at);
}
