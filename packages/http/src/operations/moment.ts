import { type Moment, WorldsError } from '@rdf-worlds/core';
import { parseMoment } from '@rdf-worlds/core/internal';
import type { Call } from '../call.ts';
import { shown, type WorldName } from '../world-name.ts';

/**
 * Parses `at`. Throws `PERMISSION_DENIED` for a revision from a caller who may not read the whole
 * namespace: revisions count the commits of all its worlds.
 */
export function momentOf(
  { access }: Pick<Call, 'access'>,
  value: string | number | undefined,
  namespace: string,
  field = 'at',
): Moment | undefined {
  if (value === undefined) return undefined;
  const at = parseMoment(String(value), field);
  if (typeof at === 'number' && !access.mayAll('read', namespace)) {
    throw new WorldsError(
      'PERMISSION_DENIED',
      `${field}: revisions count the commits of the whole namespace ${shown(namespace)}, which you may not read; pass a time such as 2026-01-31T12:00:00Z.`,
    );
  }
  return at;
}

/** Returns the parameter `at` of the URL. Throws `INVALID_ARGUMENT` if there are several. */
export function momentParameter(query: URLSearchParams): string | undefined {
  const [value, ...more] = query.getAll('at');
  if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', 'at: pass it only once.');
  return value;
}

/**
 * Runs work that may read the past of some worlds. For callers that may not read the whole
 * namespaces, errors omit revisions.
 */
export async function readingPast<Result>(
  { access }: Pick<Call, 'access'>,
  worlds: readonly WorldName[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorldsError) || error.code !== 'TRUNCATED' || !access.hides(worlds)) throw error;
    throw new WorldsError('TRUNCATED', 'at: the past is no longer kept that far back.', { cause: error });
  }
}
