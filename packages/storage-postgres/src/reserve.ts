import { WorldsError } from '@rdf-worlds/core';
import { sameHead } from '@rdf-worlds/core/plugin';
import { headOf, isReserved, type NamespaceRow } from './namespace-row.ts';
import type { NamespaceView } from './namespace-view.ts';
import { databaseError } from './postgres-errors.ts';

/**
 * How long a reservation whose turn has come may take to notice, in milliseconds: its process may
 * have died.
 */
const NOTICE_MS = 1000;
/** Longest time between two looks at the row, in milliseconds. */
const LOOK_MS = 20;
/** The same where notifications say when a turn has passed. */
const RELAXED_LOOK_MS = 100;
/** How long a reservation is waited for. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Reserves the next appends for a handle. Reservations are numbered, and `turn` is the number of
 * the one whose turn it is; while there is one, appends of others do nothing. A turn ends when its
 * holder raises `turn`, or when its time is over by the clock of the server: then any other process
 * raises it. Returns a function that ends the turn.
 */
export async function reserve(view: NamespaceView, forMs: number): Promise<() => Promise<void>> {
  const { store, key } = view;
  const { namespaces } = store.tables;
  const what = `Reserving an append to ${view.where}`;
  const untilMs = performance.now() + LONGEST_WAIT_MS;
  const lasting = (milliseconds: string): string => `now() + ${milliseconds}::float8 * interval '1 millisecond'`;
  /** Returns the number of a new reservation, and the turn; undefined if there is no namespace. */
  const begin = async () => {
    const [row] = await store.run(
      what,
      `UPDATE ${namespaces} SET reservations = reservations + 1,
         turn_until = CASE WHEN turn >= reservations THEN ${lasting('$2')} ELSE turn_until END
       WHERE namespace = $1 RETURNING reservations - 1 AS mine, turn`,
      [key, forMs],
    );
    return row && { mine: Number(row.mine), turn: Number(row.turn) };
  };
  const pass = (turn: number, condition = '') =>
    store.run(
      what,
      `UPDATE ${namespaces} SET turn = turn + 1, turn_until = ${lasting('$3')}
       WHERE namespace = $1 AND turn = $2::bigint ${condition}`,
      [key, turn, NOTICE_MS],
    );
  for (let begun = await begin(); begun; begun = await begin()) {
    const { mine } = begun;
    let { turn } = begun;
    let hasTurn = turn === mine;
    while (turn < mine) {
      const lookMs = store.watch.isHearing ? RELAXED_LOOK_MS : Math.min(LOOK_MS, 2 * (mine - turn));
      await store.watch.turnPassed(key, lookMs * (0.5 + Math.random()));
      view.calls.check();
      const row = await view.row(what);
      if (!row) return async () => undefined;
      turn = row.turn;
      if (turn >= mine) break;
      if (row.isTurnOver) {
        await pass(turn, 'AND turn_until < now()');
        store.watch.passed(key);
      }
      if (performance.now() > untilMs)
        throw new WorldsError('OVERLOADED', `${what} took too long: too many other processes write to it.`);
    }
    if (!hasTurn) {
      const noticed = await store.run(
        what,
        `UPDATE ${namespaces} SET turn_until = ${lasting('$3')}
         WHERE namespace = $1 AND turn = $2::bigint RETURNING turn`,
        [key, mine, forMs],
      );
      hasTurn = noticed.length > 0;
    }
    // Otherwise it was noticed too late.
    if (!hasTurn) continue;
    view.reservation = mine;
    return async () => {
      if (view.reservation === mine) view.reservation = undefined;
      // If that fails, the time of the turn ends it.
      const passed = await pass(mine).catch((error: unknown) => store.report(databaseError(error, what)));
      if (passed) store.watch.passed(key);
    };
  }
  return async () => undefined;
}

/**
 * Waits as long as another process has reserved the next append, up to a second, and as long as the
 * head stays where it is: an append that was overtaken has nothing to wait for. Returns the row of
 * the namespace as it is then.
 */
export async function whileReserved(
  view: NamespaceView,
  what: string,
  found: NamespaceRow | undefined,
): Promise<NamespaceRow | undefined> {
  const untilMs = performance.now() + NOTICE_MS;
  let row = found;
  while (isReservedForOthers(view, row) && sameHead(headOf(row), headOf(found)) && performance.now() < untilMs) {
    const lookMs = view.store.watch.isHearing ? RELAXED_LOOK_MS : LOOK_MS;
    await view.store.watch.turnPassed(view.key, lookMs * (0.2 + Math.random()));
    row = await view.row(what);
  }
  return row;
}

/** Whether another handle has reserved the next append. */
export function isReservedForOthers({ reservation }: NamespaceView, row: NamespaceRow | undefined): boolean {
  return row !== undefined && isReserved(row) && row.turn !== reservation;
}
