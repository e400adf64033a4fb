import fs from 'node:fs';
import os from 'node:os';

/**
 * Who holds a lock. Process numbers are reused, so the time at which it started goes with it, where
 * the system tells.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /**
   * The running of the system since its last start, and the space in which `pid` counts. Empty
   * where the system does not tell.
   */
  readonly boot: string;
  readonly pidSpace: string;
  /** When the process started, in ticks since the boot. Empty where the system does not tell. */
  readonly started: string;
}

/** Linux tells much in files; other systems do not have them. */
function systemText(read: () => string): string {
  if (process.platform !== 'linux') return '';
  try {
    return read().trim();
  } catch (error) {
    // Containers may hide parts of /proc, and a process may end while it is looked at.
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM' || code === 'ESRCH') return '';
    // Deno shows /proc only with --allow-all, and gives the refusal no code.
    if (name === 'NotCapable') return '';
    throw error;
  }
}

/**
 * Fields of /proc/PID/stat (proc_pid_stat(5)) from the third on, behind the command's name, which
 * may hold anything.
 */
function statOf(pid: number): string[] {
  const text = systemText(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** Field 22. */
const startIn = (stat: readonly string[]): string => stat[19] ?? '';

/**
 * It has ended and its parent has not asked for its exit code yet: state Z (field 3) of its last
 * thread (field 20).
 */
const isZombie = (stat: readonly string[]): boolean => stat[0] === 'Z' && Number(stat[17]) <= 1;

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: os.hostname(),
    boot: systemText(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    pidSpace: systemText(() => fs.readlinkSync('/proc/self/ns/pid')),
    started: startIn(statOf(process.pid)),
  };
}

/**
 * Whether a process is running: 'unknown' if it cannot be looked at from here. Host names prove
 * nothing: containers that are restarted get new ones, and machines share them.
 */
export function lifeOf(other: ProcessIdentity, own = ownIdentity()): 'alive' | 'dead' | 'unknown' {
  if (!sharesProcesses(other, own)) return 'unknown';
  if (!isRunning(other.pid)) return 'dead';
  const stat = statOf(other.pid);
  if (isZombie(stat)) return 'dead';
  const started = startIn(stat);
  // Hidden from this user, or ended since.
  if (started === '') return isRunning(other.pid) ? 'alive' : 'dead';
  // The number was given to another process.
  if (other.started !== '' && started !== other.started) return 'dead';
  return 'alive';
}

/** Whether process numbers mean the same to both. */
function sharesProcesses(other: ProcessIdentity, own: ProcessIdentity): boolean {
  if (other.boot !== own.boot || other.pidSpace !== own.pidSpace) return false;
  if (own.boot !== '' && own.pidSpace !== '') return true;
  // Systems without boot ids have no containers either; there the host name stands for the machine.
  return process.platform !== 'linux' && other.host === own.host;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, but as somebody else.
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return true;
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
