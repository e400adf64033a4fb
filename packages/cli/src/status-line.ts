import type { CheckProgress } from '@rdf-worlds/core';
import { duration } from './duration.ts';

/** Delay before the line appears, so that quick work shows nothing. */
const DELAY_MS = 1_000;
/** Standard error or a substitute. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY'> & NodeJS.WritableStream;

const CLEAR_LINE = '\r\u001b[K';

/**
 * Shows the current activity and its duration on one redrawn line of standard error, for work of
 * unknown size. Shows nothing if standard error is not a terminal.
 */
export class StatusLine {
  private readonly started = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly stream: Terminal;
  private text: string;
  private isDrawn = false;

  constructor(text: string, stream: Terminal = process.stderr) {
    this.text = text;
    this.stream = stream;
    if (!stream.isTTY) return;
    this.timer = setInterval(() => this.draw(), DELAY_MS);
    // Does not keep the process alive.
    this.timer.unref();
  }

  /** Changes the text; it appears at the next tick. */
  show(text: string): void {
    this.text = text;
  }

  /** Returns a listener that shows work on one namespace after the other. */
  of(activity: string): (progress: CheckProgress) => void {
    return ({ namespace, done, total }) => this.show(`${activity} ${namespace}, ${done + 1} of ${total} namespaces`);
  }

  /** Removes the line. */
  end(): void {
    clearInterval(this.timer);
    if (this.isDrawn) this.stream.write(CLEAR_LINE);
    this.isDrawn = false;
  }

  private draw(): void {
    this.isDrawn = true;
    this.stream.write(`${CLEAR_LINE}${this.text}, ${duration((performance.now() - this.started) / 1_000)}`);
  }
}
