import assert from 'node:assert/strict';
import { WorldsError, type WorldsErrorCode } from '@rdf-worlds/core';
import {
  type Head,
  type LogRecord,
  type NamespaceStorage,
  NO_HEAD,
  type Segment,
  type Storage,
} from '@rdf-worlds/core/plugin';

/** The location where a storage keeps its data: a directory, a database, a region of memory. */
export interface StoragePlace {
  /** Returns a new storage over the place, not opened yet. The previous one is closed. */
  make(): Storage;
  /** Removes the place. Called when all storages over it are closed. */
  dispose?(): Promise<void>;
}

/** Makes a new, empty place for one case. */
export type MakeStoragePlace = () => StoragePlace | Promise<StoragePlace>;

/** A storage under test that can be closed and reopened over the same place. */
export class StorageProbe {
  storage: Storage;
  readonly #place: StoragePlace;

  private constructor(place: StoragePlace) {
    this.#place = place;
    this.storage = place.make();
  }

  /** Runs a case on a storage over a new place, then closes the storage and removes the place. */
  static async run(
    makePlace: MakeStoragePlace,
    test: (probe: StorageProbe) => Promise<void>,
    { open = true } = {},
  ): Promise<void> {
    const place = await makePlace();
    try {
      const probe = new StorageProbe(place);
      try {
        if (open) await probe.storage.open();
        await test(probe);
      } finally {
        await probe.storage.close();
      }
    } finally {
      await place.dispose?.();
    }
  }

  namespace(name = 'n'): NamespaceStorage {
    return this.storage.namespace(name);
  }

  /** Closes the storage and opens another one over the same place. */
  async reopen(): Promise<void> {
    await this.storage.close();
    this.storage = this.#place.make();
    await this.storage.open();
  }

  async namespaces(): Promise<string[]> {
    return (await all(this.storage.namespaces())).sort();
  }
}

let made = 0;

/** Returns a record of a text, with a unique id. */
export function record(text: string): LogRecord {
  return { id: (++made).toString(16).padStart(32, '0'), chunks: [Buffer.from(text)] };
}

/** Appends one record per text in a single append, after the current head. */
export async function append(namespace: NamespaceStorage, ...texts: string[]): Promise<Head> {
  return namespace.append(await namespace.head(), texts.map(record));
}

/** Returns the texts of the records after `after`. Checks that positions have no gaps. */
export async function textsOf(namespace: NamespaceStorage, after: Head = NO_HEAD): Promise<string[]> {
  const records = await all(namespace.read(after));
  for (const [at, { head }] of records.entries())
    assert.equal(head.position, after.position + at + 1, 'the position of a record');
  return records.map(({ data }) => Buffer.from(data).toString());
}

export function segment(name: string, ...chunks: string[]): Segment {
  return { name, write: () => chunks.map((chunk) => Buffer.from(chunk)) };
}

/** Returns a segment that the newest checkpoint has; writing it again fails the case. */
export function kept(name: string): Segment {
  return {
    name,
    write: () => assert.fail(`segment ${name} is written again, but the newest checkpoint has it`),
  };
}

/** Returns the newest checkpoint as `position: name=text ...`; undefined if there is none. */
export async function checkpointText(namespace: NamespaceStorage): Promise<string | undefined> {
  const checkpoint = await namespace.checkpoint();
  if (!checkpoint) return undefined;
  const parts: string[] = [`${checkpoint.at.position}:`];
  for (const { name, byteLength, read } of checkpoint.segments.map(bound)) {
    const data = await read();
    assert.equal(data.byteLength, byteLength, `the length of segment ${name}`);
    assert.equal(data.byteOffset % 8, 0, `the offset of segment ${name} in its memory`);
    parts.push(`${name}=${Buffer.from(data).toString()}`);
  }
  return parts.join(' ');
}

function bound(stored: { name: string; byteLength: number; read(): Promise<Uint8Array> }) {
  return { name: stored.name, byteLength: stored.byteLength, read: () => stored.read() };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Checks that a call fails with a {@link WorldsError} of the given code. */
export async function fails(code: WorldsErrorCode, call: () => unknown): Promise<void> {
  let error: unknown;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error !== undefined, `expected ${code}, but the call succeeded`);
  assert.ok(error instanceof WorldsError, `expected a WorldsError, but got ${error}`);
  assert.equal(error.code, code, `wrong code for: ${error.message}`);
}

/** Returns bytes that depend on their offset, so that moved or lost pieces are detected. */
export function patternBytes(byteLength: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  for (let at = 0, state = seed | 1; at < byteLength; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** Yields the bytes in pieces of odd and growing sizes. */
export function* pieces(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0, size = 1; at < bytes.byteLength; at += size, size = size * 3 + 1) {
    yield bytes.subarray(at, at + size);
  }
}
