import type { IncomingMessage } from 'node:http';

/**
 * Returns the body of a message as a stream that reads nothing until it is pulled. Cancelling it
 * leaves the connection open.
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
        // Never removed: an error event after the body was cancelled must not go unhandled.
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
