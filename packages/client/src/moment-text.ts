import type { Moment } from '@rdf-worlds/core';

/** Returns a moment for a body or a query string. */
export function momentText(at: Moment | undefined): number | string | undefined {
  return typeof at === 'object' ? at.toISOString() : at;
}
