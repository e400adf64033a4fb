import { spawnSync } from 'node:child_process';

/**
 * Returns the command and leading arguments that start npm: the npm that runs this process, or the
 * one on the PATH.
 */
function npmCommand() {
  const own = process.env.npm_execpath;
  return own && /\.c?js$/.test(own) ? [process.execPath, [own]] : ['npm', []];
}

function start(args, options) {
  const [command, before] = npmCommand();
  const result = spawnSync(command, [...before, ...args], {
    ...options,
    shell: command === 'npm' && process.platform === 'win32', // npm is a .cmd file there
  });
  if (result.error) throw new Error(`npm did not start: ${result.error.message}`, { cause: result.error });
  return result;
}

/** Runs npm with its output on stderr, because stdout belongs to the caller. Throws if it fails. */
export function npm(args, { cwd }) {
  const { status } = start(args, { cwd, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}; its output is above.`);
}

/**
 * Runs npm and returns its stdout. If it fails, throws an error whose `output` is everything npm
 * printed.
 */
export function npmOutput(args, { cwd, env = process.env }) {
  const { status, stdout, stderr } = start(args, { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status === 0) return stdout;
  const output = `${stdout}${stderr}`;
  throw Object.assign(new Error(`npm ${args.join(' ')} failed in ${cwd}:\n${output}`), { output });
}
