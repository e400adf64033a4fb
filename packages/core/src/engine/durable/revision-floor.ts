import { runAtOnce } from '../../contracts/slicer.ts';
import type { Head, NamespaceStorage } from '../../contracts/storage.ts';
import { NO_HEAD } from '../../contracts/storage-arguments.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { ByteReader } from './byte-reader.ts';
import { type SealedKind, seal, unseal } from './sealed-bytes.ts';

/** Reserved name: user namespaces cannot have it. */
export const FLOOR_NAMESPACE = '_';

const FLOOR_RECORD: SealedKind = { name: 'revision floor', magic: 0x46575752, version: 1 };
const WHERE = 'the storage';
/** Maximum number of attempts to append while other processes append at the same time. */
const MAX_ATTEMPTS = 5;
/** Number of records after which the log is replaced by a checkpoint. */
const MAX_RECORDS = 200;

/**
 * The highest revision of all deleted namespaces. A new namespace of the same name continues above
 * it, so that a revision never denotes two worlds. It must outlive the deleted namespaces and is
 * therefore stored in a log of its own.
 */
export class RevisionFloor {
  private readonly storage: NamespaceStorage;
  private readonly newId: () => string;
  private readonly onShortened: (cause: unknown) => void;
  private revision = 0;
  private head: Head = NO_HEAD;
  private records = 0;
  /**
   * True if another engine may have appended records, or if the outcome of an append is unknown.
   */
  private doubt = false;

  private constructor(storage: NamespaceStorage, newId: () => string, onShortened: (cause: unknown) => void) {
    this.storage = storage;
    this.newId = newId;
    this.onShortened = onShortened;
  }

  /**
   * @param storage the namespace of the floor
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

  /** Records that another engine has raised the floor. */
  learn(revision: number): void {
    this.revision = Math.max(this.revision, revision);
    // That engine's record has not been read yet.
    this.doubt = true;
  }

  /** Reads the records of others. */
  async refresh(): Promise<void> {
    await this.readOn();
  }

  /** Raises the floor. Durable on return. */
  async raise(revision: number): Promise<void> {
    const chunks = encode(revision);
    for (let attempt = 1; ; attempt++) {
      if (this.doubt) await this.readOn();
      if (revision <= this.revision) return;
      this.doubt = true;
      try {
        this.head = await this.storage.append(this.head, [{ id: this.newId(), chunks }]);
        break;
      } catch (cause) {
        // Another engine has raised the floor meanwhile, possibly higher.
        if (!(cause instanceof WorldsError && cause.code === 'CONFLICT') || attempt === MAX_ATTEMPTS) throw cause;
      }
    }
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

  /** Reads the records that were appended since, including those of other engines. */
  private async readOn(): Promise<void> {
    try {
      await this.readBehind();
    } catch (cause) {
      // Another engine has truncated the log meanwhile.
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
