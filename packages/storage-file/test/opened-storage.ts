import type { Head, LogRecord, NamespaceStorage, Storage } from '@rdf-worlds/core/plugin';
import { type FileStorageOptions, type FileSystem, fileStorage } from '@rdf-worlds/storage-file';
import { SimulatedFileSystem } from './power-cut/simulated-file-system.ts';

export async function openedStorage(
  fileSystem: FileSystem,
  options: Partial<FileStorageOptions> = {},
): Promise<Storage> {
  const storage = fileStorage({ path: '/data', fileSystem, ...options });
  await storage.open();
  return storage;
}

/** Files in memory, for tests that spoil them. */
export const memoryFiles = (): SimulatedFileSystem => new SimulatedFileSystem(() => 0);

let made = 0;
export const recordOf = (text: string): LogRecord => ({
  id: (++made).toString(16).padStart(32, '0'),
  chunks: [Buffer.from(text)],
});

export async function append(namespace: NamespaceStorage, ...texts: string[]): Promise<Head> {
  return namespace.append(await namespace.head(), texts.map(recordOf));
}

export async function textsOf(
  namespace: NamespaceStorage,
  after: Head = { incarnation: '', position: 0, generation: 0 },
): Promise<string[]> {
  const texts: string[] = [];
  for await (const { data } of namespace.read(after)) texts.push(Buffer.from(data).toString());
  return texts;
}

export const segmentOf = (name: string, text: string) => ({ name, write: () => [Buffer.from(text)] });

export async function segmentTexts(namespace: NamespaceStorage): Promise<string[]> {
  const { segments = [] } = (await namespace.checkpoint()) ?? {};
  return Promise.all(segments.map(async (segment) => Buffer.from(await segment.read()).toString()));
}
