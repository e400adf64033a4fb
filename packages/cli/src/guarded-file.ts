import { type FileHandle, open } from 'node:fs/promises';
import { WorldsError } from '@rdf-worlds/core';

/** The text of a file that decides who may do what. */
export interface GuardedText {
  readonly content: string;
  readonly version: string;
  /** Whether others may read it. */
  readonly warning: boolean;
}

/**
 * Reads such a file; undefined when it is the version that is known. Throws INVALID_ARGUMENT for
 * one that others may write, and what the system says.
 */
export async function readGuarded(path: string): Promise<GuardedText>;
export async function readGuarded(path: string, known: string): Promise<GuardedText | undefined>;
export async function readGuarded(path: string, known?: string): Promise<GuardedText | undefined> {
  const file: FileHandle = await open(path, 'r');
  try {
    const { mtimeNs, size, ino, mode } = await file.stat({ bigint: true });
    const version = `${mtimeNs} ${size} ${ino} ${mode}`;
    if (version === known) return undefined;
    // Windows has no such modes.
    const others = process.platform === 'win32' ? 0 : Number(mode) & 0o077;
    if ((others & 0o022) !== 0) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${path}: others may write it, and give themselves rights; run chmod 600.`,
      );
    }
    return { content: await file.readFile('utf8'), version, warning: others !== 0 };
  } finally {
    await file.close();
  }
}
