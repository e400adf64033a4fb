import { Buffer } from '#platform';
import { canonicalNodes } from '../canonical/canonical-lines.ts';
import { CanonicalWork } from '../canonical/canonical-work.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { TERM_KIND, TermBytes } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import { viewOf } from '../quads/byte-arena.ts';
import type { Dictionary } from '../quads/dictionary.ts';
import type { Overlay } from '../quads/overlay.ts';
import { OSP, SPO } from '../quads/permutation.ts';
import { hasSameMemory, type Run } from '../quads/run.ts';
import type { Snapshot } from '../quads/snapshot.ts';
import { metaWith, SCOPE_KIND } from '../quads/term-meta.ts';
import { forkedScope } from './forked-scope.ts';
import { contextsOf, type WorldState } from './world-state.ts';

/** Number of rows, or nodes, per step of a kernel. */
const STEP = 1 << 12;
/** Memory of a pair, in bytes. */
const PAIR_BYTES = 64;

/** Ids of one world by the ids of another that denote the same nodes. */
export type NodePairs = ReadonlyMap<TermId, TermId>;

/** A world whose blank nodes are paired. */
export interface PairedWorld {
  readonly state: Pick<WorldState, 'graphs' | 'record'>;
  readonly snapshot: Snapshot;
  readonly view: QuadSource;
}

export interface PairingWork {
  /** Terms of both worlds. Gets the triple terms that paired nodes make. */
  readonly terms: Overlay;
  readonly memory: RequestMemory;
  readonly limits: RequestLimits;
}

/**
 * Pairs the blank nodes of two worlds: a fork and its source by the nodes that were copied, any
 * other two by their canonical labels (RDFC-1.0), so that isomorphic worlds have all their nodes
 * paired. No node is paired twice. Throws LIMIT_EXCEEDED. A kernel.
 *
 * @returns ids of `from` by ids of `to`, also for triple terms that contain paired nodes
 */
export function* pairBlankNodes(
  from: PairedWorld,
  to: PairedWorld,
  work: PairingWork,
): Generator<void, NodePairs, void> {
  const nodes = yield* nodesOf(to, from, work);
  if (nodes.blank.size === 0) return new Map();
  const others = yield* nodesOf(from, to, work);
  if (others.blank.size === 0) return new Map();
  const pairs =
    (yield* pairsOfFork({ ...others, world: from }, { ...nodes, world: to }, work)) ??
    (yield* pairsByLabel(from, to, work));
  work.memory.claimMemory(pairs.size * PAIR_BYTES);
  // Parts of triple terms have lower ids.
  for (const id of Uint32Array.from(nodes.triples).sort()) {
    const [subject, predicate, object] = work.terms.tripleOf(id).map((part) => pairs.get(part) ?? part);
    const pair = work.terms.triple(subject, predicate, object);
    if (pair !== id) pairs.set(id, pair);
  }
  return pairs;
}

interface Nodes {
  readonly blank: ReadonlySet<TermId>;
  readonly triples: ReadonlySet<TermId>;
  readonly scopes: ReadonlySet<TermId>;
}

/**
 * Returns the blank nodes and triple terms of a world, those in triple terms included. Rows that
 * another world has in the same memory have none: a blank node belongs to one world.
 */
