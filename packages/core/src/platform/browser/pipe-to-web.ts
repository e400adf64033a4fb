/**
 * Writes chunks to a stream and closes it. An error of the chunks aborts the stream; an error of
 * the stream ends the iteration.
 */
export async function pipeToWeb(chunks: AsyncIterable<Uint8Array>, stream: WritableStream<Uint8Array>): Promise<void> {
  const writer = stream.getWriter();
  try {
    for await (const chunk of chunks) await writer.write(chunk as Uint8Array<ArrayBuffer>);
    await writer.close();
  } catch (error) {
    // A stream that failed by itself cannot be aborted; its error is thrown.
    await writer.abort(error).catch(() => undefined);
    throw error;
  } finally {
    writer.releaseLock();
  }
}
