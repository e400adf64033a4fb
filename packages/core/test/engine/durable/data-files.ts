import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { WorldsError } from '../../../src/index.ts';

/** The files of a data directory by their paths. */
export type DataFiles = ReadonlyMap<string, Buffer>;

export async function pathsOf(fileSystem: SimulatedFileSystem, directory: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of await fileSystem.list(directory)) {
    const path = `${directory}/${name}`;
    const below = await fileSystem.list(path).catch(() => undefined);
    paths.push(...(below ? await pathsOf(fileSystem, path) : [path]));
  }
  return paths.sort();
}

export async function readAll(fileSystem: SimulatedFileSystem, path: string): Promise<Buffer> {
  const file = await fileSystem.open(path, 'read');
  const bytes = Buffer.alloc(await file.size());
  await file.read(bytes, 0);
  await file.close();
  return bytes;
}

export async function put(fileSystem: SimulatedFileSystem, path: string, bytes: Uint8Array): Promise<void> {
  const file = await fileSystem.open(path, 'replace');
  await file.write(bytes, 0);
  await file.close();
}

export async function filesOf(fileSystem: SimulatedFileSystem): Promise<DataFiles> {
  const files = new Map<string, Buffer>();
  for (const path of await pathsOf(fileSystem, '/data')) files.set(path, await readAll(fileSystem, path));
  return files;
}

/** A new disk with these files, and the directories that they are in. */
export async function diskWith(files: DataFiles): Promise<SimulatedFileSystem> {
  const fileSystem = new SimulatedFileSystem(() => 0);
  const made = new Set<string>();
  for (const [path, bytes] of files) {
    for (let slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
      const directory = path.slice(0, slash);
      if (!made.has(directory)) await fileSystem.makeDirectory(directory);
      made.add(directory);
    }
    await put(fileSystem, path, bytes);
  }
  return fileSystem;
}

/** Rethrows anything that is not an error of ours, so that it fails the test. */
export function asError(error: unknown): WorldsError {
  if (error instanceof WorldsError) return error;
  throw error;
}
