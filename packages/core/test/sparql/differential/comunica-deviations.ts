import type { Answer } from './answer.ts';
import type { Trial } from './arena.ts';

/** Where Comunica differs in more than the value of an expression. */
export interface Deviation {
  readonly name: string;
  /** What proves Comunica wrong, or leaves it free. */
  readonly reason: string;
  applies(trial: Trial, actual: Answer): boolean;
}

const failedWith = (answer: Answer, message: RegExp) => answer.type === 'error' && message.test(answer.message);

/** Each was seen, and decided for the reason beside it; what Comunica computes otherwise is in `comunica-semantics.ts`. */
export const COMUNICA_DEVIATIONS: readonly Deviation[] = [];
void failedWith;
