/** Bytes that base64 makes whole characters of. */
const GROUP = 3;

/**
 * The JSON body of an import (INTERFACE, "ImportPostBody") in pieces as the document is read: a large file is never in memory. `onProgress` is told how many of
 * its bytes are on their way.
 */
export async function* importBody(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`{"contentType":${JSON.stringify(contentType)},"data":"`);
  let rest: Uint8Array = new Uint8Array(0);
  let sent = 0;
  for await (const chunk of chunks) {
    const bytes: Uint8Array = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % GROUP);
    // An empty piece would be no piece of a stream of bytes.
    if (whole > 0) yield base64(bytes.subarray(0, whole));
    rest = bytes.subarray(whole);
    onProgress((sent += chunk.length));
  }
  yield Buffer.concat([base64(rest), Buffer.from('"}')]);
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(buffer, byteOffset, byteLength).toString('base64'), 'latin1');
}
