import type { Conversation, HostileRequest } from '../attack.ts';
import { send } from '../watched.ts';

/** Requests that are sent together, over a connection each. */
export const burst =
  (requests: readonly HostileRequest[]): Conversation =>
  async (port) =>
    (await Promise.all(requests.map((request) => send(port, request)))).map(({ status }) => status);

export const many = <Item>(n: number, item: (i: number) => Item): Item[] =>
  Array.from({ length: n }, (_, i) => item(i));
