import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { afterEach, beforeEach, expect, it } from 'vitest';

// Windows has neither modes nor this kind of link.
const itOnPosix = process.platform === 'win32' ? it.skip : it;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rdf-worlds-modes-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function filled(path: string): Promise<void> {
  const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
  await engine.createWorld({ slug: 'a' });
  await engine.import({ source: 'a', data: '<urn:s> <urn:p> "o" .\n' });
  await engine.checkpoint();
  await engine.import({ source: 'a', data: '<urn:s> <urn:p> "o2" .\n' });
  await engine.close();
}

const modeOf = (path: string) => lstatSync(path).mode & 0o777;

itOnPosix('what is made can be read by its owner alone, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const path = join(root, 'above', 'data');
    await filled(path);
    expect(modeOf(path)).toBe(0o700);
    const entries = readdirSync(path, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile()).length).toBeGreaterThan(3);
    for (const entry of entries)
      expect([entry.name, modeOf(join(entry.parentPath, entry.name))]).toEqual([
        entry.name,
        entry.isFile() ? 0o600 : 0o700,
      ]);
  } finally {
    process.umask(before);
  }
});

itOnPosix('a directory that is there keeps the mode that it was given', async () => {
  const path = join(root, 'data');
  await filled(path);
  chmodSync(path, 0o750);
  await filled(join(root, 'other'));
  const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
  await engine.close();
  expect(modeOf(path)).toBe(0o750);
});

itOnPosix('links in place of its files are not followed', async () => {
  const path = join(root, 'data');
  await filled(path);
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const manifest = files.find(({ name }) => name.includes('manifest'))!;
  const file = join(manifest.parentPath, manifest.name);
  const elsewhere = join(root, 'elsewhere');
  renameSync(file, elsewhere);
  symlinkSync(elsewhere, file);
  writeFileSync(join(root, 'witness'), 'unchanged');
  const work = async () => {
    const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
    try {
      await engine.getWorld({ source: 'a' });
    } finally {
      await engine.close();
    }
  };
  await expect(work()).rejects.toThrow(/ELOOP/);
});

itOnPosix('links in place of its directories are not followed', async () => {
  for (const place of ['namespace', 'root'] as const) {
    const path = join(root, place);
    await filled(path);
    const namespaces = join(path, readdirSync(path).find((name) => name.startsWith('namespaces'))!);
    const directory = place === 'root' ? namespaces : join(namespaces, readdirSync(namespaces)[0]!);
    const elsewhere = join(root, `elsewhere-${place}`);
    renameSync(directory, elsewhere);
    symlinkSync(elsewhere, directory);
    const engine = WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null, onBackgroundError: () => {} });
    if (place === 'root') {
      await expect(engine).rejects.toMatchObject({
        code: 'CORRUPT',
        message: expect.stringContaining('symbolic link'),
      });
      continue;
    }
    const { problems } = (await engine).health();
    expect(problems.map(({ error }) => error.message).join()).toContain('symbolic link');
    await (await engine).close();
  }
});

itOnPosix('the directory itself may be named by a link', async () => {
  await filled(join(root, 'data'));
  symlinkSync(join(root, 'data'), join(root, 'link'));
  const engine = await WorldsEngine.open({ storage: fileStorage({ path: join(root, 'link') }), textIndex: null });
  expect(await engine.getWorld({ source: 'a' })).not.toBeNull();
  await engine.close();
});
