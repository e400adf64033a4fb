import type { Draft, Place } from './draft.ts';
import type { Expressions } from './random-expression.ts';

/** A group graph pattern, and the names that it brings into scope. */
export interface WrittenGroup {
  /** With its braces. */
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** What the parts that write a text need of each other, since patterns nest. */
export interface GroupWriter {
  readonly draft: Draft;
  group(place: Place, depth: number, most?: number): WrittenGroup;
  /** `{ SELECT ... }` */
  subquery(place: Place, depth: number): string;
  /** Expressions over the names in scope. */
  expressions(depth: number, place?: Place): Expressions;
}
