import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { CHECKOUT, childFile } from './child-run.ts';

/** The kinds of server that `http-server-child` runs. */
export type HttpServerKind = 'RDF Worlds' | 'node:http echo';

/** Resource usage of a server process. */
export interface HttpServerUsage {
  /** Bytes, after collections have freed everything they can. */
  readonly rss: number;
  /** User and system time of all threads, in milliseconds. */
  readonly cpuMs: number;
}

/** A server in its own process, so that the clients' cost is not included. */
export class HttpServerProcess {
  readonly port: number;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  /** Starts a server and waits until it listens. */
  static async start(kind: HttpServerKind): Promise<HttpServerProcess> {
    const child = fork(childFile('http-server-child'), [JSON.stringify(kind)], { cwd: CHECKOUT, execArgv: [] });
    return new HttpServerProcess(child, (await message<{ port: number }>(child)).port);
  }

  /**
   * Returns the CPU time so far and the memory. With `settle`, waits for the memory to settle,
   * which takes a while.
   */
  async usage({ settle }: { readonly settle: boolean }): Promise<HttpServerUsage> {
    this.child.send({ settle });
    return message<HttpServerUsage>(this.child);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.disconnect();
    await once(this.child, 'exit');
  }
}

function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`The server's process ended with ${code}.`));
    child.once('exit', onExit);
    child.once('message', (told) => {
      child.off('exit', onExit);
      resolve(told as Message);
    });
  });
}
