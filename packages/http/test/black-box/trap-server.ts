import { createServer } from 'node:http';
import { listen } from './running-server.ts';

/** A server that nobody may ask: it counts who does. */
export interface TrapServer {
  readonly url: string;
  hits(): number;
  close(): Promise<void>;
}

export async function setTrap(): Promise<TrapServer> {
  let hits = 0;
  const server = createServer((_, response) => {
    hits++;
    response.end('{"@context": {}}');
  });
  server.on('connection', () => hits++);
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/trap`,
    hits: () => hits,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
