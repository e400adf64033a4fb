import { createHash } from 'node:crypto';

/** Number of lines that a failure shows. */
const LAST_LINES = 60;

/** What happened in a run, as a hash and the last lines. Equal runs have equal hashes. */
export class SimulationTrace {
  private readonly hash = createHash('sha256');
  private readonly last: string[] = [];
  private readonly print: ((line: string) => void) | undefined;
  /** Number of lines. */
  length = 0;

  /** @param print receives every line */
  constructor(print?: (line: string) => void) {
    this.print = print;
  }

  add(line: string): void {
    this.length++;
    this.hash.update(line).update('\n');
    this.last.push(line);
    if (this.last.length > 2 * LAST_LINES) this.last.splice(0, LAST_LINES);
    this.print?.(line);
  }

  /** The last lines, oldest first. */
  get tail(): readonly string[] {
    return this.last.slice(-LAST_LINES);
  }

  /** Ends the trace and returns its hash, as hexadecimal digits. */
  end(): string {
    return this.hash.digest('hex').slice(0, 32);
  }
}
