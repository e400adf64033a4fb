import assert from 'node:assert/strict';
import type { WorldsEngine } from '../../../../src/index.ts';
import { linesOf } from '../../world-state.ts';
import { checkShown, isShown } from './crash-feed.ts';
import type { CrashMark } from './crash-job.ts';
import { type Content, type Scale, SHARED, sharedContent, stepOf, tripleOf, WORKERS, wordOf } from './crash-program.ts';

/** What is known of the world of a worker. */
export interface Known {
  /** Number of steps that were done. */
  readonly steps: number;
  readonly content: Content;
  /** Returned by the last step, if it was acknowledged. */
  readonly revision: number | undefined;
}

export const NOTHING_DONE: readonly Known[] = WORKERS.map(() => ({ steps: 0, content: null, revision: undefined }));

/** How far a worker came: `begun` is `done` or one more. */
export interface Progress {
  readonly begun: number;
  readonly done: number;
  readonly revision: number | undefined;
}

/** What the marks of a process say. */
export function progressOf(marks: readonly CrashMark[], before: readonly Known[]): Progress[] {
  return WORKERS.map((_, worker) => {
    let [begun, done] = [before[worker].steps, before[worker].steps];
    let revision: number | undefined;
    for (const mark of marks) {
      if (!('worker' in mark) || mark.worker !== worker) continue;
      if (mark.is === 'begun') begun++;
      else {
        done++;
        revision = mark.revision;
      }
    }
    return { begun, done, revision };
  });
}

export interface ExpectationOptions {
  readonly seed: number;
  readonly scale: Scale;
  /** What was known before the workers began. */
  readonly before: readonly Known[];
  readonly progress: readonly Progress[];
  /** Those of the workers since, with what the feeds showed of them. */
  readonly marks?: readonly CrashMark[];
  /** Whether `makeShared` was acknowledged. */
  readonly isSharedMade: boolean;
  /** How many words of each world are looked for; 0: the engine has no text index. */
  readonly words: number;
}

/**
 * An engine that was opened after a crash has what was acknowledged, and of the step that was not,
 * all or nothing. Gives what is known from then on.
 */
export async function checkAfterCrash(engine: WorldsEngine, options: ExpectationOptions): Promise<Known[]> {
  const { seed, scale, before, progress, marks = [], isSharedMade, words } = options;
  assert.deepEqual((await engine.check()).problems, []);
  const known: Known[] = [];
  for (const [worker, source] of WORKERS.entries()) {
    const { begun, done, revision } = progress[worker];
    let { steps, content } = before[worker];
    for (; steps < done; steps++) content = stepOf(seed, worker, steps, scale).apply(content);
    const found = await contentOf(engine, source);
    let expected = content;
    let last: number | undefined = revision;
    const isUnderWayShown = isAnyShownAfter(marks, worker, revision);
    const name = `${source} of seed ${seed}`;
    assert.ok(begun > done || !isUnderWayShown, `a feed showed a change of ${name} that nobody asked for`);
    if (begun > done && (isUnderWayShown || !isSame(found, expected))) {
      expected = stepOf(seed, worker, steps++, scale).apply(content);
      last = undefined;
    }
    const step = `${source}, after step ${steps} of seed ${seed}`;
    assert.equal(textOf(found), textOf(expected), step);
    await checkRevision(engine, source, { isExact: begun === done, revision, last }, step);
    if (words > 0) await checkSearch(engine, source, { content, expected, words, seed: seed + steps });
    known.push({ steps, content: expected, revision: undefined });
  }
  if (isSharedMade) assert.equal(textOf(await contentOf(engine, SHARED)), textOf(sharedContent));
  await checkShown(engine, marks);
  // With the indexes that the searches made.
  if (words > 0) assert.deepEqual((await engine.check()).problems, []);
  return known;
}

/**
 * Whether a feed showed a commit of a worker that is newer than its last acknowledged step, of the
 * given revision.
 */
function isAnyShownAfter(marks: readonly CrashMark[], worker: number, revision: number | undefined): boolean {
  let newest = 0;
  for (const mark of marks) if (mark.is === 'done' && mark.worker === worker) newest = Math.max(newest, mark.revision);
  return marks
    .filter(isShown)
    .filter((mark) => mark.source === WORKERS[worker] && mark.revision > newest)
    .some(({ kind }) => kind !== 'deleted' || revision !== 0);
}

/**
 * The worlds of all workers hold just this, as exports, searches and the check of the engine say.
 */
export async function expectContents(engine: WorldsEngine, contents: readonly Content[], words: number): Promise<void> {
  for (const [worker, source] of WORKERS.entries()) {
    const expected = contents[worker];
    assert.equal(textOf(await contentOf(engine, source)), textOf(expected), source);
    if (words > 0) await checkSearch(engine, source, { content: null, expected, words, seed: words });
  }
  assert.deepEqual((await engine.check()).problems, []);
}

export async function contentOf(engine: WorldsEngine, source: string): Promise<Content> {
  const world = await engine.getWorld({ source });
  return world && { label: world.label, lines: new Set(await linesOf(engine, source)) };
}

const isSame = (a: Content, b: Content) => textOf(a) === textOf(b);
export const textOf = (content: Content) => content && `${content.label}\n${[...content.lines].sort().join('\n')}`;

async function checkRevision(
  engine: WorldsEngine,
  source: string,
  { isExact, revision, last }: { isExact: boolean; revision: number | undefined; last: number | undefined },
  step: string,
): Promise<void> {
  const world = await engine.getWorld({ source });
  if (!world || revision === undefined) return;
  if (isExact) assert.equal(world.revision, revision, `the revision of ${step}`);
  assert.ok(world.revision >= (last ?? revision), `the revision of ${step}`);
}

/**
 * Some words of what is there are found in just the triples that have them, and what the last step
 * took out is not found.
 */
async function checkSearch(
  engine: WorldsEngine,
  source: string,
  { content, expected, words, seed }: { content: Content; expected: Content; words: number; seed: number },
): Promise<void> {
  if (!expected) return;
  const there = new Map<string, Set<string>>();
  for (const line of expected.lines) {
    const word = wordOf(line);
    there.set(word, (there.get(word) ?? new Set()).add(tripleOf(line)));
  }
  const gone = [...(content?.lines ?? [])].map(wordOf).filter((word) => !there.has(word));
  for (const from of [[...there.keys()], gone]) {
    for (let i = 0; i < Math.min(words, from.length); i++) {
      const word = from[(seed * 31 + i * 17) % from.length];
      const hits = await engine.search({ query: word, sources: [source], limit: 1000, feedback: false });
      const triples = hits.map(({ subject, predicate, object }) => `<${subject}> <${predicate}> "${object}"`);
      const all = new Set([...expected.lines].map(tripleOf));
      for (const triple of triples) assert.ok(all.has(triple), `${word} finds what is not there: ${triple}`);
      const exact = triples.filter((triple) => wordOf(triple) === word);
      assert.deepEqual(exact.sort(), [...(there.get(word) ?? [])].sort(), `what ${word} finds in ${source}`);
    }
  }
}
