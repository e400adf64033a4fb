import { randomBytes } from 'node:crypto';
import { FACT_IRIS } from './memory-vocabulary.ts';

/** In ASCII order, so that ids are ordered as the numbers are. */
const DIGITS = '234567abcdefghijklmnopqrstuvwxyz';
/** Digits for the milliseconds since the epoch: 45 bits, enough until the year 3084. */
const TIME_DIGITS = 9;
/** Digits that tell the facts of one millisecond apart. */
const TAIL_DIGITS = 8;

let lastMs = -1;
let lastTail = 0;

/**
 * Returns the IRI of a new fact. Facts of one process are ordered by their ids as they were made,
 * even in one millisecond; 39 random bits tell processes apart. Shorter than a UUID in a prompt.
 */
export function newFactId(nowMs: number): string {
  lastTail = nowMs === lastMs ? lastTail + 1 : randomBytes(5).readUIntBE(0, 5) % 2 ** 39;
  lastMs = nowMs;
  return FACT_IRIS + digits(Math.max(0, nowMs), TIME_DIGITS) + digits(lastTail, TAIL_DIGITS);
}

function digits(value: number, length: number): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    text = DIGITS[value % 32] + text;
    value = Math.floor(value / 32);
  }
  return text;
}
