// `npm run serve [-- OPTIONS]`: installs and builds what is missing, then serves worlds in memory to a token that it makes and prints.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ROOT } from './workspace-packages.mjs';

function serve() {
  const token = randomBytes(24).toString('base64url');
  const command = join(ROOT, 'packages/cli/dist/main.js');
  const args = ['serve', '--memory', '--tokens', '-', ...process.argv.slice(2)];
  const child = spawn(process.execPath, [command, ...args], { stdio: ['pipe', 'inherit', 'inherit'] });
  // Through standard input, so that the token is neither in a file nor in the list of processes. A child that does not read it says why itself.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify([{ token, admin: true }]));
  console.log(`Token: ${token}`);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/bootstrap.mjs'), '--build'], { stdio: 'inherit' });
if (status === 0) serve();
else process.exitCode = status ?? 1;
