import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../arguments.ts';
import { CHECKOUT } from '../child-run.ts';
import { fromUserFolder } from '../load-input.ts';

/** The folder of this package's own list of peers, which `npm run bench:peers` installs. */
export const PEERS_FOLDER = join(CHECKOUT, 'packages', 'bench', 'peers');

/** An optional package. */
export type InstalledPeer<Module> =
  | { readonly isThere: true; readonly name: string; readonly module: Module }
  | { readonly isThere: false; readonly name: string; readonly reason: string };

/**
 * Loads a package that is not a dependency of this one, from the `node_modules` of the given folder
 * or of {@link PEERS_FOLDER}. If it is not installed, the result says so; if it cannot be loaded,
 * throws. Throws {@link UsageError} if the folder is missing.
 */
export async function installedPeer<Module>(name: string, from: string | undefined): Promise<InstalledPeer<Module>> {
  const folder = from === undefined ? PEERS_FOLDER : fromUserFolder(from);
  if (from !== undefined && !existsSync(folder))
    throw new UsageError(`--peers-from ${folder}: there is no such folder.`);
  let path: string;
  try {
    path = createRequire(join(folder, 'peers.js')).resolve(name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    return { isThere: false, name, reason: 'not installed' };
  }
  const loaded = (await import(pathToFileURL(path).href)) as Module & { readonly default?: Module };
  return { isThere: true, name, module: loaded.default ?? loaded };
}

/** Describes the peers, for the settings of a report. */
export function peersLine(peers: readonly InstalledPeer<unknown>[]): string {
  return peers.map((peer) => (peer.isThere ? peer.name : `${peer.name}: ${peer.reason}`)).join('; ');
}
