import { WorldsError } from '../../model/worlds-error.ts';
import { runAtOnce } from '../../storage/slicer.ts';
import type { Head, NamespaceStorage } from '../../storage/storage.ts';
import { NO_HEAD } from '../../storage/storage-arguments.ts';
import { ByteReader } from './byte-reader.ts';
import { type SealedKind, seal, unseal } from './sealed-bytes.ts';

/** No namespace of a user is called so. */
export const FLOOR_NAMESPACE = '_';

const FLOOR_RECORD: SealedKind = { name: 'revision floor', magic: 0x46575752, version: 1 };
const WHERE = 'the storage';
/** After so many records their log begins anew. */
const MAX_RECORDS = 200;

/**
 * The highest revision of all namespaces that are gone. One of the same name goes on above it, so
 * that no revision ever means two worlds; a namespace that is gone cannot remember it, so it is
 * kept in a log of its own.
 */
export class RevisionFloor {
  private readonly storage: NamespaceStorage;
  private readonly newId: () => string;
  private readonly onShortened: (cause: unknown) => void;
  private revision = 0;
  private head: Head = NO_HEAD;
  private records = 0;
  /** True after an append of unknown outcome. */
  private doubt = false;

  private constructor(storage: NamespaceStorage, newId: () => string, onShortened: (cause: unknown) => void) {
    this.storage = storage;
    this.newId = newId;
    this.onShortened = onShortened;
  }

  /**
   * @param onShortened called after each attempt to shorten the log, with the error or undefined
   */
  static async open(
    storage: NamespaceStorage,
    newId: () => string,
    onShortened: (cause: unknown) => void,
  ): Promise<RevisionFloor> {
    const floor = new RevisionFloor(storage, newId, onShortened);
    await floor.readAll();
    return floor;
  }

  get value(): number {
    return this.revision;
  }

  /** Told what another engine has raised it to. */
  learn(revision: number): void {
    this.revision = Math.max(this.revision, revision);
    // Its record is behind what was read last.
    this.doubt = true;
  }

  /** Durable on return. */
  async raise(revision: number): Promise<void> {
    if (this.doubt) await this.readOn();
    if (revision <= this.revision) return;
    const chunks = encode(revision);
    this.doubt = true;
    this.head = await this.storage.append(this.head, [{ id: this.newId(), chunks }]);
    this.doubt = false;
    this.revision = revision;
    if (++this.records >= MAX_RECORDS) await this.shorten(chunks).then(this.onShortened, this.onShortened);
  }

  /** Replaces the log with a checkpoint. A failure is harmless: the next call tries again. */
  private async shorten(chunks: readonly Uint8Array[]): Promise<void> {
    await this.storage.writeCheckpoint(this.head, [{ name: `floor-${this.newId()}`, write: () => [...chunks] }]);
    await this.storage.truncate(this.head);
    this.records = 0;
  }

  private async readAll(): Promise<void> {
    const checkpoint = await this.storage.checkpoint();
    if (checkpoint) {
      this.head = checkpoint.at;
      for (const segment of checkpoint.segments) this.take(await segment.read());
    }
    await this.readBehind();
  }

  /** Takes in what came since, of another engine too. */
  private async readOn(): Promise<void> {
    try {
      await this.readBehind();
    } catch (cause) {
      // Another engine has shortened the log meanwhile.
      if (!(cause instanceof WorldsError && cause.code === 'TRUNCATED')) throw cause;
      await this.readAll();
    }
  }

  private async readBehind(): Promise<void> {
    for await (const { data, head } of this.storage.read(this.head)) {
      this.take(data);
      this.head = head;
      this.records++;
    }
    this.doubt = false;
  }

  private take(data: Uint8Array): void {
    const reader = new ByteReader(runAtOnce(unseal(FLOOR_RECORD, data, WHERE)));
    this.revision = Math.max(this.revision, reader.float64());
  }
}

function encode(revision: number): Uint8Array[] {
  return runAtOnce(seal(FLOOR_RECORD, [new Uint8Array(Float64Array.of(revision).buffer)]));
}
