import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DEFAULT_REQUEST_LIMITS, findFormat, mediaTypeOfFile, RDF_FORMATS, type RequestLimits } from '@rdf-worlds/core';
import { gunzipped } from '@rdf-worlds/core/internal';
import { rdfTypeOf } from './format-name.ts';
import { UsageError } from './usage-error.ts';

/** A document to be read. */
export interface RdfInput {
  /** The name shown to users. */
  readonly name: string;
  readonly contentType: string;
  /** In bytes, before decompression; undefined for a pipe. */
  readonly size: number | undefined;
  /**
   * Returns the content, decompressed if it is in gzip, and reports the number of bytes read of the
   * file so far, for comparison with `size`. May be called only once.
   */
  bytes(onRead: (bytes: number) => void): AsyncIterable<Uint8Array>;
}

/** How files are read. */
export interface RdfInputOptions {
  /** The flag that names the format, for messages. Default: `--format`. */
  readonly formatFlag?: string;
  /** A name of the format of all files. Default: the format of each file's extension. */
  readonly format: string | undefined;
  /** The limits that apply to decompression. Default: those of the library. */
  readonly limits?: Partial<RequestLimits> | undefined;
}

/**
 * Returns the documents of files; `-` is standard input. Checks all of them before any is read.
 * Throws `UsageError` for an unknown or missing format, and the system's errors for a file.
 */
export async function rdfInputs(
  files: readonly string[],
  { format, limits, formatFlag = '--format' }: RdfInputOptions,
): Promise<RdfInput[]> {
  const contentType = format === undefined ? undefined : rdfTypeOf(format);
  if (contentType !== undefined && !findFormat(contentType)?.read) {
    throw new UsageError(`${formatFlag} ${format}: this format can be written, but not read.`);
  }
  if (files.filter((file) => file === '-').length > 1) throw new UsageError('standard input can be read only once.');
  return Promise.all(files.map((file) => rdfInput(file, contentType, formatFlag, limits)));
}

async function rdfInput(
  file: string,
  given: string | undefined,
  formatFlag: string,
  limits: Partial<RequestLimits> | undefined,
): Promise<RdfInput> {
  const content = (chunks: AsyncIterable<Uint8Array>) => (onRead: (bytes: number) => void) =>
    gunzipped(counted(chunks, onRead), 'the file', { ...DEFAULT_REQUEST_LIMITS, ...limits });
  if (file === '-') {
    if (given === undefined)
      throw new UsageError(`standard input has no file extension: specify the format with ${formatFlag}.`);
    return { name: 'standard input', contentType: given, size: undefined, bytes: content(process.stdin) };
  }
  if (/^https?:\/\//i.test(file)) {
    throw new UsageError(
      `${file}: addresses are not fetched; download the file first, or pass - and its content, as curl -L ${file} | rdf-worlds ... - ${formatFlag} ttl.`,
    );
  }
  const found = await stat(file);
  if (found.isDirectory()) throw new UsageError(`${file}: it is a directory; pass the files in it.`);
  const contentType = given ?? mediaTypeOfFile(file.replace(/\.gz$/i, ''));
  if (contentType === undefined) throw new UsageError(`${file}: ${unknownExtension(formatFlag)}`);
  const size = found.isFile() ? found.size : undefined;
  return { name: file, contentType, size, bytes: (onRead) => content(createReadStream(file))(onRead) };
}

function unknownExtension(formatFlag: string): string {
  const extensions = RDF_FORMATS.flatMap(({ read, extensions }) => (read ? extensions.slice(0, 1) : []));
  return `its extension is not that of an RDF format (${extensions.join(', ')}). If it is in one of them, name it with ${formatFlag}; tables such as CSV have to be converted first.`;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    onRead((bytes += chunk.length));
    yield chunk;
  }
}
