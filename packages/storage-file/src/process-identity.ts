import fs from 'node:fs';
import os from 'node:os';

/** Who holds a lock. A number of a process is given again, so the time at which it started goes with it, where the system tells. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly host: string;
  /** The running of the system since its last start, and the space in which `pid` counts. Empty where the system does not tell. */
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EPERM' || code === 'ESRCH') return '';
    throw error;
  }
}

/** The start of a process: field 22 of /proc/PID/stat (proc_pid_stat(5)), behind the command's name, which may hold anything. */
function startOf(pid: number): string {
  const text = systemText(() => fs.readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    host: os.hostname(),
    boot: systemText(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    pidSpace: systemText(() => fs.readlinkSync('/proc/self/ns/pid')),
    started: startOf(process.pid),
  };
}

/** Whether a process is running: 'unknown' for one of another machine or container, which cannot be looked at from here. */
export function lifeOf(other: ProcessIdentity, own = ownIdentity()): 'alive' | 'dead' | 'unknown' {
  if (other.host !== own.host) return 'unknown';
  // The machine was started anew since: nothing of then is running.
  if (other.boot !== own.boot) return 'dead';
  if (other.pidSpace !== own.pidSpace) return 'unknown';
  if (!isRunning(other.pid)) return 'dead';
  // The number was given to another process.
  if (other.started !== '' && startOf(other.pid) !== other.started) return 'dead';
  return 'alive';
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
