import { IncomingMessage } from 'node:http';
import { areTooTiny } from './body-pieces.ts';

/** How long a refused request may take to be answered before its connection is closed. */
const ANSWER_MS = 2_000;

/**
 * A request whose body `node:http` receives piece by piece, even before anything reads it. Once
 * the pieces are too tiny, the next ones are dropped: each would be an object that keeps its whole
 * read buffer alive, and pass through the machinery of streams. What reads the body has seen enough
 * by then to refuse it. If nothing reads it yet, the connection is closed.
 */
export class BoundedMessage extends IncomingMessage {
  private pieces = 0;
  private bytes = 0;
  private isRefused = false;

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    // Never an end, behind which the body would look whole. For false, Node stops reading from the
    // connection.
    if (this.isRefused) return false;
    if (chunk === null || !areTooTiny(++this.pieces, (this.bytes += chunk.length))) return super.push(chunk, encoding);
    this.isRefused = true;
    const close = () => void this.destroy(new Error('The body came in too many tiny pieces.'));
    if (this.listenerCount('data') === 0) close();
    else {
      super.push(chunk, encoding);
      setTimeout(close, ANSWER_MS).unref();
    }
    return false;
  }
}
