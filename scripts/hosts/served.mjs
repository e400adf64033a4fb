import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { httpRound } from './http-round.mjs';

const START_MS = 120_000;
/** The return value of `serveAndCheck` if every answer was right. */
export const HTTP_DONE = 'The round over HTTP is complete';

/**
 * Starts a program that serves RDF Worlds below `/api` for the token in `WORLDS_TOKEN` and prints
 * its address, runs the HTTP round against it, and stops it. Throws with the program's output if
 * anything is wrong.
 */
export async function serveAndCheck(workshop, program, args, env = {}) {
  const token = randomBytes(24).toString('base64url');
  const child = spawn(program, args, {
    cwd: workshop.folder,
    env: { ...process.env, NODE_ENV: undefined, ...env, WORLDS_TOKEN: token, PORT: '0', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32', // a process group of its own, because Next starts its server as a child
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let printed = '';
  try {
    const origin = await new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`It did not listen within ${START_MS} ms.`)), START_MS);
      const take = (text) => {
        printed += text;
        const [, address] = /(http:\/\/[\w.[\]]+:[1-9]\d*)/.exec(printed) ?? [];
        if (!address) return;
        clearTimeout(late);
        resolve(address);
      };
      child.stdout.setEncoding('utf8').on('data', take);
      child.stderr.setEncoding('utf8').on('data', take);
      child.once('error', reject);
      ended.then(() => {
        clearTimeout(late);
        reject(new Error('It ended before it listened.'));
      });
    });
    await httpRound(origin, token);
    return HTTP_DONE;
  } catch (cause) {
    throw new Error(`${cause.stack}\nThe program printed:\n${printed}`, { cause });
  } finally {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}
