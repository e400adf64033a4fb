import { KeptDelta } from '../../quads/kept-delta.ts';
import { NO_DATA } from '../../quads/quad-bytes.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { History, KeptCommit } from '../history/history.ts';
import type { HistoryOptions } from '../history/history-options.ts';
import type { World } from '../world.ts';
import type { WorldState } from '../world-state.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal } from './sealed-bytes.ts';
import type { HistorySegment, StoredHistory } from './stored-history.ts';

const HISTORY_SEGMENT: SealedKind = { name: 'history segment', magic: 0x48575752, version: 1 };

/**
 * Growth factor of history segments. A segment that has less than this many times the rows of the
 * new commits is merged with them, which keeps the number of segments in O(log n).
 */
const GROWTH = 2;
/** A commit counts as this many rows, for its record. */
const COMMIT_ROWS = 16;

/**
 * Captures the history for a checkpoint: known segments whose commits are still kept by name, and
 * new ones for the rest.
 */
export function takeHistory(
  history: History,
  known: readonly HistorySegment[],
  newId: () => string,
): { readonly stored: StoredHistory; readonly contents: readonly (HistorySegment & Encoded)[] } {
  const commits = [...history.kept];
  const parts: { segment: HistorySegment | undefined; commits: KeptCommit[]; rows: number }[] = [];
  let at = 0;
  const take = (segment: HistorySegment | undefined, last: number): void => {
    const from = at;
    while (at < commits.length && commits[at].revision <= last) at++;
    const taken = commits.slice(from, at);
    if (taken.length > 0) parts.push({ segment, commits: taken, rows: rowsOf(taken) });
  };
  for (const segment of known) take(segment, segment.last);
  take(undefined, Number.POSITIVE_INFINITY);
  const kept: typeof parts = [];
  for (let part of parts) {
    for (let before = kept.at(-1); before && !part.segment && before.rows < GROWTH * part.rows; before = kept.at(-1)) {
      part = { segment: undefined, commits: [...before.commits, ...part.commits], rows: before.rows + part.rows };
      kept.pop();
    }
    kept.push(part);
  }
  const contents = kept.map((part) => ({
    ...(part.segment ?? {
      name: `history-${newId()}`,
      first: part.commits[0].revision,
      last: part.commits[part.commits.length - 1].revision,
    }),
    encode: () => encodeHistory(part.commits),
  }));
  const { options, oldestRevision, oldestMs } = history;
  return {
    contents,
    stored: {
      ...storedOptions(options),
      oldestRevision,
      oldestMs: Number.isFinite(oldestMs) ? oldestMs : null,
      segments: contents.map(({ name, first, last }) => ({ name, first, last })),
    },
  };
}

interface Encoded {
  readonly encode: () => Generator<void, Uint8Array[], void>;
}

/** JSON has no `Infinity`. */
function storedOptions({ keepMs, keepRevisions }: HistoryOptions): Pick<StoredHistory, 'keepMs' | 'keepRevisions'> {
  const stored = (value: number) => (Number.isFinite(value) ? value : null);
  return {
    ...(keepMs !== undefined && { keepMs: stored(keepMs) }),
    ...(keepRevisions !== undefined && { keepRevisions: stored(keepRevisions) }),
  };
}

function rowsOf(commits: readonly KeptCommit[]): number {
  return commits.reduce((rows, { delta }) => rows + delta.length + COMMIT_ROWS, 0);
}

/** A world in a commit. A field that is absent is that of the state before it in the segment. */
interface StoredState {
  readonly record?: Omit<World, 'namespace'>;
  /** Number of the default context, and number of named graphs, whose columns follow. */
  readonly graphs?: readonly [defaultContext: number, named: number];
}

interface StoredCommit {
  readonly revision: number;
  readonly timeMs: number;
  readonly world: number;
  /** Null if there was no such world. */
  readonly before: StoredState | null;
  readonly after: StoredState | null;
  /** Length of the packed delta. */
  readonly delta: number;
}

/** Commits per line of JSON. */
const COMMITS_A_LINE = 256;

/** Encodes commits in the layout of `docs/reference/storage-format.md`. A kernel. */
export function* encodeHistory(commits: readonly KeptCommit[]): Generator<void, Uint8Array[], void> {
  const columns: Uint32Array[] = [];
  /** By world, the state that was written last. */
  const written = new Map<number, WorldState>();
  const stateOf = (state: WorldState | undefined): StoredState | null => {
    if (!state) return null;
    const { record, graphs } = state;
    const last = written.get(graphs.world);
    written.set(graphs.world, state);
    if (last?.graphs !== graphs) columns.push(graphs.graphs, graphs.contexts);
    const { namespace, ...fields } = record;
    return {
      ...(last?.record !== record && { record: fields }),
      ...(last?.graphs !== graphs && { graphs: [graphs.defaultContext, graphs.graphs.length] as const }),
    };
  };
  const lines: Uint8Array[] = [encodeLine({ commits: commits.length })];
  for (let start = 0; start < commits.length; start += COMMITS_A_LINE) {
    const line: StoredCommit[] = [];
    for (const { revision, timeMs, before, after, delta } of commits.slice(start, start + COMMITS_A_LINE)) {
      const world = (after ?? before)!.graphs.world;
      const states = { before: stateOf(before), after: stateOf(after) };
      const packed = delta.pack();
      columns.push(packed);
      line.push({ revision, timeMs, world, ...states, delta: packed.length });
    }
    lines.push(encodeLine(line));
    yield;
  }
  const present = columns.filter(({ length }) => length > 0).map(bytesOf);
  return yield* seal(HISTORY_SEGMENT, [bytesOf(Uint32Array.of(lengthOf(lines))), ...lines, ...present]);
}

function encodeLine(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

/** Decodes commits. Throws CORRUPT and UNSUPPORTED. A kernel. */
export function* decodeHistory(
  data: Uint8Array,
  namespace: string,
  where: string,
): Generator<void, readonly KeptCommit[], void> {
  const reader = new ByteReader(yield* unseal(HISTORY_SEGMENT, data, where));
  try {
    const lines = new ByteReader(reader.take(reader.uint32()));
    const { commits: count } = lines.jsonLine<{ commits: number }>();
    const read = new Map<number, WorldState>();
    const stateOf = (stored: StoredState | null, world: number): WorldState | undefined => {
      if (!stored) return undefined;
      const last = read.get(world);
      const graphs = stored.graphs
        ? new WorldGraphs(world, stored.graphs[0], reader.column(stored.graphs[1]), reader.column(stored.graphs[1]))
        : last!.graphs;
      const record = stored.record ? { ...stored.record, namespace } : last!.record;
      const state = last?.graphs === graphs && last.record === record ? last : { record, graphs, size: NO_DATA };
      read.set(world, state);
      return state;
    };
    const commits: KeptCommit[] = [];
    while (commits.length < count) {
      yield;
      for (const stored of lines.jsonLine<readonly StoredCommit[]>()) {
        const { revision, timeMs, world } = stored;
        const before = stateOf(stored.before, world);
        const after = stateOf(stored.after, world);
        commits.push({ revision, timeMs, before, after, delta: KeptDelta.unpack(reader.column(stored.delta)) });
      }
    }
    lines.end();
    reader.end();
    return commits;
  } catch (cause) {
    throw corrupt(HISTORY_SEGMENT, where, cause);
  }
}
