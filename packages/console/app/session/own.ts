import { computed, effect, untracked } from '@preact/signals';
import { kept } from './kept.ts';
import { caller } from './session.ts';

/** Id of the caller; undefined before the first sign-in and after a sign-out. */
export const principal = computed(() => caller.value?.id);

const keyOf = (id: string, key: string) => `of.${encodeURIComponent(id)}.${key}`;

/** Values that this browser keeps for the caller. No other caller gets them. */
export const own = {
  get(key: string): string | undefined {
    const id = principal.peek();
    return id === undefined ? undefined : kept.get(keyOf(id, key));
  },
  set(key: string, value: string): void {
    const id = principal.peek();
    if (id !== undefined) kept.set(keyOf(id, key), value);
  },
};

/**
 * Calls `restart` now, and whenever the session ends or continues as somebody else: what one caller
 * has read is not shown to the next one.
 */
export function forEachPrincipal(restart: () => void): void {
  effect(() => {
    void principal.value;
    untracked(restart);
  });
}
