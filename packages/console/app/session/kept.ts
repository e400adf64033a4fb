const PREFIX = 'rdf-worlds.';

/**
 * Values that stay in this browser. Where the browser refuses to keep anything, they are lost with
 * the tab, and nothing else changes.
 */
export const kept = {
  get(key: string): string | undefined {
    return storage()?.getItem(PREFIX + key) ?? undefined;
  },
  set(key: string, value: string): void {
    try {
      storage()?.setItem(PREFIX + key, value);
    } catch (error) {
      console.warn(`${key} could not be kept in this browser.`, error);
    }
  },
  remove(key: string): void {
    storage()?.removeItem(PREFIX + key);
  },
};

/** Access throws where storage is blocked. */
function storage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
