const WIDTH = 24;
const REDRAW_MS = 100;
const MEGABYTE = 1_000_000;
/** Back to the start of the line, and clear it (ECMA-48, EL). */
const CLEAR_LINE = '\r\u001b[K';

/** How far a document is, on a line of standard error that is drawn over; nothing where that is no terminal. */
export class ProgressBar {
  private readonly label: string;
  private readonly total: number | undefined;
  private drawnAt = Number.NEGATIVE_INFINITY;

  /** `total` in bytes; undefined when nobody knows. */
  constructor(label: string, total: number | undefined) {
    this.label = label;
    this.total = total;
  }

  show(bytes: number): void {
    const now = performance.now();
    if (!process.stderr.isTTY || now - this.drawnAt < REDRAW_MS) return;
    this.drawnAt = now;
    process.stderr.write(`${CLEAR_LINE}${progressLine(this.label, bytes, this.total)}`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.drawnAt > Number.NEGATIVE_INFINITY) process.stderr.write(CLEAR_LINE);
  }
}

/** The line as it looks: a bar when the size is known, else only how much came. */
export function progressLine(label: string, bytes: number, total: number | undefined): string {
  const done = `${(bytes / MEGABYTE).toFixed(1)} MB`;
  if (!total) return `${label} ${done}`;
  const share = Math.min(1, bytes / total);
  const bar = '#'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '.');
  return `${label} [${bar}] ${Math.floor(share * 100)} % of ${(total / MEGABYTE).toFixed(1)} MB`;
}
