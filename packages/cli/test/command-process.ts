import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
/** The command, made of the sources. */
export const COMMAND = `${inject('programs')}/main.js`;
/** A command that hangs is killed, and its test fails. */
const MAX_MS = 300_000;

export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const running = new Set<ChildProcess>();

/** The command in a process of its own. */
export class CommandProcess {
  readonly child: ChildProcess;
  private stdout = '';
  private stderr = '';
  private readonly ended: Promise<unknown>;

  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}, maxMs = MAX_MS) {
    this.child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: CHECKOUT,
      env: { ...process.env, RDF_WORLDS_TOKEN: '', ...environment },
      timeout: maxMs,
      killSignal: 'SIGKILL',
    });
    running.add(this.child);
    this.child.stdout!.setEncoding('utf8').on('data', (text) => {
      this.stdout += text;
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text) => {
      this.stderr += text;
    });
    // A command that ends before it has read its input is judged by how it ends.
    this.child.stdin!.on('error', () => {});
    this.ended = once(this.child, 'close').finally(() => running.delete(this.child));
  }

  /** What it printed, once there is something that fits; throws when it ends before. */
  async printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.stdout);
      if (match) return match;
      const more = once(this.child.stdout!, 'data').then(() => true);
      if (await Promise.race([more, this.ended.then(() => false)])) continue;
      const last = pattern.exec(this.stdout);
      if (last) return last;
      throw new Error(`The command ended without printing ${pattern}: ${this.stdout}${this.stderr}`);
    }
  }

  async finish(input = ''): Promise<Finished> {
    this.child.stdin!.end(input);
    await this.ended;
    return { code: this.child.exitCode, stdout: this.stdout, stderr: this.stderr };
  }
}

/** Runs one command line to its end. */
export async function runCommand(
  args: readonly string[],
  { input, environment }: { readonly input?: string; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<Finished> {
  return new CommandProcess(args, environment).finish(input);
}

/** Ends what a failed test left behind. */
export async function killCommands(): Promise<void> {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(left.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')));
}
