import { spawnSync } from 'node:child_process';

/**
 * Runs npm with its output on stderr, so that stdout stays that of the caller. The npm that runs this process is used, if one does.
 * Throws when it fails.
 */
export function npm(args, { cwd }) {
  const own = process.env.npm_execpath;
  const [command, before] = own && /\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []];
  const { status, error } = spawnSync(command, [...before, ...args], {
    cwd,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32', // npm is a .cmd file there
  });
  if (error) throw new Error(`npm did not start: ${error.message}`, { cause: error });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}; its output is above.`);
}
