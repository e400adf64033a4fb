import type { DiffRequest, Moment, WorldSource } from '@rdf-worlds/core';
import type { Answer } from './answer.ts';
import { JSON_TYPE } from './json-type.ts';
import { momentText } from './moment-text.ts';
import { isDate, REQUEST_FIELDS, requireMoment, requireRequest } from './request-checks.ts';
import type { Transport } from './transport.ts';
import { type WorldName, worldPath } from './world-path.ts';

/** A checked request for the difference of two states. */
export interface CheckedDiff {
  readonly world: WorldName;
  readonly from: Moment | undefined;
  /** The world of the second state, and its moment. */
  readonly other: WorldName;
  readonly otherAt: Moment | undefined;
  readonly body: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * Checks a request for a difference. Throws INVALID_ARGUMENT.
 *
 * @param resolve returns the world of a source; `field` is for messages
 */
export function checkedDiff(
  request: DiffRequest,
  resolve: (source: WorldSource, field: string) => WorldName,
): CheckedDiff {
  requireRequest('diff', request, REQUEST_FIELDS.diff);
  const { source, from, to, maxMemoryBytes, signal } = request;
  const world = resolve(source, 'diff');
  const isWorld = typeof to === 'object' && !isDate(to);
  if (isWorld) requireRequest('diff: to', to, REQUEST_FIELDS.diffTo);
  for (const [field, moment] of [['from', from] as const, ['to', isWorld ? undefined : to] as const])
    requireMoment(moment, `diff: ${field}`);
  const other = isWorld ? resolve(to.source, 'diff: to') : world;
  const otherAt = isWorld ? to.at : to;
  const given = isWorld ? { source: other, at: momentText(otherAt) } : momentText(otherAt);
  return { world, other, from, otherAt, body: { from: momentText(from), to: given, maxMemoryBytes }, signal };
}

export function sendDiff(transport: Transport, { world, body, signal }: CheckedDiff): Promise<Answer> {
  return transport.send(`${worldPath(world)}/diff`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
    isIdempotent: true,
    signal,
  });
}
