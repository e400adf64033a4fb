/** The last change in line, by engine and world. */
const LAST = new WeakMap<object, Map<string, Promise<unknown>>>();

/**
 * Runs changes of one world one after another. Two changes that read before they write would
 * otherwise conflict, and one of them would have to start again.
 */
export async function inTurn<Result>(engine: object, world: string, change: () => Promise<Result>): Promise<Result> {
  let worlds = LAST.get(engine);
  if (!worlds) LAST.set(engine, (worlds = new Map()));
  const before = worlds.get(world) ?? Promise.resolve();
  const running = before.then(change);
  // The next change starts whether or not this one fails; its caller gets the failure.
  const settled = running.then(
    () => {},
    () => {},
  );
  worlds.set(world, settled);
  try {
    return await running;
  } finally {
    if (worlds.get(world) === settled) worlds.delete(world);
  }
}
