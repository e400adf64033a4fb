import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../arguments.ts';
import { fromUserFolder } from '../load-input.ts';

/** A package that need not be there. */
export type InstalledPeer<Module> =
  | { readonly isThere: true; readonly name: string; readonly module: Module }
  | { readonly isThere: false; readonly name: string; readonly reason: string };

/**
 * Loads a package that this one does not depend on, from the folder that has it in its
 * `node_modules`, or from where this package is. One that is not installed is told, not thrown; one
 * that is and cannot be loaded throws. Throws {@link UsageError} for a folder that is not there.
 */
export async function installedPeer<Module>(name: string, from: string | undefined): Promise<InstalledPeer<Module>> {
  const folder = from === undefined ? undefined : fromUserFolder(from);
  if (folder !== undefined && !existsSync(folder))
    throw new UsageError(`--peers-from ${folder}: there is no such folder.`);
  let path: string;
  try {
    path = createRequire(folder === undefined ? import.meta.url : join(folder, 'peers.js')).resolve(name);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    return { isThere: false, name, reason: 'not installed' };
  }
  const loaded = (await import(pathToFileURL(path).href)) as Module & { readonly default?: Module };
  return { isThere: true, name, module: loaded.default ?? loaded };
}

/** For the settings of a report. */
export function peersLine(peers: readonly InstalledPeer<unknown>[]): string {
  return peers.map((peer) => (peer.isThere ? peer.name : `${peer.name}: ${peer.reason}`)).join('; ');
}
