import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { fitted } from './display-width.ts';
import { duration } from './duration.ts';

const MEGABYTE = 1_000_000;
/** In columns: what is behind it has to fit on a narrow terminal, which cuts the line. */
const LABEL_WIDTH = 20;

/**
 * How far some work on bytes is, on a line of standard error that is drawn over: how much, how
 * fast, and how long it will take. Nothing where that is no terminal.
 */
export class ProgressBar {
  private readonly bar: SingleBar;
  private readonly total: number | undefined;
  private readonly started = performance.now();

  /** `total` in bytes; undefined when nobody knows: then there is no bar and no end in sight. */
  constructor(label: string, total: number | undefined, stream: NodeJS.WritableStream = process.stderr) {
    this.total = total;
    this.bar = new SingleBar({
      format: total ? '{label} [{bar}] {percentage} % of {size}{rate}{left}' : '{label} {done}{rate}',
      barsize: 16,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      clearOnComplete: true,
      // A command that is stopped would leave the terminal without wrapping otherwise.
      linewrap: true,
      stream,
    });
    this.bar.start(total ?? 0, 0, {
      label: fitted(basename(label), LABEL_WIDTH),
      size: megabytes(total ?? 0),
      done: megabytes(0),
      rate: '',
      left: '',
    });
  }

  show(bytes: number): void {
    const seconds = (performance.now() - this.started) / 1_000;
    const rate = seconds > 0 ? bytes / seconds : 0;
    const left = this.total === undefined || rate === 0 ? undefined : Math.max(this.total - bytes, 0) / rate;
    this.bar.update(bytes, {
      done: megabytes(bytes),
      rate: rate === 0 ? '' : `, ${megabytes(rate)}/s`,
      left: left === undefined ? '' : `, ${duration(left)} left`,
    });
  }

  /**
   * The chunks of a document, which are shown as they are taken. Ends with them, whatever becomes
   * of them.
   */
  async *follow(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    try {
      for await (const chunk of chunks) {
        this.show((bytes += chunk.length));
        yield chunk;
      }
    } finally {
      this.end();
    }
  }

  /** Takes the line away. */
  end(): void {
    this.bar.stop();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
