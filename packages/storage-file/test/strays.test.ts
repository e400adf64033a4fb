import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

let path: string;
beforeEach(async () => {
  path = await realpath(await mkdtemp(join(tmpdir(), 'rdf-worlds-strays-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
});

/** An engine on the directory, and what it warned of. */
async function opened(readOnly = false) {
  const warn = vi.fn();
  const logger = { debug: () => undefined, warn, error: vi.fn() };
  const engine = await WorldsEngine.open({ storage: fileStorage({ path, readOnly }), textIndex: null, logger });
  return { engine, warned: () => warn.mock.calls.map(([details]) => details as { strays: string[] }) };
}

async function filled(): Promise<string> {
  const { engine } = await opened();
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: '<urn:a> <urn:b> "c" .' });
  await engine.checkpoint();
  await engine.import({ source: 'w', data: '<urn:a> <urn:b> "d" .' });
  await engine.close();
  const [directory] = (await readdir(join(path, 'namespaces'))).filter((name) => name.startsWith('default-'));
  return join(path, 'namespaces', directory);
}

it('does not warn about its own files, including those that a crash leaves behind', async () => {
  const namespace = await filled();
  await writeFile(join(path, 'format.tmp'), '');
  await mkdir(join(path, 'salvaged', 'default-1'), { recursive: true });
  await mkdir(join(path, 'trash', '0011223344556677'), { recursive: true });
  await writeFile(join(namespace, 'manifest.tmp'), 'torn');
  await writeFile(join(namespace, 'log-0000000000000009.tmp'), 'torn');
  // The log of a namespace whose making was cut short.
  await mkdir(join(path, 'namespaces', `new-${'0'.repeat(32)}`));
  for (const readOnly of [true, false]) {
    const { engine, warned } = await opened(readOnly);
    expect(warned()).toEqual([]);
    expect(engine.health()).not.toHaveProperty('strays');
    expect(await engine.check()).toEqual({ namespaces: 1, problems: [] });
    await engine.close();
  }
});

it.each([false, true])('warns once about foreign files, and keeps them (read only: %s)', async (readOnly) => {
  const namespace = await filled();
  const seen = [join(path, 'notes.txt'), join(path, 'namespaces', 'copy'), join(path, 'namespaces', '.DS_Store')];
  await writeFile(seen[0], 'mine');
  await mkdir(seen[1]);
  await writeFile(seen[2], 'mine');
  const inside = [join(namespace, 'manifest.bak'), join(namespace, 'log-1')];
  for (const each of inside) await writeFile(each, 'mine');

  const { engine, warned } = await opened(readOnly);
  expect(warned().map(({ strays }) => [...strays].sort())).toEqual([[...seen].sort()]);
  expect(engine.health()).toMatchObject({ status: 'ok', problems: [] });
  expect([...engine.health().strays!].sort()).toEqual([...seen].sort());
  if (!readOnly) {
    await engine.import({ source: 'w', data: '<urn:a> <urn:b> "e" .' });
    await engine.checkpoint();
  }
  const { problems, strays } = await engine.check();
  expect(problems).toEqual([]);
  expect([...strays!].sort()).toEqual([...seen, ...inside].sort());
  expect(warned()).toHaveLength(1);
  await engine.close();
  for (const each of [...seen, ...inside])
    expect(await readdir(join(each, '..'))).toContain(each.slice(each.lastIndexOf('/') + 1));
});

it('emits process warnings if there is no logger', async () => {
  await filled();
  await writeFile(join(path, 'notes.txt'), 'mine');
  const warning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  onTestFinished(() => warning.mockRestore());
  const engine = await WorldsEngine.open({ storage: fileStorage({ path }), textIndex: null });
  await engine.close();
  expect(warning.mock.calls).toEqual([[expect.stringContaining(join(path, 'notes.txt'))]]);
});