function* nodesOf(
  { state, snapshot }: PairedWorld,
  other: PairedWorld,
  { terms, memory }: PairingWork,
): Generator<void, Nodes, void> {
  const shared = new Set<ArrayBufferLike>();
  for (const context of contextsOf(other.state)) {
    for (const run of other.snapshot.runs) {
      const slice = run.sliceOf(context);
      if (slice.length > 0) shared.add(slice.columnsOf(SPO)[0].buffer);
    }
  }
  const blank = new Set<TermId>();
  const triples = new Set<TermId>();
  const scopes = new Set<TermId>();
  const at = new TermBytes();
  // Triple terms may be nested to any depth.
  const pending: TermId[] = [...state.graphs.graphs];
  const enterPending = () => {
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (blank.has(id) || triples.has(id)) continue;
      terms.locate(id, at);
      if (at.kind === TERM_KIND.blankNode) {
        blank.add(id);
        scopes.add(at.reference);
      } else if (at.kind === TERM_KIND.triple) {
        triples.add(id);
        pending.push(...terms.tripleOf(id));
      }
    }
  };
  enterPending();
  for (const context of contextsOf(state)) {
    for (const run of snapshot.runs) {
      const slice = run.sliceOf(context);
      if (slice.length > 0 && shared.has(slice.columnsOf(SPO)[0].buffer) && isShared(slice, other)) continue;
      const { length } = slice;
      for (const column of [slice.columnsOf(SPO)[0], slice.columnsOf(OSP)[0]]) {
        let last = 0;
        for (let row = 0; row < length; row++) {
          if (row % STEP === STEP - 1) yield;
          if (column[row] === last) continue;
          last = column[row];
          pending.push(last);
          enterPending();
        }
      }
    }
  }
  memory.claimMemory((blank.size + triples.size) * PAIR_BYTES);
  return { blank, triples, scopes };
}

function isShared(slice: Run, { state, snapshot }: PairedWorld): boolean {
  return contextsOf(state).some((context) =>
    snapshot.runs.some((run) => hasSameMemory(slice.columnsOf(SPO), run.sliceOf(context).columnsOf(SPO))),
  );
}

/** Returns undefined if neither world is a fork of the other. */
function* pairsOfFork(
  from: Nodes & { readonly world: PairedWorld },
  to: Nodes & { readonly world: PairedWorld },
  { terms }: PairingWork,
): Generator<void, Map<TermId, TermId> | undefined, void> {
  const at = new TermBytes();
  const { dictionary } = terms;
  const bytesOf = (id: TermId): Buffer => {
    terms.locate(id, at);
    return at.buffer.subarray(at.start, at.end);
  };
  const copyOf = (scope: TermId, { state }: PairedWorld) =>
    find(dictionary, metaWith(SCOPE_KIND, 0), forkedScope(bytesOf(scope), state));
  const scopes = new Map<TermId, TermId>();
  for (const scope of from.scopes) {
    const copy = copyOf(scope, to.world);
    if (copy) scopes.set(copy, scope);
  }
  for (const scope of to.scopes) {
    const copy = copyOf(scope, from.world);
    if (copy) scopes.set(scope, copy);
  }
  if (scopes.size === 0) return undefined;
  const pairs = new Map<TermId, TermId>();
  let done = 0;
  for (const id of to.blank) {
    if (++done % STEP === 0) yield;
    const ordinal = bytesOf(id);
    const scope = scopes.get(at.reference);
    const pair = scope && find(dictionary, metaWith(TERM_KIND.blankNode, scope), ordinal);
    if (pair) pairs.set(id, pair);
  }
  return pairs;
}

function find({ table }: Dictionary, meta: number, bytes: Uint8Array): TermId {
  const view = viewOf(Buffer.from(bytes));
  return table.find(meta, view, 0, bytes.length, table.hash(view, 0, bytes.length));
}

function* pairsByLabel(
  from: PairedWorld,
  to: PairedWorld,
  { terms, memory, limits }: PairingWork,
): Generator<void, Map<TermId, TermId>, void> {
  const work = new CanonicalWork('SHA-256', limits, memory);
  const nodes = yield* canonicalNodes(from.view, terms, work);
  const others = yield* canonicalNodes(to.view, terms, work);
  const pairs = new Map<TermId, TermId>();
  for (let number = 0; number < Math.min(nodes.length, others.length); number++) {
    if (number % STEP === STEP - 1) yield;
    if (others[number] !== nodes[number]) pairs.set(others[number], nodes[number]);
  }
  return pairs;
}
