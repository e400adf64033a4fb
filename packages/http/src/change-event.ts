import type { WorldChange } from '@rdf-worlds/core';
import { LARGE_TEXT, type RequestBudget, sortedQuads, textBytes, turns } from '@rdf-worlds/core/internal';
import { toWireValue } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';

/** Code units of the quads of one event, above which the next event continues. */
const MAX_PART_LENGTH = 32_768;
/** Code units of a long text that are escaped in one piece. */
const SLICE_LENGTH = 1 << 14;
/** Code units from which a part of an event is sent before the rest of it is written. */
const PIECE_LENGTH = 1 << 16;
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
  return `${eventStart(type, id)}${JSON.stringify(data)}\n\n`;
}

function eventStart(type: string, id: EventId): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: `;
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
 * one event. The last has the id, so that a reader that was cut off gets the change again. An event
 * with a long text is yielded in several pieces, of which only the last ends with an empty line:
 * escaping and encoding megabytes takes too long to be done in one piece. Throws the errors of the
 * budget.
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
    // A commit wakes all feeds at the same time, as does the end of a server.
    const turn = turns.begin(signal);
    if (turn) await turn;
    if (signal.aborted) return;
    const rows: Rows = { inserted: [], deleted: [] };
    let claimed = 0;
    for (let length = 0; left > 0 && length < MAX_PART_LENGTH; left--) {
      const [isDeleted, quad] = quads.next().value!;
      const list = isDeleted ? rows.deleted : rows.inserted;
      const units = textLength(quad);
      if (units < LARGE_TEXT) {
        const text = JSON.stringify(wireQuad(quad));
        length += text.length;
        list.push(text);
        continue;
      }
      // It is held until the reader has taken all of it.
      memory.claimMemory(textBytes(units));
      claimed += textBytes(units);
      length += units;
      list.push(wireQuad(quad));
    }
    const isLast = left === 0;
    const opening = eventStart(part === 0 ? 'change' : 'quads', isLast ? id : undefined);
    for (const piece of eventPieces(opening, part === 0 ? head : {}, rows, !isLast)) {
      yield piece;
      const turn = turns.begin(signal);
      if (turn) await turn;
      if (signal.aborted) return;
    }
    memory.claimMemory(-claimed);
    if (isLast) return;
  }
}

/** The quads of an event: as JSON text, or as wire values if they have long texts. */
interface Rows {
  readonly inserted: (string | object)[];
  readonly deleted: (string | object)[];
}

/** Yields an event in pieces, which are short even if a text in it is long. */
function* eventPieces(start: string, head: object, rows: Rows, more: boolean): Generator<string> {
  const fields = JSON.stringify(head).slice(1, -1);
  let text = `${start}{${fields}${fields && ','}`;
  for (const name of ['inserted', 'deleted'] as const) {
    let separator = `"${name}":[`;
    for (const row of rows[name]) {
      text += separator;
      separator = ',';
      for (const piece of typeof row === 'string' ? [row] : jsonPieces(row)) {
        text += piece;
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = '';
      }
    }
    text += separator === ',' ? '],' : `${separator}],`;
  }
  yield `${text}"more":${more}}\n\n`;
}

/** Yields the JSON of a value of objects and strings in pieces. */
function* jsonPieces(value: object | string): Generator<string> {
  if (typeof value === 'string') {
    yield '"';
    for (let at = 0; at < value.length; at += SLICE_LENGTH)
      yield JSON.stringify(value.slice(at, at + SLICE_LENGTH)).slice(1, -1);
    yield '"';
    return;
  }
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    yield* jsonPieces(member as object | string);
  }
  yield '}';
}

/** Returns the length of the texts of a term, those in a triple term included. */
function textLength(term: RDF.Term): number {
  if (term.termType !== 'Quad') return term.value.length;
  return textLength(term.subject) + textLength(term.predicate) + textLength(term.object) + textLength(term.graph);
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
