import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SuiteFiles } from '../src/suite-files.ts';
import { locateSuites, unpackSuites } from '../src/suites-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function archive(...entries: [name: string, content: string][]): Promise<string> {
  const tar = pack();
  for (const [name, content] of entries) tar.entry({ name }, content);
  tar.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  const path = join(folder, 'suites.tgz');
  await writeFile(path, gzipSync(Buffer.concat(chunks)));
  return path;
}

describe('unpackSuites', () => {
  it('unpacks once, and files are found by their published IRIs', async () => {
    const cache = join(folder, 'cache');
    const path = await archive(['suites/rdf-tests/rdf/a b.nt', 'content'], ['suites/json-ld-api/tests/x.jsonld', '{}']);
    const suites = await unpackSuites(path, cache);
    expect(await unpackSuites(path, cache)).toBe(suites);
    expect(await readdir(cache)).toHaveLength(1);

    const files = new SuiteFiles(suites);
    expect(await files.text('https://w3c.github.io/rdf-tests/rdf/a%20b.nt')).toBe('content');
    expect(await files.text('https://w3c.github.io/json-ld-api/tests/x.jsonld#t1')).toBe('{}');
    expect(files.path('https://w3c.github.io/rdf-tests/rdf/none.nt')).toBeUndefined();
    expect(files.path('http://example.org/rdf/a%20b.nt')).toBeUndefined();
    await expect(files.bytes('https://example.org/x')).rejects.toThrow('hold no file for <https://example.org/x>');
  });

  it('refuses an entry outside its folder, and leaves nothing behind', async () => {
    const cache = join(folder, 'cache');
    await expect(unpackSuites(await archive(['../evil', 'x']), cache)).rejects.toThrow(/outside its folder/);
    expect(await readdir(cache)).toEqual([]);
  });

  it('refuses an archive that is damaged or holds no suites', async () => {
    const cache = join(folder, 'cache');
    await expect(unpackSuites(await archive(['other/x', 'x']), cache)).rejects.toThrow('holds no suites folder');
    await writeFile(join(folder, 'damaged.tgz'), 'not gzip');
    await expect(unpackSuites(join(folder, 'damaged.tgz'), cache)).rejects.toThrow(/header/);
    expect(await readdir(cache)).toEqual([]);
  });
});

describe('locateSuites', () => {
  it('uses the archive next to the checkout, or says where it looked', async () => {
    const checkout = join(folder, 'checkout');
    const path = join(folder, 'shared', 'w3c', 'w3c-suites.tgz');
    expect(locateSuites(checkout, {})).toEqual({ kind: 'absent', looked: path });
    await mkdir(join(folder, 'shared', 'w3c'), { recursive: true });
    await writeFile(path, '');
    expect(locateSuites(checkout, {})).toEqual({ kind: 'archive', path });
    expect(locateSuites('/elsewhere', { RDF_WORLDS_SHARED: join(folder, 'shared') })).toEqual({
      kind: 'archive',
      path,
    });
  });

  it('takes what RDF_WORLDS_W3C names, and refuses what it names wrongly', async () => {
    await mkdir(join(folder, 'suites', 'rdf-tests'), { recursive: true });
    const named = (path: string) => () => locateSuites('/elsewhere', { RDF_WORLDS_W3C: path });
    expect(named(join(folder, 'suites'))()).toEqual({ kind: 'folder', path: join(folder, 'suites') });
    expect(named(folder)).toThrow(/holds no rdf-tests folder/);
    expect(named(join(folder, 'gone'))).toThrow(/does not exist/);
  });
});
