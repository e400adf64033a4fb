import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { mediaTypeOfFile } from '@rdf-worlds/core';
import { academicDocument } from './academic-data.ts';
import { UsageError } from './arguments.ts';
import { CHECKOUT } from './child-run.ts';
import type { Dataset } from './workloads/entity.ts';

/** The document to load: a file or generated quads. Plain data, for a child process. */
export type LoadInputChoice =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'generated'; readonly quads: number; readonly seed: number };

/** An uncompressed document in memory, so that neither disk nor gzip is measured. */
export interface LoadInput {
  /** The name shown in reports. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** What the document was made of, for stores with tables. */
  readonly dataset?: Dataset;
}

const inflate = promisify(gunzip);

/**
 * Chooses the document: the given file; otherwise the requested number of generated quads;
 * otherwise the shared file of a million LUBM triples or, if it is missing, as many generated
 * quads. Throws {@link UsageError} if both a file and quads are given.
 */
export function chooseLoadInput({
  file,
  quads,
  seed,
}: {
  file: string | undefined;
  /** 0 if not requested. */
  quads: number;
  seed: number;
}): LoadInputChoice {
  if (file !== undefined && quads > 0) throw new UsageError('--file and --quads say two things: give one of them.');
  if (file !== undefined) return { kind: 'file', path: fromUserFolder(file) };
  if (quads > 0) return { kind: 'generated', quads, seed };
  const path = sharedFile('sparql', 'lubm-1m.nt.gz');
  return existsSync(path) ? { kind: 'file', path } : { kind: 'generated', quads: 1_000_000, seed };
}

/**
 * Resolves a path given by the user. npm runs scripts in the workspace root, but relative paths
 * refer to the user's directory.
 */
export function fromUserFolder(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}

/** Returns the path of a file of the shared benchmark data, which may be missing. */
export function sharedFile(...path: readonly string[]): string {
  return join(process.env['RDF_WORLDS_SHARED'] ?? join(CHECKOUT, '..', 'shared'), 'bench', ...path);
}

/**
 * Reads or generates the document. Throws {@link UsageError} if the file is missing or its name is
 * not that of an RDF file.
 */
export async function openLoadInput(choice: LoadInputChoice): Promise<LoadInput> {
  if (choice.kind === 'generated') {
    const { quads, seed } = choice;
    const name = `${quads.toLocaleString('en-US')} generated academic quads, seed ${seed}`;
    return { name, bytes: academicDocument({ quads, seed }), contentType: 'application/n-triples' };
  }
  const { path } = choice;
  const isCompressed = path.endsWith('.gz');
  const contentType = mediaTypeOfFile(isCompressed ? path.slice(0, -'.gz'.length) : path);
  if (contentType === undefined) {
    throw new UsageError(
      `--file ${path}: the name must end like an RDF file (.nt, .nq, .ttl), also with .gz behind it.`,
    );
  }
  if (!existsSync(path)) throw new UsageError(`--file ${path}: there is no such file.`);
  const content = await readFile(path);
  return { name: basename(path), bytes: isCompressed ? await inflate(content) : content, contentType };
}
