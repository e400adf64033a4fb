import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { findFormat, mediaTypeOfFile } from '@rdf-worlds/core';
import { rdfTypeOf } from './format-name.ts';
import { UsageError } from './usage-error.ts';

/** A document to be read. */
export interface RdfInput {
  /** The name shown to users. */
  readonly name: string;
  readonly contentType: string;
  /** In bytes; undefined for a pipe. */
  readonly size: number | undefined;
  /** Returns the content. May be called only once. */
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * Returns the documents of files (`-` for standard input), in `format` or the format of each file's
 * extension. Checks all of them before any is read. Throws `UsageError` for an unknown or missing
 * format, and the system's errors for a file.
 */
export async function rdfInputs(files: readonly string[], format: string | undefined): Promise<RdfInput[]> {
  const contentType = format === undefined ? undefined : rdfTypeOf(format);
  if (contentType !== undefined && !findFormat(contentType)?.read) {
    throw new UsageError(`--format ${format}: this format can be written, but not read.`);
  }
  if (files.filter((file) => file === '-').length > 1) throw new UsageError('standard input can be read only once.');
  return Promise.all(files.map((file) => rdfInput(file, contentType)));
}

async function rdfInput(file: string, given: string | undefined): Promise<RdfInput> {
  if (file === '-') {
    if (given === undefined)
      throw new UsageError('standard input has no file extension: specify the format with --format.');
    return { name: 'standard input', contentType: given, size: undefined, bytes: () => process.stdin };
  }
  const contentType = given ?? mediaTypeOfFile(file);
  if (contentType === undefined) {
    throw new UsageError(`${file}: its extension is not that of an RDF format; specify the format with --format.`);
  }
  const found = await stat(file);
  if (found.isDirectory()) throw new UsageError(`${file}: it is a directory; pass the files in it.`);
  const size = found.isFile() ? found.size : undefined;
  return { name: file, contentType, size, bytes: () => createReadStream(file) };
}
