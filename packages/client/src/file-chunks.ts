import { isError, WorldsError } from '@rdf-worlds/core/remote';

interface FileSystem {
  openAsBlob(path: URL): Promise<Blob>;
}

interface Builtins {
  readonly process?: { readonly getBuiltinModule?: (name: string) => FileSystem | undefined };
}

/**
 * Reads a file where there is a file system. Not by an import, because bundles for browsers would
 * have to resolve it. Throws INVALID_ARGUMENT with `field` and the file name if it cannot be read.
 */
export async function* fileChunks(url: URL, field: string): AsyncGenerator<Uint8Array> {
  const files = (globalThis as Builtins).process?.getBuiltinModule?.('node:fs');
  if (!files) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: the file ${url.href} could not be read: this runtime gives no access to files; pass its content.`,
    );
  }
  let blob: Blob;
  try {
    blob = await files.openAsBlob(new URL(url.href));
  } catch (cause) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${field}: the file ${url.href} could not be read: ${isError(cause) ? cause.message : String(cause)}`,
      { cause },
    );
  }
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
