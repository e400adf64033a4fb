import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lifeOf, ownIdentity } from '../src/process-identity.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Lets every read of /proc fail. */
function hideProcesses(error: Error): void {
  const refuse = () => {
    throw error;
  };
  vi.spyOn(fs, 'readFileSync').mockImplementation(refuse);
  vi.spyOn(fs, 'readlinkSync').mockImplementation(refuse);
}

describe.runIf(process.platform === 'linux')('the identity of a process without access to /proc', () => {
  it.each<[string, Error]>([
    ['of a container', Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' })],
    ['of Deno without --allow-all', Object.assign(new Error('Requires all access'), { name: 'NotCapable' })],
  ])('%s is only its process id, which does not tell whether other processes are alive', (_, error) => {
    const visible = ownIdentity();
    hideProcesses(error);
    const hidden = ownIdentity();
    expect(hidden).toMatchObject({ pid: process.pid, boot: '', pidSpace: '', started: '' });
    expect(lifeOf(visible, hidden)).toBe('unknown');
    expect(lifeOf(hidden, visible)).toBe('unknown');
    expect(lifeOf(hidden, hidden)).toBe('unknown');
  });

  it('throws any other error', () => {
    hideProcesses(Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }));
    expect(() => ownIdentity()).toThrow('EIO');
  });
});
