import { discard, type FileSystem, type OpenFile, type OpenMode } from './file-system.ts';

/** Bytes of one read and write of a copy. */
const COPY_BYTES = 2 ** 20;

/** Writes the first `byteLength` bytes of an open file to a path, or all of them, and syncs the copy. */
export async function copyTo(
  fileSystem: FileSystem,
  source: OpenFile,
  path: string,
  mode: OpenMode,
  byteLength = Number.POSITIVE_INFINITY,
): Promise<void> {
  const target = await fileSystem.open(path, mode);
  try {
    const piece = Buffer.allocUnsafe(Math.min(byteLength, COPY_BYTES));
    for (let at = 0; at < byteLength; ) {
      const wanted = piece.subarray(0, Math.min(piece.byteLength, byteLength - at));
      const length = await source.read(wanted, at);
      if (length > 0) await target.write(wanted.subarray(0, length), at);
      at += length;
      if (length < wanted.byteLength) break;
    }
    await target.sync();
  } finally {
    await discard(target);
  }
}
