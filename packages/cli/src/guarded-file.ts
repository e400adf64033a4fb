import { type FileHandle, open } from 'node:fs/promises';
import { WorldsError } from '@rdf-worlds/core';

/** The content of a file, and what its permissions allow. */
export interface GuardedText {
  readonly content: string;
  readonly version: string;
  /** True if other users may read the file. */
  readonly warning: boolean;
}

/**
 * Reads a security-relevant file; returns undefined if it still has the known version. Throws
 * `INVALID_ARGUMENT` if other users may write it, and the system's errors.
 */
export async function readGuarded(path: string): Promise<GuardedText>;
export async function readGuarded(path: string, known: string | undefined): Promise<GuardedText | undefined>;
export async function readGuarded(path: string, known?: string): Promise<GuardedText | undefined> {
  const reading = await readVersion(path, known);
  if (reading && (reading.othersMay & 0o022) !== 0) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${path}: other users can write to it and so grant themselves permissions; run chmod 600.`,
    );
  }
  return reading;
}

/**
 * Reads a file; returns undefined if it still has the known version. Throws the system's errors.
 */
export async function readVersion(
  path: string,
  known?: string,
): Promise<(GuardedText & { readonly othersMay: number }) | undefined> {
  const file: FileHandle = await open(path, 'r');
  try {
    const { mtimeNs, size, ino, mode } = await file.stat({ bigint: true });
    const version = `${mtimeNs} ${size} ${ino} ${mode}`;
    if (version === known) return undefined;
    // Windows has no such permission bits.
    const othersMay = process.platform === 'win32' ? 0 : Number(mode) & 0o077;
    return { content: await file.readFile('utf8'), version, warning: othersMay !== 0, othersMay };
  } finally {
    await file.close();
  }
}
