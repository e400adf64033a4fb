import fs from 'node:fs';
import { join } from 'node:path';
import { WorldsError } from '@rdf-worlds/core';
import type { DirectoryLock } from './file-system.ts';
import { lifeOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

const LOCK_NAME = /^lock-(\d{1,15})$/;

interface LockFile {
  readonly number: number;
  readonly path: string;
}

/**
 * Takes the directory for this process. The file `lock-N` of the highest number says who has it; whoever finds that one dead, or given back, makes `lock-(N+1)`,
 * which only one process can. So a stale lock is never removed by one process while another takes it. The numbers go up for as long as the directory lives.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const own = ownIdentity();
  for (;;) {
    const [newest] = lockFiles(directory);
    if (newest) {
      const holder = await holderOf(newest.path);
      if (holder) refuseUnlessDead(holder, own, newest.path, directory);
    }
    const taken = join(directory, `lock-${(newest?.number ?? 0) + 1}`);
    try {
      fs.writeFileSync(taken, JSON.stringify({ ...own, since: new Date().toISOString() }), { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    const [first, ...older] = lockFiles(directory);
    if (first?.path !== taken) continue; // Took so long that it was taken for dead.
    for (const { path } of older) removeIfThere(path);
    return {
      number: (newest?.number ?? 0) + 1,
      check: () => undefined,
      release: async () => fs.writeFileSync(taken, JSON.stringify({ released: true })),
    };
  }
}

/** The highest number first. */
function lockFiles(directory: string): LockFile[] {
  return fs
    .readdirSync(directory)
    .flatMap((name) => {
      const found = LOCK_NAME.exec(name);
      return found ? [{ number: Number(found[1]), path: join(directory, name) }] : [];
    })
    .sort((a, b) => b.number - a.number);
}

/** Who has it; undefined when it was given back, or its maker ended before it said who it is. */
async function holderOf(path: string): Promise<ProcessIdentity | undefined> {
  // It is made and written in two steps, so that it can be seen empty for a moment.
  for (let look = 0; look < 20; look++) {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    const content = parsed(text);
    if (content) return 'released' in content ? undefined : (content as ProcessIdentity);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}

function parsed(text: string): object | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? content : undefined;
  } catch {
    return undefined; // Not written to its end.
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function removeIfThere(path: string): void {
  fs.rmSync(path, { force: true });
}

function refuseUnlessDead(holder: ProcessIdentity, own: ProcessIdentity, path: string, directory: string): void {
  const life = lifeOf(holder, own);
  if (life === 'dead') return;
  if (life === 'unknown')
    throw new WorldsError(
      'CONFLICT',
      `${directory} is in use by process ${holder.pid} of machine or container ${holder.host}, which cannot be looked at from here. If it has ended, delete ${path}; otherwise use another directory.`,
    );
  const self = holder.pid === own.pid;
  throw new WorldsError(
    'CONFLICT',
    `${directory} is in use by process ${holder.pid}${self ? ', this one, in another thread or another copy of the library' : ''} (${path}). Close it there, or use another directory.`,
  );
}
