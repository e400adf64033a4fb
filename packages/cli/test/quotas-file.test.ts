import { renameSync, writeFileSync } from 'node:fs';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, describe, expect, it } from 'vitest';
import { QuotasFile } from '../src/quotas-file.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const ofWorlds = (worlds: number) => JSON.stringify({ namespace: { worlds } });

const files: QuotasFile[] = [];
afterEach(() => {
  for (const file of files.splice(0)) file.close();
});

async function opened(path: string) {
  const log: [level: string, message: string][] = [];
  const file = await QuotasFile.open(path, {
    debug: () => {},
    warn: (_, message) => void log.push(['warn', message]),
    error: (details, message) => void log.push(['error', `${message} ${(details as { err: Error }).err.message}`]),
  });
  files.push(file);
  return { file, log };
}

/** As editors do: another file in its place. */
function replace(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

describe('a quotas file', () => {
  it('is read again when it changes, and is in force from the next commit', async () => {
    const path = folder.write('quotas.json', ofWorlds(1));
    const { file, log } = await opened(path);
    await using engine = await WorldsEngine.open({ quotas: file.policy });
    const create = (slug: string) => engine.createWorld({ slug, namespace: 'acme' });
    await create('one');
    await expect(create('two')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    replace(path, ofWorlds(2));
    await file.reload();
    await create('two');
    expect((await engine.stats({ namespace: 'acme' })).quotas?.worlds).toEqual({ used: 2, limit: 2 });
    replace(path, JSON.stringify({ namespaces: { acme: { world: { quads: 1 } } } }));
    await file.reload();
    await create('three');
    const data = '<urn:s> <urn:p> 1, 2 .';
    await expect(engine.import({ source: 'acme/three', data, contentType: 'text/turtle' })).rejects.toMatchObject({
      code: 'QUOTA_EXCEEDED',
    });
    expect(log).toEqual([
      ['warn', 'the quotas were reloaded'],
      ['warn', 'the quotas were reloaded'],
    ]);
  });

  it.each([
    ['no JSON', '{"namespace"', 'it is not valid JSON'],
    ['an unknown field', '{"namespace":{"world":1}}', 'world'],
    ['a value that is not a number', '{"namespace":{"worlds":"many"}}', 'quotas.namespace.worlds: expected an integer'],
    ['no object', '[]', 'quotas: expected an object'],
  ])('keeps the previous quotas if the new file has %s, and logs the reason once', async (name, content, message) => {
    const path = folder.write(`broken ${name}.json`, ofWorlds(1));
    const { file, log } = await opened(path);
    const before = file.policy('acme');
    replace(path, content);
    await file.reload();
    await file.reload();
    expect(log).toEqual([['error', expect.stringContaining(message)]]);
    expect(file.policy('acme')).toBe(before);
    // The same file is refused at the start.
    await expect(QuotasFile.open(path, console)).rejects.toThrow(message);
  });
});
