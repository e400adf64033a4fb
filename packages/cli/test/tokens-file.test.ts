import { createHash } from 'node:crypto';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { TokensFile } from '../src/tokens-file.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const REQUEST = new Request('http://localhost/');
const [FIRST, SECOND] = ['the-first-token-of-two', 'the-second-token-of-two'];
const tokens = (...list: string[]) => JSON.stringify(list.map((token) => ({ token, admin: true })));

const files: TokensFile[] = [];
afterEach(() => {
  for (const file of files.splice(0)) file.close();
});

async function opened(path: string) {
  const log: [level: string, message: string, details: object][] = [];
  const file = await TokensFile.open(path, {
    debug: () => {},
    warn: (details, message) => void log.push(['warn', message, details]),
    error: (details, message) => void log.push(['error', message, details]),
  });
  files.push(file);
  const knows = async () =>
    Promise.all([FIRST, SECOND].map(async (token) => (await file.authenticate(token, REQUEST)) !== null));
  return { file, log, knows };
}

/** As editors and tools for secrets do: another file in its place. */
function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

describe('a tokens file', () => {
  it('is read again when it changes', async () => {
    const path = folder.write('changed.json', tokens(FIRST));
    const { file, knows } = await opened(path);
    expect(await knows()).toEqual([true, false]);
    replace(path, tokens(SECOND));
    await file.reload();
    expect(await knows()).toEqual([false, true]);
  });

  it('keeps the previous tokens if the new file is invalid, and logs the reason once, without the text', async () => {
    const path = folder.write('broken.json', tokens(FIRST));
    const { file, log, knows } = await opened(path);
    for (const content of [
      '[{"token": "secret-text',
      '[]',
      tokens('secret'),
      '[{"token":"secret-secret-secret","admn":true}]',
    ]) {
      replace(path, content);
      log.length = 0;
      await file.reload();
      await file.reload();
      expect(
        log.map(([level]) => level),
        content,
      ).toEqual(['error']);
      expect(
        JSON.stringify(log.map(([, message, details]) => [message, String((details as { err: Error }).err)])),
      ).not.toContain('secret');
      expect(await knows()).toEqual([true, false]);
    }
    rmSync(path);
    log.length = 0;
    await file.reload();
    await file.reload();
    expect(log).toHaveLength(1);
    replace(path, tokens(SECOND));
    await file.reload();
    expect(await knows()).toEqual([false, true]);
  });
});

// Windows has no such modes.
const itOnPosix = process.platform === 'win32' ? it.skip : it;

itOnPosix('is refused when other users can write to it', async () => {
  const path = folder.write('writable.json', tokens(FIRST));
  for (const mode of [0o620, 0o602]) {
    chmodSync(path, mode);
    await expect(TokensFile.open(path, console)).rejects.toThrow(/other users can write to it.*chmod 600/);
  }
});

itOnPosix('is warned of when others may read it, unless it holds hashes', async () => {
  const path = folder.write('readable.json', tokens(FIRST));
  chmodSync(path, 0o644);
  expect((await opened(path)).log).toEqual([['warn', expect.stringContaining('chmod 600'), { file: path }]]);
  const hash = createHash('sha256').update(FIRST).digest('hex');
  writeFileSync(path, tokens(`sha256:${hash}`));
  const { log, knows } = await opened(path);
  expect([log, await knows()]).toEqual([[], [true, false]]);
});
