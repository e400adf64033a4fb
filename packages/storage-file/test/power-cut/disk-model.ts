import { type DiskEvent, type NameChange, type NodeId, ROOT } from './disk-event.ts';
import { resized, type SimulatedDirectory, type SimulatedFile, written } from './simulated-file-system.ts';

type ContentChange = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;

interface PendingNames {
  readonly number: number;
  readonly changes: readonly NameChange[];
  /** The directories that are still to be synced for it to last. */
  readonly unsynced: Set<NodeId>;
}

interface FileState {
  durable: Uint8Array;
  pending: { readonly number: number; readonly change: ContentChange }[];
}

/** A torn write leaves or loses pieces of this size. */
const SECTOR_BYTES = 512;

/**
 * How a power cut treats what was not synced. `keeps all` is also what another process finds when
 * the program was killed, and the power stayed on.
 */
export type PowerCut = 'drops all' | 'keeps all' | 'by chance';

/**
 * What of a disk is durable, and what may be or not: fed with the events of a recorded history, one
 * by one.
 */
export class DiskModel {
  readonly #files = new Map<NodeId, FileState>();
  readonly #directories = new Map<NodeId, Map<string, NodeId>>([[ROOT, new Map()]]);
  #names: PendingNames[] = [];
  /** How many events there had been when a sync began. */
  readonly #syncs = new Map<number, number>();
  #number = 0;
  #lastNode: NodeId = ROOT;

  /** A disk on which this is durable. */
  static of(root: SimulatedDirectory): DiskModel {
    const model = new DiskModel();
    const visit = (node: SimulatedFile | SimulatedDirectory): void => {
      model.#lastNode = Math.max(model.#lastNode, node.id);
      if (!('names' in node)) {
        model.#files.set(node.id, { durable: node.bytes.slice(), pending: [] });
        return;
      }
      model.#directories.set(node.id, new Map([...node.names].map(([name, child]) => [name, child.id])));
      for (const child of node.names.values()) visit(child);
    };
    visit(root);
    return model;
  }

  copy(): DiskModel {
    const model = new DiskModel();
    for (const [id, { durable, pending }] of this.#files)
      model.#files.set(id, { durable: durable.slice(), pending: [...pending] });
    for (const [id, entries] of this.#directories) model.#directories.set(id, new Map(entries));
    model.#names = this.#names.map((each) => ({ ...each, unsynced: new Set(each.unsynced) }));
    model.#number = this.#number;
    model.#lastNode = this.#lastNode;
    return model;
  }

  /** The highest number of a file or directory. */
  get lastNode(): NodeId {
    return this.#lastNode;
  }

  apply(event: DiskEvent): void {
    this.#number++;
    switch (event.kind) {
      case 'make':
        this.#lastNode = event.node;
        if (event.isDirectory) this.#directories.set(event.node, new Map());
        else this.#files.set(event.node, { durable: new Uint8Array(0), pending: [] });
        break;
      case 'write':
      case 'truncate':
        this.#files.get(event.node)!.pending.push({ number: this.#number, change: event });
        break;
      case 'names': {
        const unsynced = new Set(event.changes.map(({ directory }) => directory));
        this.#names.push({ number: this.#number, changes: event.changes, unsynced });
        break;
      }
      case 'sync-begin':
        this.#syncs.set(event.sync, this.#number);
        break;
      case 'sync-end':
        this.#synced(event.node, this.#syncs.get(event.sync)!);
        break;
      case 'lose': {
        const file = this.#files.get(event.node)!;
        file.pending = file.pending.filter(({ change }) => change.kind !== 'write');
        break;
      }
      case 'mark':
        break;
    }
  }

  /** A disk as a power cut now may leave it. */
  afterPowerCut(cut: PowerCut, random: () => number): SimulatedDirectory {
    const names = new Map([...this.#directories].map(([id, entries]) => [id, new Map(entries)]));
    for (const { changes } of this.#surviving(cut, random)) applyNames(names, changes);
    const built = new Map<NodeId, SimulatedFile | SimulatedDirectory>();
    const build = (id: NodeId): SimulatedFile | SimulatedDirectory => {
      const known = built.get(id);
      if (known) return known;
      const entries = names.get(id);
      if (!entries) {
        const file = { id, bytes: this.#contentAfter(id, cut, random) };
        built.set(id, file);
        return file;
      }
      const directory: SimulatedDirectory = { id, names: new Map() };
      built.set(id, directory);
      for (const [name, child] of entries) directory.names.set(name, build(child));
      return directory;
    };
    return build(ROOT) as SimulatedDirectory;
  }

  #synced(node: NodeId, upTo: number): void {
    const file = this.#files.get(node);
    if (file) {
      const rest = file.pending.filter(({ number }) => number > upTo);
      for (const { number, change } of file.pending) if (number <= upTo) file.durable = changed(file.durable, change);
      file.pending = rest;
      return;
    }
    for (const pending of this.#names) if (pending.number <= upTo) pending.unsynced.delete(node);
    // In each directory the names change in order: one that waits for another directory holds up
    // those behind it.
    const waiting = new Set<NodeId>();
    this.#names = this.#names.filter(({ changes, unsynced }) => {
      const mustWait = unsynced.size > 0 || changes.some(({ directory }) => waiting.has(directory));
      if (mustWait) for (const { directory } of changes) waiting.add(directory);
      else applyNames(this.#directories, changes);
      return mustWait;
    });
  }

  /**
   * The changes of names that outlive the cut: some by chance, or those up to some moment, as a
   * journal keeps them.
   */
  #surviving(cut: PowerCut, random: () => number): readonly PendingNames[] {
    if (cut === 'drops all') return [];
    if (cut === 'keeps all') return this.#names;
    if (random() < 0.3) return this.#names.slice(0, Math.floor(random() * (this.#names.length + 1)));
    return this.#names.filter(() => random() < 0.5);
  }

  #contentAfter(id: NodeId, cut: PowerCut, random: () => number): Uint8Array {
    const { durable, pending } = this.#files.get(id)!;
    let content: Uint8Array = durable.slice();
    if (cut === 'drops all') return content;
    for (const { change } of pending) {
      if (cut === 'keeps all') content = changed(content, change);
      else if (random() < 0.7)
        content = change.kind === 'write' ? torn(content, change, random) : changed(content, change);
    }
    return content;
  }
}

function applyNames(directories: Map<NodeId, Map<string, NodeId>>, changes: readonly NameChange[]): void {
  for (const { directory, name, node } of changes) {
    if (node === undefined) directories.get(directory)!.delete(name);
    else directories.get(directory)!.set(name, node);
  }
}

function changed(content: Uint8Array, change: ContentChange): Uint8Array {
  return change.kind === 'write' ? written(content, change.bytes, change.offset) : resized(content, change.byteLength);
}

/** A write of which some is there: all, the beginning, or some sectors. */
function torn(content: Uint8Array, { bytes, offset }: Extract<DiskEvent, { kind: 'write' }>, random: () => number) {
  const chance = random();
  if (chance < 0.4) return written(content, bytes, offset);
  if (chance < 0.6) return written(content, bytes.subarray(0, Math.floor(random() * bytes.byteLength)), offset);
  let result: Uint8Array = content;
  for (let at = 0; at < bytes.byteLength; ) {
    const end = Math.min(bytes.byteLength, at + SECTOR_BYTES - ((offset + at) % SECTOR_BYTES));
    if (random() < 0.5) result = written(result, bytes.subarray(at, end), offset + at);
    at = end;
  }
  return result;
}
