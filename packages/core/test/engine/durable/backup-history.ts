import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStorage, nodeFileSystem } from '@rdf-worlds/storage-file';
import { withoutSyncs } from '../../../../storage-file/test/power-cut/without-syncs.ts';
import {
  dataFactory,
  type MemoryContents,
  MemoryStorage,
  WorldsEngine,
  type WorldsEngineOptions,
} from '../../../src/index.ts';
import { stateOf } from '../world-state.ts';

export type StorageKind = 'none' | 'memory' | 'file';

const { quad, namedNode, literal } = dataFactory;
const NAMESPACES = ['n0', 'n1', 'n2', 'n3'];
const SLUGS = ['a', 'b', 'c'];
const unsynced = withoutSyncs(nodeFileSystem, { files: true, directories: true });

/** Mulberry32. */
export function seeded(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
}

/** Everything that a caller sees of a namespace; '' when there is none. */
export async function namespaceState(engine: WorldsEngine, namespace: string): Promise<string> {
  const worlds = await engine.listWorlds({ namespace, pageSize: 100 });
  const states = [];
  for (const { slug } of worlds) {
    const { record, data } = await stateOf(engine, { namespace, slug });
    states.push({ record: Object.entries(record!).sort(([a], [b]) => (a < b ? -1 : 1)), data });
  }
  return states.length > 0 ? JSON.stringify(states) : '';
}

/** An engine that random steps are done to, and what each namespace was after each of them. */
export class BackupHistory {
  engine!: WorldsEngine;
  /** What each namespace was, oldest first; the last one is what it is. */
  readonly states = new Map(NAMESPACES.map((name) => [name, ['']]));
  private readonly kind: StorageKind;
  private readonly below: (below: number) => number;
  private readonly path: string;
  private memory: MemoryContents | undefined;
  private steps = 0;
  /** Whether a backup is read, so that the engine must stay open. */
  isReading = false;

  private constructor(kind: StorageKind, below: (below: number) => number, path: string) {
    this.kind = kind;
    this.below = below;
    this.path = path;
  }

  static async begin(kind: StorageKind, below: (below: number) => number): Promise<BackupHistory> {
    const path = await mkdtemp(join(tmpdir(), 'rdf-worlds-backup-'));
    const history = new BackupHistory(kind, below, path);
    await history.open();
    return history;
  }

  async end(): Promise<void> {
    await this.engine.close();
    await rm(this.path, { recursive: true });
  }

  /** One random step, done when it resolves. */
  async step(): Promise<void> {
    const namespace = this.pick(NAMESPACES);
    const before = this.states.get(namespace)!.at(-1);
    const worlds = await this.engine.listWorlds({ namespace });
    const dice = this.below(100);
    if (worlds.length === 0 || dice < 8) await this.createWorld(namespace);
    else if (dice < 70) await this.write(namespace, this.pick(worlds).slug);
    else if (dice < 75) await this.engine.deleteWorld({ source: { namespace, slug: this.pick(worlds).slug } });
    else if (dice < 79) await this.engine.deleteNamespace({ namespace });
    else if (dice < 85) await this.engine.checkpoint({ namespace });
    else if (dice < 91) await this.engine.compact({ namespace, forgetChanges: this.below(2) === 0 });
    else if (dice < 95) await this.update(namespace, this.pick(worlds).slug);
    else if (this.kind !== 'none' && dice < 98) await this.reopen();
    const after = await namespaceState(this.engine, namespace);
    if (after !== before) this.states.get(namespace)!.push(after);
  }

  /** Closes the engine and opens it again. */
  private async reopen(): Promise<void> {
    if (this.isReading) return;
    await this.engine.close();
    await this.open();
  }

  private async open(): Promise<void> {
    const options: WorldsEngineOptions = {
      textIndex: null,
      checkpointLogBytes: 20_000,
      retainChangesBytes: this.below(2) === 0 ? 0 : 1e6,
    };
    if (this.kind === 'none') {
      this.engine ??= await WorldsEngine.open({ ...options, storage: undefined });
    } else if (this.kind === 'memory') {
      const storage = new MemoryStorage(this.memory);
      this.memory = storage.contents;
      this.engine = await WorldsEngine.open({ ...options, storage });
    } else {
      const storage = fileStorage({ path: this.path, maxLogFileBytes: 1000, fileSystem: unsynced });
      this.engine = await WorldsEngine.open({ ...options, storage });
    }
  }

  private async createWorld(namespace: string): Promise<void> {
    await this.engine.createWorld({ namespace, slug: this.pick(SLUGS), ifExists: 'return' });
  }

  private async write(namespace: string, slug: string): Promise<void> {
    const some = () =>
      Array.from({ length: this.below(4) }, () => {
        const graph = this.below(3) === 0 ? namedNode(`urn:g${this.below(2)}`) : undefined;
        return quad(namedNode(`urn:s${this.below(9)}`), namedNode('urn:p'), literal(`${this.below(9)}`), graph);
      });
    await this.engine.write({ source: { namespace, slug }, insert: some(), delete: some() });
  }

  private async update(namespace: string, slug: string): Promise<void> {
    const n = this.steps++;
    const query =
      n % 2 === 0
        ? `INSERT DATA { GRAPH <urn:g${n}> { _:b <urn:p> _:c, "${n}"@en, <<( _:b <urn:q> ${n} )>> } }`
        : 'DELETE { ?s ?p ?o } WHERE { { SELECT * { ?s ?p ?o } ORDER BY ?o LIMIT 3 } }';
    await this.engine.update({ sources: [{ namespace, slug }], query });
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)];
  }
}
