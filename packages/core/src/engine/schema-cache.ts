import { RequestBudget } from '../model/request-budget.ts';
import type { Catalog } from './catalog.ts';
import type { OpenSource } from './open-source.ts';
import { readingOverlay } from './reading-overlay.ts';
import { type WorldSchema, worldSchema } from './world-schema.ts';
import type { WorldState } from './world-state.ts';

/** Worlds whose schemas are kept. */
const MAX_WORLDS = 32;

/** The schemas of the worlds that were asked for last, each as of one revision. */
export class SchemaCache {
  /** Least recently used first. A world has another state after each commit. */
  private readonly schemas = new Map<WorldState, WorldSchema>();

  /** Returns the schema of a world, and counts it if the world has changed since. */
  async schemaOf(
    catalog: Catalog,
    { home, state, snapshot, dictionary }: OpenSource,
    {
      maxMemoryBytes,
      signal,
    }: { readonly maxMemoryBytes?: number | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<WorldSchema> {
    const known = this.schemas.get(state);
    if (known) {
      this.keep(state, known);
      return known;
    }
    const memory = new RequestBudget(catalog.memoryPool, maxMemoryBytes);
    try {
      const view = home.store.view(readingOverlay(dictionary), [state.graphs], snapshot);
      const schema = await home.use(() => worldSchema(view, memory, signal));
      this.keep(state, schema);
      return schema;
    } finally {
      memory.release();
    }
  }

  private keep(state: WorldState, schema: WorldSchema): void {
    this.schemas.delete(state);
    this.schemas.set(state, schema);
    // The state before a commit is of no use any more.
    for (const old of this.schemas.keys()) {
      const isSame = old.record.slug === state.record.slug && old.record.namespace === state.record.namespace;
      if ((isSame && old !== state) || this.schemas.size > MAX_WORLDS) this.schemas.delete(old);
    }
  }
}
