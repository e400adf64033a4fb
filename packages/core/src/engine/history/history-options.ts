import { fieldsOf, requireKnownFields } from '../../model/known-fields.ts';
import { WorldsError } from '../../model/worlds-error.ts';

/**
 * How much of the past of each namespace is kept. A commit is kept as long as one of the fields
 * keeps it; at least one is required.
 */
export interface HistoryOptions {
  /** Milliseconds: the state at any time within them can be read. */
  readonly keepMs?: number | undefined;
  /** Number of commits: the state before each of the last ones can be read. */
  readonly keepRevisions?: number | undefined;
}

const HISTORY_OPTIONS = fieldsOf<HistoryOptions>({ keepMs: true, keepRevisions: true });

/** Throws INVALID_ARGUMENT for an unknown field, an invalid number, or no field at all. */
export function requireHistoryOptions(options: HistoryOptions): void {
  if (typeof options !== 'object' || options === null)
    throw invalid('history: expected an object with keepMs, keepRevisions or both.');
  requireKnownFields(options, HISTORY_OPTIONS, 'history');
  const { keepMs, keepRevisions } = options;
  if (keepMs === undefined && keepRevisions === undefined)
    throw invalid('history: pass keepMs, keepRevisions or both; without a history, omit the option.');
  if (keepMs !== undefined && !(typeof keepMs === 'number' && keepMs >= 0))
    throw invalid('history.keepMs: expected a number of milliseconds of 0 or more, or Infinity.');
  const isCount = Number.isSafeInteger(keepRevisions) || keepRevisions === Number.POSITIVE_INFINITY;
  if (keepRevisions !== undefined && !(isCount && keepRevisions >= 0))
    throw invalid('history.keepRevisions: expected an integer of 0 or more, or Infinity.');
}

function invalid(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
