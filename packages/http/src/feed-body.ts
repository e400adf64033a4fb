import { WorldsError } from '@rdf-worlds/core';
import { STATUS_OF_CODE } from './error-status.ts';
import type { BodyEnd } from './timed-body.ts';

export interface FeedBodyParts {
  /**
   * Opens the events, as texts; the signal fires when the feed ends. An event may have several
   * texts, of which only the last ends with an empty line.
   */
  readonly open: (signal: AbortSignal) => AsyncIterator<string>;
  /** Returns the text of a heartbeat. Throws the `WorldsError` that ends the feed. */
  readonly heartbeat: () => Promise<string>;
  /** Returns the last event of a feed that was ended by an error. */
  readonly lastEvent: (error: WorldsError) => string;
  /** Fires when the client disconnects. */
  readonly client: AbortSignal;
  /** Fires when the server begins to stop. */
  readonly stopping: AbortSignal | undefined;
  readonly heartbeatMs: number;
  /** How long the reader may take nothing. */
  readonly idleMs: number;
  /** Called with unexpected failures. */
  readonly report: (cause: unknown) => void;
  /** Frees what the feed holds. */
  readonly release: () => void;
}

type Step = IteratorResult<string> | 'heartbeat' | 'over';

/**
 * The chunks of a change feed. An event is produced when the reader takes it, so that a slow reader
 * holds one event and no more; a reader that takes nothing for `idleMs` is cut off. Whatever ends
 * the feed from this side is its last event.
 *
 * A heartbeat is returned every `heartbeatMs`, even between events that follow without a pause.
 */
export class FeedBody implements AsyncIterableIterator<Uint8Array> {
  private readonly parts: FeedBodyParts;
  private readonly events: AsyncIterator<string>;
  private readonly work = new AbortController();
  private readonly over = new AbortController();
  private readonly disconnected = () => this.end('abandoned');
  private readonly stopped = () => this.stop(serverStops());
  /** The event that was asked for and has not arrived yet. */
  private pending: Promise<Step> | undefined;
  /** Resolves when the feed is over. */
  private readonly isOver: Promise<Step>;
  /** Steps run one after the other. */
  private tail: Promise<unknown> = Promise.resolve();
  private idle: ReturnType<typeof setTimeout> | undefined;
  /** The last event, until it was taken. */
  private last: string | undefined;
  private isEnded = false;
  /** Whether the last text was not the end of an event. */
  private isInEvent = false;
  /** When the next heartbeat is due, from `performance.now()`. */
  private beatMs: number;
  private bytes = 0;
  private workMs = 0;
  private listener: ((end: BodyEnd) => void) | undefined;

  constructor(parts: FeedBodyParts, assign: (signal: AbortSignal) => void) {
    this.parts = parts;
    this.beatMs = performance.now() + this.intervalMs;
    assign(this.work.signal);
    const { signal } = this.over;
    this.isOver = new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve('over'), { once: true });
    });
    this.events = parts.open(this.work.signal);
    parts.client.addEventListener('abort', this.disconnected, { once: true });
    parts.stopping?.addEventListener('abort', this.stopped, { once: true });
    this.expectReader();
    if (parts.client.aborted) this.end('abandoned');
    else if (parts.stopping?.aborted) this.stop(serverStops());
  }

  /** Fires when the feed is over: a sender that waits for the client then stops waiting. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Not 0: heartbeats would leave no room for events. */
  private get intervalMs(): number {
    return Math.max(1, this.parts.heartbeatMs);
  }

  /** Calls a function when the feed has ended. */
  onEnd(listener: (end: BodyEnd) => void): void {
    this.listener = listener;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const step = this.tail.then(() => this.step());
    this.tail = step;
    return step;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.end('abandoned');
    this.last = undefined;
    return { done: true, value: undefined };
  }

  private async step(): Promise<IteratorResult<Uint8Array>> {
    clearTimeout(this.idle);
    const text = await this.text();
    if (text === undefined) return { done: true, value: undefined };
    const chunk = Buffer.from(text);
    this.bytes += chunk.byteLength;
    if (!this.isEnded) this.expectReader();
    return { done: false, value: chunk };
  }

  /** Returns the next event or heartbeat; undefined after the last event. */
  private async text(): Promise<string | undefined> {
    const { last } = this;
    this.last = undefined;
    if (last !== undefined || this.isEnded) return last;
    try {
      const step = await this.nextStep();
      if (step === 'heartbeat') {
        this.beatMs = performance.now() + this.intervalMs;
        const text = await this.parts.heartbeat();
        if (!this.isEnded) return text;
      } else if (step !== 'over') {
        if (!step.done) {
          this.isInEvent = !step.value.endsWith('\n\n');
          return step.value;
        }
        this.end('complete');
      }
    } catch (cause) {
      if (!this.isEnded) this.fail(cause);
    }
    const final = this.last;
    this.last = undefined;
    return final;
  }

  private async nextStep(): Promise<Step> {
    const started = performance.now();
    // Also between events that follow one another without a pause.
    if (started >= this.beatMs && !this.isInEvent) return 'heartbeat';
    if (!this.pending) {
      this.pending = this.events.next();
      // Read by the next race, or never, if the feed ends first.
      this.pending.catch(() => undefined);
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const awaited = [this.pending, this.isOver];
    if (!this.isInEvent)
      awaited.push(
        new Promise((resolve) => {
          timer = setTimeout(resolve, this.beatMs - started, 'heartbeat');
        }),
      );
    try {
      const step = await Promise.race(awaited);
      if (typeof step !== 'string') this.pending = undefined;
      return step;
    } finally {
      clearTimeout(timer);
      this.workMs += performance.now() - started;
    }
  }

  private expectReader(): void {
    const { idleMs } = this.parts;
    this.idle = setTimeout(() => {
      const message = `The feed was closed because nothing of it was read for ${idleMs} ms; reconnect with the last id.`;
      this.stop(new WorldsError('TIMEOUT', message));
    }, idleMs);
  }

  private fail(cause: unknown): void {
    const isExpected = cause instanceof WorldsError && STATUS_OF_CODE[cause.code] !== 500;
    if (!isExpected) this.parts.report(cause);
    this.stop(isExpected ? cause : new WorldsError('INTERNAL', 'Internal error.', { cause }));
  }

  /**
   * Ends the feed with a last event, except inside another one, which readers discard if it is
   * incomplete.
   */
  private stop(error: WorldsError): void {
    if (this.isEnded) return;
    if (!this.isInEvent) this.last = this.parts.lastEvent(error);
    this.end('complete', error);
  }

  private end(outcome: BodyEnd['outcome'], error?: unknown): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.idle);
    const { client, stopping, release } = this.parts;
    client.removeEventListener('abort', this.disconnected);
    stopping?.removeEventListener('abort', this.stopped);
    this.work.abort();
    this.over.abort();
    // The events have ended with the signal, or with their failure.
    this.events.return?.().catch(() => undefined);
    release();
    this.listener?.({ outcome, error, bytes: this.bytes, workMs: this.workMs });
  }
}

function serverStops(): WorldsError {
  return new WorldsError('UNAVAILABLE', 'The server is stopping; reconnect with the last id.');
}
