import { WorldsError } from '../../model/worlds-error.ts';

/** Whether an error means that stored data is corrupt. */
export function isDamage(cause: unknown): cause is WorldsError {
  return cause instanceof WorldsError && cause.code === 'CORRUPT';
}
