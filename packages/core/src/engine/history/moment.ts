/**
 * A moment of a namespace's past: a revision, which denotes the state after that commit, or a date,
 * which denotes the state after the last commit up to then.
 */
export type Moment = number | Date;

export function momentText(at: Moment): string {
  return typeof at === 'number' ? `revision ${at}` : at.toISOString();
}
