import { WorldsError } from '../model/worlds-error.ts';
import type { Head, LogRecord } from './storage.ts';

/**
 * Head of a namespace that was never written to. One that was dropped may have another generation;
 * see `Head`.
 */
export const NO_HEAD: Head = { incarnation: '', position: 0, generation: 0 };

/** Returns whether two heads are equal: the same incarnation, position and generation. */
export const sameHead = (a: Head, b: Head): boolean => samePlace(a, b) && a.generation === b.generation;

/** Returns whether two heads are the same incarnation and position, regardless of generation. */
export const samePlace = (a: Head, b: Head): boolean => a.incarnation === b.incarnation && a.position === b.position;

const RECORD_ID = /^[0-9a-f]{32}$/;
const SEGMENT_NAME = /^[A-Za-z0-9._-]{1,128}$/;

/** For drivers: throws INVALID_ARGUMENT for an empty list or a malformed record id. */
export function checkLogRecords(records: readonly LogRecord[]): void {
  if (records.length === 0) throw new WorldsError('INVALID_ARGUMENT', 'An append needs at least one record.');
  for (const { id } of records) {
    if (!RECORD_ID.test(id))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The id ${JSON.stringify(id)} of a record is not 32 lower-case hexadecimal digits.`,
      );
  }
}

/** For drivers: throws INVALID_ARGUMENT for a malformed segment name. */
export function checkSegmentName(name: string): void {
  if (!SEGMENT_NAME.test(name))
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `The segment name ${JSON.stringify(name)} is not 1 to 128 characters of A-Z, a-z, 0-9, dot, underscore and hyphen.`,
    );
}

/** For drivers: the errors of a log, with uniform messages. */
export const storageErrors = {
  /** INVALID_ARGUMENT: a call before `open` or after `close`. */
  notOpen: () =>
    new WorldsError('INVALID_ARGUMENT', 'The storage is not open: it has not been opened yet, or has been closed.'),

  /** CONFLICT: the head is not the expected one. */
  conflict: (namespace: string, expected: Head, actual: Head) =>
    new WorldsError(
      'CONFLICT',
      `The head of namespace ${JSON.stringify(namespace)} is ${headText(actual)}, not ${headText(expected)}. Read the records added since, then try again.`,
    ),

  /** CONFLICT: a checkpoint was confirmed at a head that is not the current one. */
  unconfirmed: (namespace: string, head: Head) =>
    new WorldsError(
      'CONFLICT',
      `A checkpoint of namespace ${JSON.stringify(namespace)} was confirmed twice at ${headText(head)}, which is not the head.`,
    ),

  /** CONFLICT: a checkpoint of a generation that is over. */
  otherGeneration: (namespace: string, at: Head, head: Head) =>
    new WorldsError(
      'CONFLICT',
      `Terms of namespace ${JSON.stringify(namespace)} have been freed since this engine read it: the head is ${headText(head)}, not ${headText(at)}. Read the namespace again, then write the checkpoint.`,
    ),

  /** CONFLICT: the namespace was dropped meanwhile. */
  otherIncarnation: (namespace: string) =>
    new WorldsError('CONFLICT', `Namespace ${JSON.stringify(namespace)} has been dropped in the meantime.`),

  /** CONFLICT: the namespace was rebuilt meanwhile, as by `NamespaceStorage.rebuild`. */
  rebuilt: (namespace: string) =>
    new WorldsError(
      'CONFLICT',
      `Namespace ${JSON.stringify(namespace)} has been repaired in the meantime. Reload it, then repeat the call.`,
    ),

  /** TRUNCATED: the log has no record directly after `after`. */
  truncated: (namespace: string, after: Head, logStart: Head, head: Head) =>
    new WorldsError(
      'TRUNCATED',
      `The log of namespace ${JSON.stringify(namespace)} covers ${headText(logStart)} to ${headText(head)}, which does not include ${headText(after)}. Start again from its checkpoint.`,
    ),

  /** TRUNCATED: the segment belongs to a checkpoint that is no longer kept. */
  segmentGone: (namespace: string, name: string) =>
    new WorldsError(
      'TRUNCATED',
      `Segment ${JSON.stringify(name)} of namespace ${JSON.stringify(namespace)} is no longer kept. Read the newest checkpoint.`,
    ),

  /** CONFLICT: a checkpoint older than the newest one was to be written. */
  olderCheckpoint: (namespace: string, at: Head, newest: Head) =>
    new WorldsError(
      'CONFLICT',
      `Namespace ${JSON.stringify(namespace)} has a checkpoint at ${headText(newest)}, which is newer than ${headText(at)}.`,
    ),

  /** INVALID_ARGUMENT: the namespace never had this head. */
  beyondHead: (namespace: string, at: Head, head: Head) =>
    new WorldsError(
      'INVALID_ARGUMENT',
      `Namespace ${JSON.stringify(namespace)} has its head at ${headText(head)} and was never at ${headText(at)}.`,
    ),

  /** INVALID_ARGUMENT: two segments of one checkpoint have the same name. */
  segmentTwice: (name: string) =>
    new WorldsError('INVALID_ARGUMENT', `The checkpoint names segment ${JSON.stringify(name)} twice.`),

  /** INVALID_ARGUMENT: `truncate` beyond the newest checkpoint. */
  notCheckpointed: (namespace: string, upTo: Head, newest: Head | undefined) =>
    new WorldsError(
      'INVALID_ARGUMENT',
      `The records of namespace ${JSON.stringify(namespace)} up to ${headText(upTo)} cannot be removed: ${
        newest ? `its newest checkpoint is at ${headText(newest)}` : 'it has no checkpoint'
      }.`,
    ),
} as const;

function headText({ incarnation, position, generation }: Head): string {
  const place =
    incarnation === '' ? `position ${position} without an incarnation` : `position ${position} of ${incarnation}`;
  return generation === 0 ? place : `${place}, generation ${generation}`;
}
