import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';

/**
 * Runs `rdf-worlds serve` on memory, open to one new token that may do everything, and prints the
 * token. `program` are the arguments of Node that start the command, `args` more options of
 * `serve`. This process ends when the server does, with its exit code.
 */
export function serveToNewToken(program, args) {
  const token = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [...program, 'serve', '--memory', '--tokens', '-', ...args], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // Through standard input, so that the token is neither in a file nor in the list of processes. A
  // child that does not read it says why itself.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify([{ token, admin: true }]));
  console.log(`Token: ${token}`);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends it to the server as well, which would take a second one as leave to break off.
  process.on('SIGINT', () => {});
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
