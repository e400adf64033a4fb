/** RFC 1952 section 2.3.1: ID1, ID2, and deflate, the only method. */
const GZIP = [0x1f, 0x8b, 0x08];

/**
 * Returns the bytes of a document; those of a document in gzip are decompressed. `onRead` receives
 * the number of bytes of each chunk that is read from the document itself. The stream fails with a
 * TypeError if the gzip data is damaged or incomplete.
 */
export async function plainBytes(
  document: Blob,
  onRead: (bytes: number) => void = () => undefined,
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const head = new Uint8Array(await document.slice(0, GZIP.length).arrayBuffer());
  const counted = document.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onRead(chunk.length);
        controller.enqueue(chunk);
      },
    }),
  );
  return GZIP.every((byte, i) => head[i] === byte) ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
}
