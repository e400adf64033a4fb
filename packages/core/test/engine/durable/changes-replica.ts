import { expect } from 'vitest';
import { type WorldsEngine, WorldsError } from '../../../src/index.ts';
import { type Content, WORKERS } from './crash/crash-program.ts';

/** Worlds made of nothing but the change feed. */
interface Replica {
  after: number;
  readonly worlds: Map<string, Set<string>>;
}

/**
 * A copy of the workers' worlds that follows the changes of their namespaces, and reloads a
 * namespace on request.
 */
export class ChangesReplica {
  readonly #replicas = new Map<string, Replica>();
  /** How many commits it took from the feed. */
  commits = 0;

  /** Takes in what came, and compares. */
  async follow(engine: WorldsEngine, contents: readonly Content[]): Promise<void> {
    for (const namespace of new Set(WORKERS.map(namespaceOf))) {
      const worlds = await engine.listWorlds({ namespace });
      if (worlds.length === 0) {
        this.#replicas.delete(namespace);
        continue;
      }
      const revision = Math.max(...worlds.map((world) => world.revision));
      const replica = this.#replicas.get(namespace) ?? { after: 0, worlds: new Map() };
      this.#replicas.set(namespace, replica);
      await this.#take(engine, namespace, replica, revision).catch((error) => {
        if (!(error instanceof WorldsError && error.code === 'TRUNCATED')) throw error;
        this.#replicas.set(namespace, { after: revision, worlds: worldsOf(namespace, contents) });
      });
      const { worlds: copied } = this.#replicas.get(namespace)!;
      for (const [slug, lines] of worldsOf(namespace, contents))
        expect(sorted(copied.get(slug))).toEqual(sorted(lines));
    }
  }

  async #take(engine: WorldsEngine, namespace: string, replica: Replica, upTo: number): Promise<void> {
    if (replica.after >= upTo) return;
    for await (const { revision, kind, world, inserted, deleted } of engine.changes({
      namespace,
      after: replica.after,
    })) {
      expect(revision).toBeGreaterThan(replica.after);
      replica.after = revision;
      this.commits++;
      if (kind === 'deleted') replica.worlds.delete(world.slug);
      else {
        const lines = replica.worlds.get(world.slug) ?? new Set();
        for (const quad of deleted) expect(lines.delete(lineOf(quad))).toBe(true);
        for (const quad of inserted) {
          expect(lines.has(lineOf(quad))).toBe(false);
          lines.add(lineOf(quad));
        }
        replica.worlds.set(world.slug, lines);
      }
      if (revision >= upTo) return;
    }
  }
}

const namespaceOf = (source: string): string => source.split('/')[0];
const sorted = (lines: ReadonlySet<string> | undefined) => lines && [...lines].sort();

function worldsOf(namespace: string, contents: readonly Content[]): Map<string, Set<string>> {
  const worlds = new Map<string, Set<string>>();
  for (const [worker, source] of WORKERS.entries()) {
    const content = contents[worker];
    if (content && namespaceOf(source) === namespace) worlds.set(source.split('/')[1], new Set(content.lines));
  }
  return worlds;
}

interface PlainQuad {
  readonly subject: { readonly value: string };
  readonly predicate: { readonly value: string };
  readonly object: { readonly value: string };
  readonly graph: { readonly value: string };
}

function lineOf({ subject, predicate, object, graph }: PlainQuad): string {
  const name = graph.value === '' ? '' : `<${graph.value}> `;
  return `<${subject.value}> <${predicate.value}> "${object.value}" ${name}.`;
}
