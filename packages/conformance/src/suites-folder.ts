import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

/** Both in one folder. */
const ARCHIVE = 'w3c-suites.tgz';
/** The suites of RDF 1.2 and SPARQL 1.2, beside the other archive. */
const ARCHIVE_12 = 'w3c-12.tgz';
/** Where the folders of the second archive belong in the first. */
const FOLDER_12 = 'suites/rdf-tests';

/**
 * Where the suites are: a folder that is ready, an archive to unpack, or nothing at the places that
 * were looked at.
 */
export type SuitesLocation =
  | { readonly kind: 'folder' | 'archive'; readonly path: string }
  | { readonly kind: 'absent'; readonly looked: string };

/**
 * Finds the suites: `RDF_WORLDS_W3C` (an archive or an unpacked `suites` folder), else the archive
 * in `RDF_WORLDS_SHARED`, else in `../shared` beside the checkout. A place that the environment
 * names and that does not exist is an error, not an absence.
 */
export function locateSuites(checkout: string, environment: NodeJS.ProcessEnv = process.env): SuitesLocation {
  const named = environment['RDF_WORLDS_W3C'];
  if (named) {
    const path = resolve(named);
    if (!existsSync(path))
      throw new Error(`RDF_WORLDS_W3C names ${path}, which does not exist; name the archive or the suites folder.`);
    if (!statSync(path).isDirectory()) return { kind: 'archive', path };
    if (!existsSync(join(path, 'rdf-tests')))
      throw new Error(`RDF_WORLDS_W3C names ${path}, which holds no rdf-tests folder; name the suites folder itself.`);
    return { kind: 'folder', path };
  }
  const path = join(environment['RDF_WORLDS_SHARED'] || join(checkout, '..', 'shared'), 'w3c', ARCHIVE);
  return existsSync(path) ? { kind: 'archive', path } : { kind: 'absent', looked: path };
}

/**
 * Unpacks an archive, and the one of the 1.2 suites where that is beside it, into a cache folder
 * named by their content, once. Answers the `suites` folder in it.
 */
export async function unpackSuites(archive: string, cache: string): Promise<string> {
  const second = join(dirname(archive), ARCHIVE_12);
  const archives = existsSync(second) ? [archive, second] : [archive];
  const digest = createHash('sha256');
  for (const path of archives) digest.update(await readFile(path));
  const target = join(cache, digest.digest('hex').slice(0, 16));
  const suites = join(target, 'suites');
  if (existsSync(suites)) return suites;
  await mkdir(cache, { recursive: true });
  // Beside the target and renamed when complete: an interrupted run leaves no half suite behind
  // that looks whole.
  const partial = await mkdtemp(join(cache, 'unpacking-'));
  try {
    await unpack(archive, partial);
    if (archives.length > 1) await unpack(second, join(partial, FOLDER_12));
    if (!existsSync(join(partial, 'suites'))) throw new Error(`${archive} holds no suites folder.`);
    await rename(partial, target).catch((error: unknown) => {
      if (!existsSync(suites)) throw error; // else another run was faster
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return suites;
}

async function unpack(archive: string, folder: string): Promise<void> {
  const entries = extract();
  const fed = pipeline(createReadStream(archive), createGunzip(), entries);
  const written = (async () => {
    for await (const entry of entries) {
      if (entry.header.type !== 'file') {
        entry.resume();
        continue;
      }
      const path = resolve(folder, entry.header.name);
      if (!path.startsWith(folder + sep)) throw new Error(`${archive} has an entry outside its folder: ${path}`);
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(chunk as Uint8Array);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, Buffer.concat(chunks));
    }
  })();
  await Promise.all([fed, written]);
}
