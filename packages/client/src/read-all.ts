/** The chunks of a stream that may not be iterable; cancels it if they are not read to the end. */
export async function* readAll<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      yield value;
    }
    isDone = true;
  } finally {
    if (!isDone) await reader.cancel();
  }
}
