import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { CHECKOUT, childFile } from './child-run.ts';

/** What `http-server-child` serves. */
export type HttpServerKind = 'RDF Worlds' | 'node:http echo';

/** What a server's process has used so far. */
export interface HttpServerUsage {
  /** Bytes, once collections free nothing any more. */
  readonly rss: number;
  /** User and system time of all its threads, in milliseconds. */
  readonly cpuMs: number;
}

/** A server in a process of its own: what the clients cost is not counted in. */
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

  /** CPU time now; with the memory it takes a while, since the process is let settle. */
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
