import type { IncomingMessage } from 'node:http';
import type { BodySource } from './body-source.ts';
import { closesConnection } from './http-error.ts';
import { ROUNDS } from './rounds.ts';

/** Bytes received ahead of the reader before the message is paused. */
const MAX_AHEAD_BYTES = 256 * 1024;

const drop = () => {};

/** The body of a `node:http` message, with backpressure. Receives nothing before the first read. */
export class MessageBody implements BodySource {
  pieces = 0;
  private readonly message: IncomingMessage;
  private isReceiving = false;
  private isStopped = false;
  private isEnded = false;
  private failure: Error | undefined;
  private ahead: Buffer[] = [];
  private aheadBytes = 0;
  private wake: (() => void) | undefined;

  constructor(message: IncomingMessage) {
    this.message = message;
  }

  async read(): Promise<Uint8Array | undefined> {
    if (!this.isReceiving) this.receive();
    if (!this.hasNews) {
      if (this.message.isPaused()) this.message.resume();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    const { ahead, aheadBytes } = this;
    if (ahead.length === 0 || this.isStopped) {
      if (this.failure) throw this.failure;
      return undefined;
    }
    this.ahead = [];
    this.aheadBytes = 0;
    return ahead.length === 1 ? ahead[0] : Buffer.concat(ahead, aheadBytes);
  }

  stop(reason: Error): void {
    if (this.isStopped) return;
    this.isStopped = true;
    this.failure ??= reason;
    this.ahead = [];
    const { message } = this;
    message.off('data', this.onData).off('end', this.onEnd).off('close', this.onClose);
    // As in `readBody`: a paused message would buffer tiny pieces, one object each.
    if (this.isReceiving && !this.isEnded) {
      if (closesConnection(reason)) message.on('data', drop);
      else message.pause();
    }
    this.wake?.();
  }

  private get hasNews(): boolean {
    return this.ahead.length > 0 || this.isEnded || this.failure !== undefined;
  }

  private receive(): void {
    this.isReceiving = true;
    const { message } = this;
    // Never removed: an error event after `stop` must not go unhandled.
    message.on('error', this.onClose);
    if (message.destroyed && !message.readableEnded) this.onClose();
    else message.on('data', this.onData).on('end', this.onEnd).on('close', this.onClose);
  }

  private readonly onData = (piece: Buffer): void => {
    this.pieces++;
    this.ahead.push(piece);
    this.aheadBytes += piece.length;
    if (this.aheadBytes >= MAX_AHEAD_BYTES) this.message.pause();
    this.wake?.();
  };

  private readonly onEnd = (): void => {
    this.isEnded = true;
    this.wake?.();
  };

  private readonly onClose = (): void => {
    if (this.isEnded) return;
    this.failure ??= new Error('The connection was closed before the body ended.');
    ROUNDS.add(() => this.wake?.());
  };
}
