import type { WorldChange } from '@rdf-worlds/core';
import { type RequestBudget, sortedQuads, turns } from '@rdf-worlds/core/internal';
import { toWireValue } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';

/** Code units of the quads of one event, above which the next event continues. */
const MAX_PART_LENGTH = 32_768;
/**
 * Changes with more quads are not sorted: a caller that must not see their order gets none. They
 * are held until the reader has taken them.
 */
const MAX_SORTED_QUADS = 10_000;

/** A position of a feed, or nothing for an event from which a feed cannot be resumed. */
export type EventId = string | undefined;

/**
 * Returns an event in the format of the HTML standard (section 9.2.6): its data is one line of
 * JSON.
 */
export function eventText(type: string, data: object, id?: EventId): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An event without data, which is not dispatched: it only sets the position. */
export function heartbeatText(id: string): string {
  return `: \nid: ${id}\n\n`;
}

export interface ChangeEventOptions {
  readonly id: string;
  /** Whether the caller may know revisions, and the order in which terms were stored. */
  readonly isWhole: boolean;
  /** Maximum number of quads. */
  readonly maxQuads: number;
  readonly signal: AbortSignal;
  /** Makes the budget for quads that are sorted; it is released at the end. */
  readonly budget: () => RequestBudget;
}

/**
 * Yields the events of one change: `change`, and `quads` where there are more quads than fit into
 * one event. The last has the id, so that a reader that was cut off gets the change again. Throws
 * the errors of the budget.
 */
export async function* changeEvents(change: WorldChange, options: ChangeEventOptions): AsyncGenerator<string> {
  const memory = options.budget();
  try {
    yield* eventsOf(change, options, memory);
  } finally {
    memory.release();
  }
}

async function* eventsOf(
  change: WorldChange,
  { id, isWhole, maxQuads, signal }: ChangeEventOptions,
  memory: RequestBudget,
): AsyncGenerator<string> {
  const { world, kind, timeMs, inserted, deleted } = change;
  const { slug, namespace, label, description, createdAt, updatedAt } = world;
  const count = inserted.length + deleted.length;
  const shown = isWhole || count <= MAX_SORTED_QUADS ? Math.min(count, maxQuads) : 0;
  const isSorted = !isWhole && shown > 0;
  const quads = isSorted
    ? quadsOf(await sortedQuads(deleted, { memory, signal }), await sortedQuads(inserted, { memory, signal }))
    : quadsOf(deleted, inserted);
  const head = {
    revision: isWhole ? change.revision : undefined,
    timeMs,
    kind,
    world: { slug, namespace, label, description, createdAt, updatedAt },
    insertedCount: inserted.length,
    deletedCount: deleted.length,
    omitted: count - shown,
  };
  let left = shown;
  for (let part = 0; ; part++) {
    // A commit wakes all feeds at the same time.
    const turn = turns.begin(signal);
    if (turn) await turn;
    const rows = part === 0 ? { ...head, inserted: [] as object[], deleted: [] as object[] } : emptyRows();
    for (let length = 0; left > 0 && length < MAX_PART_LENGTH; left--) {
      const [isDeleted, quad] = quads.next().value!;
      const wire = wireQuad(quad);
      length += JSON.stringify(wire).length;
      (isDeleted ? rows.deleted : rows.inserted).push(wire);
    }
    const isLast = left === 0;
    yield eventText(part === 0 ? 'change' : 'quads', { ...rows, more: !isLast }, isLast ? id : undefined);
    if (isLast) return;
  }
}

function emptyRows(): { inserted: object[]; deleted: object[] } {
  return { inserted: [], deleted: [] };
}

function* quadsOf(
  deleted: Iterable<RDF.Quad>,
  inserted: Iterable<RDF.Quad>,
): Generator<readonly [isDeleted: boolean, quad: RDF.Quad]> {
  for (const quad of deleted) yield [true, quad];
  for (const quad of inserted) yield [false, quad];
}

function wireQuad({ subject, predicate, object, graph }: RDF.Quad): object {
  return {
    subject: toWireValue(subject),
    predicate: toWireValue(predicate),
    object: toWireValue(object),
    graph: graph.termType === 'DefaultGraph' ? { type: 'default', value: '' } : toWireValue(graph),
  };
}
