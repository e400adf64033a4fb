import { duration } from './duration.ts';

/** Quick work shows nothing. */
const DELAY_MS = 1_000;
/** Standard error, or what stands for it. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY'> & NodeJS.WritableStream;

const CLEAR_LINE = '\r\u001b[K';

/**
 * What a command is doing, and for how long, on a line of standard error that is drawn over: for
 * work of which nobody knows the size. Nothing where that is no terminal.
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
    // A command that has nothing else to do ends.
    this.timer.unref();
  }

  /** Shows another text from the next second on. */
  show(text: string): void {
    this.text = text;
  }

  /** Takes the line away. */
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
