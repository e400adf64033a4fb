import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';

/** Of the server's process, in MiB. */
const HEAP_MIB = 2048;

/** What the server's process says of itself. */
export interface ServerFigures {
  /** Of all threads, since the process began. */
  readonly cpuMs: number;
  /** The most that was resident since `begin`. */
  readonly peakBytes: number;
  /** The most CPU time of the main thread between two looks of a timer, since `begin`. */
  readonly longestMs: number;
  /** What the server logged as its own errors, since `begin`. */
  readonly errors: readonly string[];
}

/** What the other tenant saw since the last look. */
export interface VictimFigures {
  readonly latenciesMs: readonly number[];
  readonly failures: readonly string[];
}

/** The service under attack and another tenant that uses it, in a process each. */
export class HostileServer {
  readonly port: number;
  private readonly server: ChildProcess;
  private readonly victim: ChildProcess;

  private constructor(port: number, server: ChildProcess, victim: ChildProcess) {
    this.port = port;
    this.server = server;
    this.victim = victim;
  }

  static async start(timeoutMs?: number): Promise<HostileServer> {
    const programs = inject('programs');
    const server = fork(`${programs}/hostile-server-child.js`, timeoutMs ? [String(timeoutMs)] : [], {
      execArgv: [`--max-old-space-size=${HEAP_MIB}`],
    });
    const { port } = await answer<{ port: number }>(server);
    const victim = fork(`${programs}/victim-child.js`, [String(port)], { execArgv: [] });
    await answer(victim);
    return new HostileServer(port, server, victim);
  }

  get isAlive(): boolean {
    return this.server.exitCode === null && this.server.signalCode === null;
  }

  /**
   * `prepare` gives the attackers a new namespace, `begin` starts the figures of an attack, `look`
   * reads them.
   */
  tell(message: 'prepare' | 'begin' | 'look'): Promise<ServerFigures> {
    const answered = answer<ServerFigures>(this.server);
    this.server.send(message);
    return answered;
  }

  lookAtVictim(): Promise<VictimFigures> {
    const answered = answer<VictimFigures>(this.victim);
    this.victim.send('look');
    return answered;
  }

  async close(): Promise<void> {
    const children = [this.victim, this.server].filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    await Promise.all(
      children.map((child) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        return ended;
      }),
    );
  }
}

/** The next message of a process. Rejects when it ends instead. */
function answer<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null, signal: string | null) =>
      reject(new Error(`The process ended with ${signal ?? code}.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}
