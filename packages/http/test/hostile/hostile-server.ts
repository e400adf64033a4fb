import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ServerKind } from './attack.ts';

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

interface Service {
  readonly process: ChildProcess;
  readonly port: number;
}

/**
 * The service under attack and another tenant that uses it, in a process each. A follower has one
 * more process, which writes.
 */
export class HostileServer {
  readonly port: number;
  /** Of the server that writes. */
  readonly writerPort: number;
  private readonly server: ChildProcess;
  private readonly writer: ChildProcess;
  private readonly victim: ChildProcess;
  private readonly directory: string | undefined;

  private constructor(server: Service, writer: Service, victim: ChildProcess, directory: string | undefined) {
    this.port = server.port;
    this.writerPort = writer.port;
    this.server = server.process;
    this.writer = writer.process;
    this.victim = victim;
    this.directory = directory;
  }

  static async start(kind: ServerKind, timeoutMs = 0): Promise<HostileServer> {
    const programs = inject('programs');
    const directory = kind === 'memory' ? undefined : mkdtempSync(join(tmpdir(), 'hostile-'));
    const service = async (of: ServerKind): Promise<Service> => {
      const process = fork(
        `${programs}/hostile-server-child.js`,
        [String(timeoutMs), of, ...(directory === undefined ? [] : [directory])],
        { execArgv: [`--max-old-space-size=${HEAP_MIB}`] },
      );
      return { process, ...(await answer<{ port: number }>(process)) };
    };
    const writer = await service(kind === 'follower' ? 'history' : kind);
    const server = kind === 'follower' ? await service(kind) : writer;
    const victim = fork(`${programs}/victim-child.js`, [String(server.port)], { execArgv: [] });
    await answer(victim);
    return new HostileServer(server, writer, victim, directory);
  }

  get isAlive(): boolean {
    return this.server.exitCode === null && this.server.signalCode === null;
  }

  /** Gives the attackers a new namespace. */
  async prepare(): Promise<void> {
    const answered = answer(this.writer);
    this.writer.send('prepare');
    await answered;
  }

  /**
   * `settle` has a follower read what was written, `begin` starts the figures of an attack, `look`
   * reads them.
   */
  tell(message: 'settle' | 'begin' | 'look'): Promise<ServerFigures> {
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
    const children = [...new Set([this.victim, this.server, this.writer])].filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    );
    await Promise.all(
      children.map((child) => {
        const ended = once(child, 'exit');
        child.kill('SIGKILL');
        return ended;
      }),
    );
    if (this.directory !== undefined) rmSync(this.directory, { recursive: true });
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
