import { WorldsError } from '../../model/worlds-error.ts';
import type { Moment } from './moment.ts';

/** RFC 3339, with a time zone: a moment must not depend on where it is read. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/;
const REVISION = /^\d{1,16}$/;

/** Parses a revision or a date with time and zone. Throws INVALID_ARGUMENT that names `field`. */
export function parseMoment(text: string, field: string): Moment {
  if (REVISION.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  const date = new Date(text);
  if (DATE_TIME.test(text) && !Number.isNaN(date.getTime())) return date;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: expected a revision, or a time with its zone such as 2026-01-31T12:00:00Z, found ${JSON.stringify(text.slice(0, 100))}.`,
  );
}
