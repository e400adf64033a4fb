import { WorldsError } from '../../model/worlds-error.ts';
import type { Namespace } from '../namespace.ts';
import type { WorldChange } from './change-feed.ts';

export interface FeedSource {
  /** Finds the namespace, loading it if necessary. */
  readonly find: () => Promise<Namespace | undefined>;
  /** Opens a feed of what follows a revision. Throws TRUNCATED if the log does not contain it. */
  readonly open: (namespace: Namespace, after: number) => AsyncGenerator<WorldChange>;
}

/**
 * Continues a feed when its namespace is loaded again, as it is after another process has freed
 * terms. A feed of a deleted namespace, and one that the log has left behind, end with TRUNCATED.
 *
 * @param after the revision after which `feed` starts
 */
export async function* continuedFeed(
  namespace: Namespace,
  feed: AsyncGenerator<WorldChange>,
  after: number,
  { find, open }: FeedSource,
): AsyncGenerator<WorldChange> {
  for (let home = namespace; ; ) {
    try {
      for await (const change of feed) {
        after = change.revision;
        yield change;
      }
      return;
    } catch (cause) {
      if (!(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
      const now = await find();
      if (!now || now === home || now.worlds.size === 0) throw cause;
      home = now;
      feed = open(home, after);
    }
  }
}
