import { Buffer } from '#platform';
import { WorldsError } from '../../model/worlds-error.ts';

/**
 * A backup is a stream: magic number and version, then entries, each with a kind, a name and data.
 * See `docs/reference/storage-format.md`. Version 1 has only full copies, without places and
 * digest.
 */
export const BACKUP_MAGIC = 0x42575752;
export const BACKUP_VERSION = 2;
export const BACKUP_HEADER_BYTES = 8;
export const ENTRY_BYTES = 16;
export const DIGEST_BYTES = 32;
export const ENTRY = {
  /** A full copy of a namespace; its segments follow. */
  namespace: 1,
  segment: 2,
  /**
   * The last entry: the digest of everything before it, which proves that the backup is complete.
   */
  end: 3,
  /** The first entry: the id of this backup and its parent. */
  head: 4,
  /** The log of a namespace since the parent; its records follow. */
  log: 5,
  record: 6,
  /** The namespace is the same as in the parent. */
  unchanged: 7,
  /** The namespace was deleted since the parent. */
  gone: 8,
} as const;

/** The state of a namespace that a backup contains. */
export interface BackupPlace {
  /** Incarnation of the log; without storage, a random text per engine. */
  readonly incarnation: string;
  /** Position in the log; without storage, the revision. */
  readonly position: number;
  /**
   * Id of the record at the position, which distinguishes forks of a log; '' if the log no longer
   * contains the record.
   */
  readonly record: string;
}

/** Contents of the first entry of a backup. */
export interface BackupHead {
  /** 128 random bits as 32 hexadecimal digits. */
  readonly id: string;
  /** Incremental backups only: the parent's id and its SHA-256 in hexadecimal digits. */
  readonly parent?: { readonly id: string; readonly digest: string };
}

/** Contents of a `log` entry. */
export interface BackupLog extends BackupPlace {
  /** Position in the parent. */
  readonly from: number;
}

const encoder = new TextEncoder();

export function backupHeader(): Uint8Array {
  return new Uint8Array(Uint32Array.of(BACKUP_MAGIC, BACKUP_VERSION).buffer);
}

/** Returns the header of an entry, which precedes its data. */
export function entryHeader(kind: number, name: string, byteLength: number): Uint8Array {
  const text = encoder.encode(name);
  const bytes = new Uint8Array(ENTRY_BYTES + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, kind, true);
  view.setUint32(4, text.length, true);
  view.setFloat64(8, byteLength, true);
  bytes.set(text, ENTRY_BYTES);
  return bytes;
}

/** Returns an entry with JSON data. */
export function jsonEntry(kind: number, name: string, value: BackupHead | BackupPlace | BackupLog): Uint8Array {
  const data = encoder.encode(JSON.stringify(value));
  return Buffer.concat([entryHeader(kind, name, data.length), data]);
}

const HEX = /^[0-9a-f]+$/;

export function isBackupHead(value: unknown): value is BackupHead {
  if (!isObject(value) || !isHex(value['id'], 32)) return false;
  const parent = value['parent'];
  return parent === undefined || (isObject(parent) && isHex(parent['id'], 32) && isHex(parent['digest'], 64));
}

export function isBackupPlace(value: unknown): value is BackupPlace {
  return (
    isObject(value) &&
    typeof value['incarnation'] === 'string' &&
    isPosition(value['position']) &&
    typeof value['record'] === 'string'
  );
}

export function isBackupLog(value: unknown): value is BackupLog {
  return isBackupPlace(value) && isPosition((value as BackupLog).from) && (value as BackupLog).from < value.position;
}

export function isHex(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length === length && HEX.test(value);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** @param label identifies the backup in messages: "The backup" or "Backup 2 of 3" */
export function damagedBackup(label: string, cause?: unknown): WorldsError {
  return new WorldsError('CORRUPT', `${label} is damaged or ends too early; use another one.`, { cause });
}
