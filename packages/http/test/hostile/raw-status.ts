import { connect, type Socket } from 'node:net';

/** Longer than any deadline of the server. */
const GIVE_UP_MS = 60_000;

/**
 * Sends bytes as they are, and gives the status of the answer; 0 when the connection was closed
 * without one.
 */
export async function statusOf(port: number, bytes: string | Uint8Array): Promise<readonly number[]> {
  const socket = opened(port);
  socket.write(bytes);
  try {
    return [(await statuses(socket, 1))[0] ?? 0];
  } finally {
    socket.destroy();
  }
}

/** A connection that takes no harm from being reset. */
export function opened(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  return socket;
}

/**
 * The statuses of the answers that come over a connection: at most `count`, fewer when it is closed
 * before.
 */
export function statuses(socket: Socket, count: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const found: number[] = [];
    let rest = '';
    const finish = () => {
      clearTimeout(timer);
      resolve(found);
    };
    const timer = setTimeout(() => reject(new Error(`no ${count} answers in ${GIVE_UP_MS} ms`)), GIVE_UP_MS);
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      let end = 0;
      for (const match of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
        // 100 Continue is no answer.
        if (match[1] !== '100') found.push(Number(match[1]));
        end = match.index + match[0].length;
      }
      // The sign may be cut by a chunk.
      rest = rest.slice(Math.max(end, rest.length - 16));
      if (found.length >= count) finish();
    });
    socket.on('close', finish);
  });
}
