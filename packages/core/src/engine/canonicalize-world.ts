import { Buffer } from '#platform';
import { type CanonicalLines, canonicalLines } from '../canonical/canonical-lines.ts';
import { type CanonicalHash, CanonicalWork } from '../canonical/canonical-work.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { Slicer } from '../contracts/slicer.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import { turns } from '../contracts/turns.ts';
import { RequestBudget } from '../model/request-budget.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import type { Catalog } from './catalog.ts';
import { Deadline } from './deadline.ts';
import type { CanonicalBounds } from './engine-requests.ts';
import { type GraphName, requireGraph } from './graph-name.ts';
import { holdAll } from './held-stream.ts';
import { runOneAtATime } from './one-at-a-time.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';

const DEFAULT_ALGORITHM = 'SHA-256';
/** Number of lines that are hashed or encoded per slice. */
const BLOCK_LINES = 256;
/** UTF-16 code units of a block that ends earlier. */
const BLOCK_LENGTH = 1 << 20;

/** The canonical form of a world or graph by RDFC-1.0; see `WorldsEngine.canonicalize`. */
export interface CanonicalForm {
  /** Canonical N-Quads in UTF-8: sorted lines with the labels `c14n0`, `c14n1` and so on. */
  readonly document: Uint8Array;
  /** Hash of the document, in hexadecimal digits. */
  readonly hash: string;
  /** The algorithm of `hash`, also used for blank nodes. */
  readonly algorithm: CanonicalHash;
  /** Number of lines of the document. */
  readonly quads: number;
  /**
   * Canonical labels by blank node label, both without `_:`, in the order of the canonical labels.
   */
  readonly labels: ReadonlyMap<string, string>;
}

/** A world, or one graph of it, as of the call. */
export interface OpenGraph {
  readonly opened: OpenSource;
  readonly graph: GraphName | undefined;
}

/**
 * Returns the canonical form of a world or graph. Throws NOT_FOUND, UNSUPPORTED, LIMIT_EXCEEDED,
 * OVERLOADED, TIMEOUT, ABORTED.
 */
export function canonicalizeWorld(
  catalog: Catalog,
  target: OpenGraph,
  { algorithm = DEFAULT_ALGORITHM, ...bounds }: CanonicalBounds & { readonly algorithm?: CanonicalHash | undefined },
): Promise<CanonicalForm> {
  return withinBounds(catalog, [target], bounds, async (memory, slicer, signal) => {
    const work = new CanonicalWork(algorithm, catalog.limits, memory);
    const { view, terms } = openedView(target);
    const { lines, nodes } = await runOneAtATime(canonicalLines(view, terms, work, false), slicer, signal);
    const labels = new Map(nodes.map((node, i) => [terms.blankNodeLabel(node), `c14n${i}`]));
    const document = await slicer.run(encoded(lines, memory));
    return { document, hash: await slicer.run(hashOf(lines, work)), algorithm, quads: lines.length, labels };
  });
}

/**
 * Returns only the hash of the canonical form, which takes less memory. Throws like
 * {@link canonicalizeWorld}.
 */
export function hashWorld(
  catalog: Catalog,
  target: OpenGraph,
  { algorithm = DEFAULT_ALGORITHM, ...bounds }: CanonicalBounds & { readonly algorithm?: CanonicalHash | undefined },
): Promise<string> {
  return withinBounds(catalog, [target], bounds, async (memory, slicer, signal) => {
    const work = new CanonicalWork(algorithm, catalog.limits, memory);
    return hashOfGraph(target, work, { slicer, signal, tripleTerms: false });
  });
}

/**
 * Returns whether two worlds or graphs are isomorphic (RDF 1.1 Concepts section 3.6). Throws like
 * {@link canonicalizeWorld}, except UNSUPPORTED.
 */
