import type { WorldsErrorCode } from '@rdf-worlds/core';

/**
 * What the rows use: functions and objects of all packages, as JavaScript without types sees them.
 */
// biome-ignore lint/suspicious/noExplicitAny: most mistakes do not compile in TypeScript
export type Given = any;

/** A mistake as a user types it, the code of its error, and what the message must name. */
export interface Mistake {
  readonly run: (given: Given) => unknown;
  readonly code: WorldsErrorCode;
  /** What, where, and what to do. */
  readonly names: readonly string[];
}

/** Returns the rows of an area, whose errors have one code. */
export function mistakes(code: WorldsErrorCode, rows: readonly (readonly [Mistake['run'], ...string[]])[]): Mistake[] {
  return rows.map(([run, ...names]) => ({ run, code, names }));
}
