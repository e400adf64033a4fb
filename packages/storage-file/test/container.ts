import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StartedChild, startChild } from './built-child.ts';

/**
 * Gives itself a host name, hides the machine's boot id and starts a program, to which it sends the
 * signals that it reads, line by line. As process 1 of its space it ends everything with itself.
 */
const FIRST_PROCESS = `
hostname "$1" || exit 1
[ -z "$2" ] || mount --bind "$2" /proc/sys/kernel/random/boot_id || exit 1
shift 2
"$@" </dev/null &
program=$!
while read -r signal; do kill -s "$signal" "$program"; done
`;

const SPACES = ['--pid', '--fork', '--mount-proc', '--uts', '--net', '--kill-child'];
/** Others than the superuser need a space of users in which they are. */
const USER_SPACE = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];

export interface Container extends StartedChild {
  /** Sends a signal to the program. */
  signal(name: 'STOP' | 'CONT' | 'KILL'): void;
  /** Ends everything in it. */
  remove(): Promise<void>;
}

export interface ContainerOptions {
  readonly host: string;
  /** Another one than this machine's, as if it were another machine. */
  readonly bootId?: string;
  /** A directory for the file of the boot id. */
  readonly folder: string;
}

/**
 * Runs a program of Node in namespaces of its own (processes, mounts, host name, network), as a
 * container does.
 */
export function startContainer(
  { host, bootId, folder }: ContainerOptions,
  file: string,
  args: readonly string[],
): Container {
  const bootFile = bootId === undefined ? '' : join(folder, `boot-${bootId}`);
  if (bootId !== undefined) writeFileSync(bootFile, `${bootId}\n`);
  const command = ['sh', '-c', FIRST_PROCESS, 'sh', host, bootFile, process.execPath, file, ...args];
  const started = startChild(
    USER_SPACE[0] ?? SPACES[0],
    [...USER_SPACE, ...SPACES].slice(1).concat(command),
    'unshare',
  );
  return {
    ...started,
    signal: (name) => void started.child.stdin!.write(`${name}\n`),
    async remove() {
      started.child.stdin!.destroy();
      started.child.kill('SIGKILL');
      await started.ended;
    },
  };
}

/** Why no containers can be made here; undefined when they can. */
export function whyNoContainers(folder: string): string | undefined {
  if (process.platform !== 'linux') return `${process.platform} has no namespaces of processes`;
  const bootFile = join(folder, 'boot-probe');
  writeFileSync(bootFile, 'probe\n');
  const probe = ['sh', '-c', FIRST_PROCESS, 'sh', 'probe', bootFile, 'true'];
  const { status, error, stderr } = spawnSync('unshare', [...USER_SPACE, ...SPACES, ...probe], { input: '' });
  return status === 0 ? undefined : (error?.message ?? stderr.toString().trim());
}
