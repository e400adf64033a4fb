import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';

/** The service in a process of its own, so that its memory is not that of the test. */
export interface MemoryServer {
  readonly port: number;
  readonly origin: string;
  /** Bytes, after full collections. */
  memory(): Promise<{ rss: number }>;
  close(): Promise<void>;
}

export async function forkServer(): Promise<MemoryServer> {
  const child = fork(`${inject('programs')}/memory-server-child.js`, [], { execArgv: [] });
  const { port } = await message<{ port: number }>(child);
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async memory() {
      child.send('memory');
      return message(child);
    },
    async close() {
      if (child.exitCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the server's process ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (told) => {
      child.off('exit', onExit);
      resolve(told as Message);
    });
  });
}