export function areIsomorphic(
  catalog: Catalog,
  one: OpenGraph,
  other: OpenGraph,
  bounds: CanonicalBounds,
): Promise<boolean> {
  return withinBounds(catalog, [one, other], bounds, async (memory, slicer, signal) => {
    const [count, otherCount] = [one, other].map((each) =>
      openedView(each).view.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM),
    );
    if (count !== otherCount) return false;
    const work = new CanonicalWork(DEFAULT_ALGORITHM, catalog.limits, memory);
    const before = memory.claimedBytes;
    const options = { slicer, signal, tripleTerms: true };
    const hash = await hashOfGraph(one, work, options);
    // Returns the memory of the first graph's lines, which are no longer referenced.
    memory.claimMemory(before - memory.claimedBytes);
    return hash === (await hashOfGraph(other, work, options));
  });
}

interface HashOptions {
  readonly slicer: Slicer;
  readonly signal: AbortSignal | undefined;
  /** As in `canonicalLines`. */
  readonly tripleTerms: boolean;
}

async function hashOfGraph(
  target: OpenGraph,
  work: CanonicalWork,
  { slicer, signal, tripleTerms }: HashOptions,
): Promise<string> {
  const { view, terms } = openedView(target);
  const { lines } = await runOneAtATime(canonicalLines(view, terms, work, tripleTerms), slicer, signal);
  return slicer.run(hashOf(lines, work));
}

/**
 * Runs work that reads some worlds, with a memory budget and a deadline. Holds their namespaces in
 * memory meanwhile.
 */
async function withinBounds<Result>(
  catalog: Catalog,
  targets: readonly OpenGraph[],
  { signal, timeoutMs, maxMemoryBytes }: CanonicalBounds,
  run: (memory: RequestBudget, slicer: Slicer, signal: AbortSignal | undefined) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(signal, timeoutMs);
  const memory = new RequestBudget(catalog.memoryPool, maxMemoryBytes);
  const release = holdAll(targets.map(({ opened }) => opened.home));
  try {
    throwIfAborted(deadline.signal);
    const turn = turns.begin(deadline.signal);
    if (turn) await turn;
    return await run(memory, new Slicer(deadline.signal), deadline.signal);
  } finally {
    release();
    memory.release();
    deadline[Symbol.dispose]();
  }
}

function openedView({ opened, graph }: OpenGraph): { view: QuadSource; terms: Overlay } {
  const { home, state, snapshot, dictionary } = opened;
  const terms = readingOverlay(dictionary);
  const world = home.store.view(terms, [state.graphs], snapshot);
  const view = graph === undefined ? world : world.dataset([requireGraph(graph, terms, state.graphs, opened)], []);
  return { view, terms };
}

/** Yields the bounds of blocks of lines: of few lines, if they are long. */
function* blocksOf(lines: readonly string[]): Generator<readonly [start: number, end: number]> {
  let [start, length] = [0, 0];
  for (let i = 0; i < lines.length; i++) {
    length += lines[i].length;
    if (i + 1 - start < BLOCK_LINES && length < BLOCK_LENGTH) continue;
    yield [start, i + 1];
    [start, length] = [i + 1, 0];
  }
  if (start < lines.length) yield [start, lines.length];
}

/** Returns the hash of the lines. A kernel. */
function* hashOf(lines: CanonicalLines['lines'], work: CanonicalWork): Generator<void, string> {
  const hash = work.newHash();
  for (const [start, end] of blocksOf(lines)) {
    hash.update(end - start === 1 ? lines[start] : lines.slice(start, end).join(''));
    yield;
  }
  return hash.digest();
}

/** Returns the lines as one document. A kernel. */
function* encoded(lines: CanonicalLines['lines'], memory: RequestBudget): Generator<void, Uint8Array> {
  let bytes = 0;
  for (const [start, end] of blocksOf(lines)) {
    for (let i = start; i < end; i++) bytes += Buffer.byteLength(lines[i]);
    yield;
  }
  memory.claimMemory(bytes);
  const document = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const [start, end] of blocksOf(lines)) {
    for (let i = start; i < end; i++) at += document.write(lines[i], at);
    yield;
  }
  return document;
}
