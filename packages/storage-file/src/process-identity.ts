import fs from 'node:fs';
import os from 'node:os';

/**
 * The identity of a lock holder. Process numbers are reused, so it includes the start time, if the
 * system reports it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /**
   * The current boot of the system, and the PID namespace of `pid`. Empty if the system does not
   * report them.
   */
  readonly boot: string;
  readonly pidSpace: string;
  /** When the process started, in ticks since the boot. Empty if the system does not report it. */
  readonly started: string;
}

/** Reads a system file; they exist only on Linux. */
function systemText(read: () => string): string {
  if (process.platform !== 'linux') return '';
  try {
    return read().trim();
  } catch (error) {
    // Containers may hide parts of /proc, and a process may end while it is examined.
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM' || code === 'ESRCH') return '';
    // Deno exposes /proc only with --allow-all, and its refusal has no code.
    if (name === 'NotCapable') return '';
    throw error;
  }
}

/**
 * Returns the fields of /proc/PID/stat (proc_pid_stat(5)) from the third on, i.e. after the command
 * name, which may contain any character.
 */
function statOf(pid: number): string[] {
  const text = systemText(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** The start time: field 22. */
const startIn = (stat: readonly string[]): string => stat[19] ?? '';

/**
 * Returns whether a process has ended but its parent has not collected its exit code: state Z
 * (field 3) of its last thread (field 20).
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
 * Returns whether a process is running; 'unknown' if it cannot be observed from here. Host names
 * prove nothing: restarted containers get new ones, and machines may share them.
 */
export function lifeOf(other: ProcessIdentity, own = ownIdentity()): 'alive' | 'dead' | 'unknown' {
  if (!sharesProcesses(other, own)) return 'unknown';
  if (!isRunning(other.pid)) return 'dead';
  const stat = statOf(other.pid);
  if (isZombie(stat)) return 'dead';
  const started = startIn(stat);
  // Hidden from this user, or ended meanwhile.
  if (started === '') return isRunning(other.pid) ? 'alive' : 'dead';
  // The number was reassigned to another process.
  if (other.started !== '' && started !== other.started) return 'dead';
  return 'alive';
}

/** Returns whether process numbers mean the same to both. */
function sharesProcesses(other: ProcessIdentity, own: ProcessIdentity): boolean {
  if (other.boot !== own.boot || other.pidSpace !== own.pidSpace) return false;
  if (own.boot !== '' && own.pidSpace !== '') return true;
  // Systems without boot ids have no containers either; there the host name identifies the machine.
  return process.platform !== 'linux' && other.host === own.host;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is running, but as another user.
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return true;
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
