import { randomBytes } from 'node:crypto';

/** Returns the name of an incarnation that never existed: 32 hexadecimal digits. */
export function newIncarnation(): string {
  return randomBytes(16).toString('hex');
}
