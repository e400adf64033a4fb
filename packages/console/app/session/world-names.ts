import { signal } from '@preact/signals';
import type { Loaded } from '../ui/use-loaded.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { forEachPrincipal } from './own.ts';
import { scope, setScope } from './scope.ts';
import { client } from './service.ts';
import { caller } from './session.ts';

/** Counts changes to the list of worlds that this console made. */
export const worldChanges = signal(0);

const MAX_NAMES = 5_000;
let known: { readonly at: number; readonly names: Promise<string[]> } | undefined;

/** Returns the names of the worlds that the caller may read, as `namespace/slug`. */
export function worldNames(): Promise<string[]> {
  if (!known || known.at !== worldChanges.value) known = { at: worldChanges.value, names: listed() };
  return known.names;
}

async function listed(): Promise<string[]> {
  const names: string[] = [];
  try {
    for (const { namespace, read } of caller.value?.namespaces ?? []) {
      if (!read) continue;
      for await (const world of client.worlds({ namespace })) {
        names.push(`${world.namespace}/${world.slug}`);
        if (names.length === MAX_NAMES) return names;
      }
    }
  } catch (error) {
    known = undefined;
    throw error;
  }
  return names;
}

export function useWorldNames(): Loaded<string[]> {
  return useLoaded(async () => {
    const names = await worldNames();
    const readable = scope.value.filter((name) => names.includes(name));
    // Worlds that were deleted, or belong to another caller.
    if (names.length < MAX_NAMES && readable.length < scope.value.length) setScope(readable);
    if (readable.length === 0 && names.length > 0) setScope([names[0]!]);
    return names;
  }, [worldChanges.value, caller.value?.id]);
}

forEachPrincipal(() => {
  known = undefined;
});
