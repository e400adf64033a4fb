import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { COMMAND } from './command-process.ts';

/** A command that shows nothing for so long hangs. */
const MAX_MS = 200_000;
const LOOK_MS = 500;

/** The command at a terminal: what a person sees, and types. */
export class Terminal {
  private readonly pty: IPty;
  private raw = '';
  /** What is before it has been seen. */
  private seen = 0;
  private wake = () => {};
  private exitCode: number | undefined;

  constructor(
    args: readonly string[],
    { env = {}, columns = 80 }: { env?: Readonly<Record<string, string>>; columns?: number } = {},
  ) {
    const { NO_COLOR, FORCE_COLOR, CI, ...inherited } = process.env;
    this.pty = spawn(process.execPath, [COMMAND, ...args], {
      name: 'xterm-256color',
      cols: columns,
      rows: 40,
      env: { ...inherited, RDF_WORLDS_TOKEN: '', RDF_WORLDS_HISTORY: '', ...env } as Record<string, string>,
    });
    this.pty.onData((text) => {
      this.raw += text;
      this.wake();
    });
    this.pty.onExit(({ exitCode, signal }) => {
      // As a shell of the system tells it.
      this.exitCode = signal ? 128 + signal : exitCode;
      this.wake();
    });
  }

  /** Types, as keys do: `\r` is Enter, `\t` Tab, `\x03` Ctrl+C. */
  type(keys: string): void {
    this.pty.write(keys);
  }

  /**
   * Waits until a text appears behind what has been waited for; gives what appeared, it included,
   * without control sequences. Throws when the command ends before, or shows nothing more.
   *
   * @param again keys to type now and then until it appears
   */
  async shows(text: string, again?: string): Promise<string> {
    const deadline = Date.now() + MAX_MS;
    for (;;) {
      const shown = stripVTControlCharacters(this.raw).replaceAll('\r', '');
      const at = shown.indexOf(text, this.seen);
      if (at >= 0) {
        const since = shown.slice(this.seen, at + text.length);
        this.seen = at + text.length;
        return since;
      }
      if (this.exitCode !== undefined || Date.now() > deadline) {
        const state = this.exitCode === undefined ? 'waits' : `ended with ${this.exitCode}`;
        throw new Error(`The command ${state} and never showed ${JSON.stringify(text)}:\n${shown}`);
      }
      if (again !== undefined) this.type(again);
      await this.change();
    }
  }

  /** Everything that was written, with control sequences. */
  get output(): string {
    return this.raw;
  }

  /** The exit code, once the command has ended. */
  async ended(): Promise<number> {
    while (this.exitCode === undefined) await this.change();
    return this.exitCode;
  }

  kill(): void {
    if (this.exitCode === undefined) this.pty.kill('SIGKILL');
  }

  private change(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, LOOK_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
