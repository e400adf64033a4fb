import { join } from 'node:path';
import type { WorldsError } from '@rdf-worlds/core';
import { corrupt } from './file-errors.ts';
import { type FileSystem, hasCode } from './file-system.ts';
import { baseOfLogName, LOG_HEADER_BYTES } from './log-file-header.ts';
import { type Manifest, manifestPath } from './manifest.ts';
import { numberOfSegmentName } from './segment-file.ts';

/** Returns the error for a directory whose manifest names another namespace. */
export function foreignManifest(directory: string, { namespace }: Manifest): WorldsError {
  return corrupt(
    manifestPath(directory),
    undefined,
    `it belongs to the namespace ${JSON.stringify(namespace)}, whose directory is a different one.`,
  );
}

/**
 * Checks a directory without a manifest. Nothing in it was ever acknowledged, so it can hold at
 * most the empty log of a namespace whose creation was interrupted. Throws CORRUPT if it holds
 * more.
 */
export async function checkLeftOver(fileSystem: FileSystem, directory: string): Promise<void> {
  const names = await fileSystem.list(directory).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  });
  for (const name of names) {
    const isSegment = numberOfSegmentName(name) !== undefined;
    const isLog = baseOfLogName(name) !== undefined;
    if (isSegment || (isLog && (await fileSystem.size(join(directory, name))) > LOG_HEADER_BYTES))
      throw corrupt(manifestPath(directory), undefined, 'the manifest of a namespace is missing.');
  }
}
