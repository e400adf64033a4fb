import { SingleBar } from 'cli-progress';

const MEGABYTE = 1_000_000;

/** How far a document is, on a line of standard error that is drawn over; nothing where that is no terminal. */
export class ProgressBar {
  private readonly bar: SingleBar;

  /** `total` in bytes; undefined when nobody knows: then there is no bar, only how much came. */
  constructor(label: string, total: number | undefined, stream: NodeJS.WritableStream = process.stderr) {
    this.bar = new SingleBar({
      format: total ? '{label} [{bar}] {percentage} % of {size}' : '{label} {done}',
      barsize: 24,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      clearOnComplete: true,
      // A command that is stopped would leave the terminal without wrapping otherwise.
      linewrap: true,
      stream,
    });
    this.bar.start(total ?? 0, 0, { label, size: megabytes(total ?? 0), done: megabytes(0) });
  }

  show(bytes: number): void {
    this.bar.update(bytes, { done: megabytes(bytes) });
  }

  /** Takes the line away. */
  end(): void {
    this.bar.stop();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
