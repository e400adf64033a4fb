import { discard, type FileSystem, type OpenFile, type OpenMode } from './file-system.ts';

/** Number of bytes copied per read and write. */
const COPY_BYTES = 2 ** 20;

/** Copies the content of an open file to a path and syncs the copy. */
export async function copyTo(fileSystem: FileSystem, source: OpenFile, path: string, mode: OpenMode): Promise<void> {
  const target = await fileSystem.open(path, mode);
  try {
    const piece = Buffer.allocUnsafe(COPY_BYTES);
    for (let at = 0; ; ) {
      const length = await source.read(piece, at);
      if (length > 0) await target.write(piece.subarray(0, length), at);
      at += length;
      if (length < piece.byteLength) break;
    }
    await target.sync();
  } finally {
    await discard(target);
  }
}
