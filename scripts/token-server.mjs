import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';

/**
 * Runs `rdf-worlds serve --memory` with one new admin token, and prints the token and the link to
 * the console. `program` are the Node arguments that start the command, `args` further options of
 * `serve`. This process exits with the server, with the same exit code.
 */
export function serveToNewToken(program, args) {
  const token = randomBytes(24).toString('base64url');
  const child = spawn(process.execPath, [...program, 'serve', '--memory', '--tokens', '-', ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // The token is passed on standard input, so that neither a file nor the process list shows it. If
  // the child does not read it, the child reports the reason.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify([{ token, admin: true }]));
  console.log(`Token: ${token}`);
  // In the fragment, the token is neither sent to the server nor logged.
  createInterface({ input: child.stdout }).on('line', (line) =>
    console.log(line.replace(/^Console at (\S+)$/, `Open $1#token=${token}`)),
  );
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal sends SIGINT to the server as well; forwarding it would count as the second signal,
  // which ends the server immediately.
  process.on('SIGINT', () => {});
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
