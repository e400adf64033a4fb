import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { areTooTiny } from './body-pieces.ts';
import type { ReadTurns } from './read-turns.ts';

/** How long a refused request may take to be answered before its connection is closed. */
const ANSWER_MS = 2_000;

/**
 * A request whose body `node:http` receives piece by piece, even before anything reads it. Once
 * the pieces are too tiny, the next ones are dropped: each would be an object that keeps its whole
 * read buffer alive, and pass through the machinery of streams. What reads the body has seen enough
 * by then to refuse it. If nothing reads it yet, the connection is closed.
 *
 * All pieces also count as work of the connection ({@link ReadTurns}).
 */
export class BoundedMessage extends IncomingMessage {
  private readonly turns: ReadTurns;
  private pieces = 0;
  private bytes = 0;
  private isRefused = false;

  constructor(socket: Socket, turns: ReadTurns) {
    super(socket);
    this.turns = turns;
  }

  override push(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (chunk === null) return this.pushBounded(chunk, encoding);
    const isReadFurther = this.turns.receive(this.socket, chunk.length);
    return this.pushBounded(chunk, encoding) && isReadFurther;
  }

  private pushBounded(chunk: Uint8Array | null, encoding?: BufferEncoding): boolean {
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
