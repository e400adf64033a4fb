/** An invalid command line: exit code 2; all other failures exit with 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
