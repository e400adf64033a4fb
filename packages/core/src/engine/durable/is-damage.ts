import { WorldsError } from '../../model/worlds-error.ts';

/** Whether what failed is that stored data is not what was written. */
export function isDamage(cause: unknown): cause is WorldsError {
  return cause instanceof WorldsError && cause.code === 'CORRUPT';
}
