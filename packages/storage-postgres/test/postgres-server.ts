import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

/** The disk of the tests does not lose power; the server is killed, not the machine. */
const TEST_SETTINGS: readonly string[] = ['fsync=off', 'autovacuum=off'];

const DEBIAN = '/usr/lib/postgresql';

/** Returns the folder of the server's programs; undefined where there is none. */
export function serverPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const folders = versions.map(Number).filter((version) => version >= 12);
  const debian = folders.sort((a, b) => b - a).map((version) => join(DEBIAN, String(version), 'bin'));
  const path = (process.env.PATH ?? '').split(':');
  return [...debian, ...path].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/** Said where the tests with a server are skipped. */
export const NO_SERVER = 'there is no PostgreSQL server on this machine: apt-get install postgresql';

/**
 * Connections of one process to a shared server: one for each storage that is open, which listens,
 * and a few for statements.
 */
export const SHARED_CONNECTIONS = 180;

export interface ServerAddress {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

/** A server of PostgreSQL in a temporary directory, which listens on a socket there. */
export class PostgresServer {
  readonly directory: string;
  readonly #programs: string;
  readonly #settings: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(directory: string, programs: string, settings: readonly string[]) {
    this.directory = directory;
    this.#programs = programs;
    this.#settings = settings;
  }

  /** Starts a server in a new directory, with settings such as `fsync=off`. */
  static async start(settings: readonly string[] = TEST_SETTINGS): Promise<PostgresServer> {
    const programs = serverPrograms();
    if (!programs) throw new Error(NO_SERVER);
    const directory = mkdtempSync(join(tmpdir(), 'rdf-worlds-pg-'));
    chmodSync(directory, 0o755);
    const server = new PostgresServer(directory, programs, settings);
    if (process.getuid?.() === 0) execFileSync('chown', ['nobody', directory]);
    const [program, ...args] = server.#asUser('initdb', [
      ...['-D', join(directory, 'data'), '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ]);
    const made = spawnSync(program, args, { cwd: directory, encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
    await server.run();
    return server;
  }

  /** Starts a server for three processes, each with many storages. */
  static startShared(): Promise<PostgresServer> {
    return PostgresServer.start([...TEST_SETTINGS, `max_connections=${3 * SHARED_CONNECTIONS}`]);
  }

  /** PostgreSQL refuses to run as root. */
  #asUser(program: string, args: readonly string[]): [string, ...string[]] {
    const path = join(this.#programs, program);
    if (process.getuid?.() !== 0) return [path, ...args];
    // The server ends with the tests, also if these are killed.
    return ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups', '--pdeathsig=QUIT', path, ...args];
  }

  /** Starts the server, and waits until it answers. */
  async run(): Promise<void> {
    const [program, ...args] = this.#asUser('postgres', [
      ...[
        '-D',
        join(this.directory, 'data'),
        '-c',
        'listen_addresses=',
        '-c',
        `unix_socket_directories=${this.directory}`,
      ],
      ...['max_connections=50', ...this.#settings].flatMap((setting) => ['-c', setting]),
    ]);
    const started = spawn(program, args, { cwd: this.directory, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    started.stderr!.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
    });
    this.#process = started;
    for (;;) {
      if (started.exitCode !== null) throw new Error(`postgres ended: ${said}`);
      const client = new pg.Client(this.address);
      const answers = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (answers) return;
      await wait(20);
    }
  }

  get address(): ServerAddress {
    return { host: this.directory, user: 'postgres', database: 'postgres' };
  }

  pool(options: pg.PoolConfig = {}): pg.Pool {
    return PostgresServer.poolOf(this.address, options);
  }

  static poolOf(address: ServerAddress, options: pg.PoolConfig = {}): pg.Pool {
    return new pg.Pool({ ...address, ...options });
  }

  /** Ends all processes of the server without a chance to do anything. */
  async kill(): Promise<void> {
    await this.#end('SIGQUIT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process;
    this.#process = undefined;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  async dispose(): Promise<void> {
    await this.#end('SIGQUIT');
    await rm(this.directory, { recursive: true, force: true });
  }
}
