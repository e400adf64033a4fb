import { type Lap, Stopwatch } from '../stopwatch.ts';
import { FIRST_ANSWER_KINDS, type FirstAnswerName, type Lookup } from './first-answer-store.ts';

export interface FirstAnswerWork {
  readonly product: FirstAnswerName;
  readonly folder: string;
  readonly from: string | undefined;
  /** The first one is the first query; all are repeated when the process is warm. */
  readonly lookups: readonly Lookup[];
  readonly word: string;
  /** CPU time for which lookups are repeated to warm up, and again to measure them. */
  readonly warmMs: number;
}

/** What a fresh process used since it started, its modules included. */
export interface FirstAnswers {
  readonly opened: Lap;
  readonly answered: Lap;
  readonly rssBytes: number;
  /** Undefined if the product has no search. */
  readonly searched?: Lap;
  readonly hits?: number;
  /** One lookup in a warm process. */
  readonly lookup: Lap;
  /** One in a text of its own; undefined if the other ones are. */
  readonly lookupByText?: Lap;
  /** The values of all lookups, sorted. */
  readonly values: readonly string[];
}

/** Opens the product in this process, which must be fresh. */
export async function measureFirstAnswers(work: FirstAnswerWork): Promise<FirstAnswers> {
  const { product, folder, from, lookups, word } = work;
  const store = await FIRST_ANSWER_KINDS[product].open(folder, from);
  const opened = sinceStart();
  await store.lookUp(lookups[0]);
  const answered = sinceStart();
  const { rss } = process.memoryUsage();
  const values: string[] = [];
  for (const lookup of lookups) values.push(...(await store.lookUp(lookup)));
  const lookup = await warmLap((one) => store.lookUp(one), work);
  const lookupByText = store.lookUpByText && (await warmLap((one) => store.lookUpByText!(one), work));
  const before = sinceStart();
  const hits = await store.search?.(word);
  const after = sinceStart();
  await store.close();
  return {
    opened,
    answered,
    rssBytes: rss,
    // As if it were the first query: opening, and the search.
    ...(hits !== undefined && {
      hits,
      searched: {
        cpuMs: opened.cpuMs + after.cpuMs - before.cpuMs,
        wallMs: opened.wallMs + after.wallMs - before.wallMs,
      },
    }),
    lookup,
    ...(lookupByText && { lookupByText }),
    values: values.sort(),
  };
}

type LookUp = (lookup: Lookup) => Promise<readonly string[]>;

/** Returns the time of one lookup, after as much time to warm up. */
async function warmLap(lookUp: LookUp, { lookups, warmMs }: FirstAnswerWork): Promise<Lap> {
  await repeat(lookUp, lookups, warmMs);
  return repeat(lookUp, lookups, warmMs);
}

/** Repeats lookups in turn for some CPU time; returns the time of one. */
async function repeat(lookUp: LookUp, lookups: readonly Lookup[], ms: number): Promise<Lap> {
  const watch = new Stopwatch();
  let operations = 0;
  let lap = watch.lap();
  do {
    await lookUp(lookups[operations++ % lookups.length]);
    lap = watch.lap();
  } while (lap.cpuMs < ms);
  return { cpuMs: lap.cpuMs / operations, wallMs: lap.wallMs / operations };
}

function sinceStart(): Lap {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() };
}
