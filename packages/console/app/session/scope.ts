import { computed, signal } from '@preact/signals';
import { forEachPrincipal, own } from './own.ts';
import { caller } from './session.ts';

const KEY = 'worlds';

/** The worlds that queries, searches and pages of entities look into, as `namespace/slug`. */
export const scope = signal<readonly string[]>([]);

forEachPrincipal(() => {
  scope.value = remembered();
});

function remembered(): readonly string[] {
  const names = own.get(KEY)?.split(' ').filter(Boolean) ?? [];
  return names.slice(0, 200);
}

/** Sets the worlds, here and for the next visit of the caller. */
export function setScope(names: readonly string[]): void {
  scope.value = names;
  own.set(KEY, names.join(' '));
}

export function toggleInScope(name: string): void {
  setScope(scope.value.includes(name) ? scope.value.filter((other) => other !== name) : [...scope.value, name]);
}

/** Longer lists of worlds would make addresses that cannot be shared. */
const MAX_SHARED_LENGTH = 2_000;

/** Returns the chosen worlds for an address; undefined if there are none, or too many. */
export function sharedScope(): string | undefined {
  const { value } = scopeKey;
  return value === '' || value.length > MAX_SHARED_LENGTH ? undefined : value;
}

/** Chooses the worlds of an address; null leaves the choice as it is. */
export function takeScope(shared: string | null): void {
  const names = (shared ?? '').split(' ').filter(Boolean);
  if (names.length > 0 && names.join(' ') !== scopeKey.value) setScope(names);
}

/** Colours that worlds take in turns. */
export const WORLD_COLOURS = 8;

/** Returns the class of the colour of a world: the same in all views. */
export function colourOf(name: string): string {
  const at = scope.value.indexOf(name);
  return `w${(at < 0 ? hash(name) : at) % WORLD_COLOURS}`;
}

function hash(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) >>> 0;
  return sum;
}

/** Returns a world as it is shown: without the namespace of the caller. */
export function shownWorld(name: string): string {
  const own = caller.value?.namespace;
  return own !== undefined && name.startsWith(`${own}/`) ? name.slice(own.length + 1) : name;
}

export const scopeKey = computed(() => scope.value.join(' '));
