import { basename } from 'node:path';
import { SingleBar } from 'cli-progress';
import { fitted } from './display-width.ts';
import { duration } from './duration.ts';

const MEGABYTE = 1_000_000;
/** In columns; the rest of the line must fit on a narrow terminal, which truncates it. */
const LABEL_WIDTH = 20;

/**
 * Progress of a byte-oriented task on one redrawn line of standard error: amount, rate and time
 * left. Shows nothing if standard error is not a terminal.
 */
export class ProgressBar {
  private readonly bar: SingleBar;
  private readonly total: number | undefined;
  private readonly started = performance.now();

  /** `total` is in bytes; if it is undefined, neither a bar nor the time left is shown. */
  constructor(label: string, total: number | undefined, stream: NodeJS.WritableStream = process.stderr) {
    this.total = total;
    this.bar = new SingleBar({
      format: total ? '{label} [{bar}] {percentage} % of {size}{rate}{left}' : '{label} {done}{rate}',
      barsize: 16,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      clearOnComplete: true,
      // With `false`, an interrupted command would leave the terminal with line wrapping off.
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
   * Yields the chunks and shows their progress as they are consumed. Removes the bar at the end,
   * even after a failure.
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

  /** Removes the line. */
  end(): void {
    this.bar.stop();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
