import type { IncomingMessage } from 'node:http';

/**
 * The body of a message as a stream that reads nothing before it is asked to. Giving it up leaves
 * the connection alone.
 */
export function bodyStream(message: IncomingMessage): ReadableStream<Uint8Array> {
  let stop = () => {};
  let isReading = false;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isReading) {
          message.resume();
          return;
        }
        isReading = true;
        const onData = (chunk: Buffer) => {
          message.pause();
          controller.enqueue(chunk);
        };
        const onEnd = () => {
          stop();
          controller.close();
        };
        const onBreak = () => {
          stop();
          controller.error(new Error('The connection was closed before the body ended.'));
        };
        stop = () => {
          message.off('data', onData).off('end', onEnd).off('close', onBreak);
        };
        // Stays: an error after the body was given up is nobody's.
        message.on('error', onBreak);
        if (message.destroyed && !message.readableEnded) return onBreak();
        message.on('data', onData).on('end', onEnd).on('close', onBreak);
      },
      cancel() {
        stop();
        message.pause();
      },
    },
    { highWaterMark: 0 },
  );
}
