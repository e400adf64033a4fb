import { HeadFollower } from '../../../src/engine/durable/head-follower.ts';
import { Journal } from '../../../src/engine/durable/journal.ts';
import { SearchFeed } from '../../../src/engine/search-feed.ts';
import { DOUBTFUL_GROUPS, methodFault, type PlantedFault, UNREADABLE_DOUBTS } from './planted-fault.ts';

/** Faults of the engine. */
export const ENGINE_FAULTS: readonly PlantedFault[] = [
  methodFault(
    'a search keeps the dictionary that was replaced',
    ['errors', 'reads', 'replicas'],
    [SearchFeed, 'dictionaryRenewed'],
    () => () => undefined,
  ),
  methodFault(
    'following stops before it reads the log',
    ['hang', 'errors', 'latest'],
    [Journal, 'follow'],
    (right: Journal['follow']) =>
      async function (this: Journal) {
        const { position } = this.state.head;
        return position % 6 === 5 ? true : right.call(this);
      },
  ),
  methodFault(
    'an append whose answer is lost is not looked for',
    ['commits'],
    [Journal, 'find'],
    () =>
      async function (this: Journal) {
        (this as unknown as { raiseDoubt(): void }).raiseDoubt();
        return undefined;
      },
  ),
  methodFault(
    'a doubt does not make readers follow',
    ['replicas'],
    [HeadFollower, 'settle'],
    () => async () => undefined,
    UNREADABLE_DOUBTS,
  ),
  methodFault(
    'commits behind one in doubt have its token',
    ['commits'],
    [Journal, 'dependentFailure'],
    () => (failure: unknown) => failure,
    DOUBTFUL_GROUPS,
  ),
  methodFault(
    'an outcome without a commit is not confirmed',
    ['errors', 'commits'],
    [Journal, 'confirmAt'],
    () => async () => undefined,
  ),
];
