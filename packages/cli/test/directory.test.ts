import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupToken } from '@rdf-worlds/core';
import { afterEach, describe, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);

const ADA = folder.write('ada.nt', '<urn:ada> <urn:name> "Ada" .\n');

/** A command that works; gives what it prints. */
async function printed(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand(args);
  expect([code, stderr.replace(/^Imported .*\n/gm, '')]).toEqual([0, '']);
  return stdout;
}

describe('a directory', () => {
  it('keeps worlds from command to command, and is backed up, restored, checked and counted', async () => {
    const data = folder.at('worlds');
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    const update = ['update', '--world', 'a', '--data', data, 'INSERT DATA { <urn:ada> <urn:knows> <urn:bob> }'];
    expect(await printed(...update)).toBe('1 quad inserted, 0 deleted\n');
    expect(await callCommand([...update, '--output', folder.at('x.nq')])).toMatchObject({ code: 2 });
    expect(await printed('query', '--format', 'csv', '--data', data, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }')).toBe(
      'n\r\n2\r\n',
    );
    expect(await printed('check', '--data', data)).toBe('1 namespaces, no problems.\n');
    expect(JSON.parse(await printed('stats', '--data', data, '--format', 'json'))).toMatchObject([
      { namespace: 'platform', worlds: 1, quads: 2, storage: { logRecords: 3 } },
    ]);
    expect(await printed('stats', '--data', data)).toMatch(/^namespace \| worlds \| quads .*\nplatform +\| 1 +\| 2 /s);
    const quotas = folder.write('quotas.json', '{"namespace": {"quads": 5}}');
    expect(await printed('stats', '--data', data, '--quotas', quotas)).toMatch(/data bytes.*\| 2 of 5 \|/s);

    const file = folder.at('worlds.backup');
    await printed('backup', '--data', data, '--output', file);
    const copy = folder.at('copy');
    await printed('restore', file, '--data', copy);
    expect(await printed('export', '--world', 'a', '--data', copy)).toBe(
      await printed('export', '--world', 'a', '--data', data),
    );
    expect(await callCommand(['restore', file, '--data', copy])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already'),
    });

    const cut = readFileSync(file).subarray(0, -20);
    writeFileSync(file, cut);
    expect(await callCommand(['restore', file, '--data', folder.at('other')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The backup is damaged'),
    });
  });

  it('gets a document that is odd with a note', async () => {
    const file = folder.write('tagged.ttl', '<urn:a> <urn:p> "x"@zh-classical .');
    expect(await callCommand(['import', file, '--world', 'a', '--create', '--data', folder.at('noted')])).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^Imported .*tagged\.ttl: 1 quad inserted, 0 deleted\nrdf-worlds: .*tagged\.ttl: the language tag "zh-classical" has .*\n$/,
      ),
    });
  });

  it('whose worlds are in another namespace says so, unless the namespace is named', async () => {
    const data = folder.at('elsewhere');
    const { code, stderr } = await callCommand(['import', ADA, '--world', 'default/a', '--create', '--data', data]);
    expect([code, stderr.includes('rdf-worlds:')]).toEqual([0, false]);
    const note = expect.stringContaining(
      'the namespace platform, the default, has no worlds; there are worlds in default',
    );
    expect(await callCommand(['worlds', 'list', '--data', data])).toMatchObject({ code: 0, stderr: note });
    expect(await callCommand(['export', '--world', 'a', '--data', data])).toMatchObject({ code: 1, stderr: note });
    expect(await printed('export', '--world', 'a', '--namespace', 'default', '--data', data)).toContain('"Ada"');
    expect(await printed('worlds', 'list', '--namespace', 'default', '--data', data)).toContain('a');
  });

  it('is restored from a full backup and incremental ones, made by file and by token', async () => {
    const data = folder.at('grown');
    const [full, second, third] = ['full', 'second', 'third'].map((name) => folder.at(`${name}.backup`));
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    await printed('backup', '--data', data, '--output', full);
    await printed('update', '--world', 'a', '--data', data, 'INSERT DATA { <urn:ada> <urn:knows> <urn:bob> }');
    await printed('backup', '--data', data, '--output', second, '--since', full);
    await printed('update', '--world', 'a', '--data', data, 'DELETE WHERE { ?s <urn:name> ?o }');
    const token = await backupToken(readFileSync(second));
    await printed('backup', '--data', data, '--output', third, '--since', token);
    const copy = folder.at('grown-copy');
    await printed('restore', full, second, third, '--data', copy);
    expect(await printed('export', '--world', 'a', '--data', copy)).toBe('<urn:ada> <urn:knows> <urn:bob> .\n');
    for (const [files, message] of [
      [[full, third], 'Backup 2 of 2 does not follow'],
      [[second], 'is an incremental backup'],
      [[full, folder.at('missing')], 'missing'],
    ] as const) {
      expect(await callCommand(['restore', ...files, '--data', folder.at('refused')])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      });
    }
    expect(await callCommand(['backup', '--data', data, '--since', ADA])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a backup'),
    });
    expect(await callCommand(['backup', '--data', data, '--since', folder.at('missing')])).toMatchObject({ code: 1 });
  });

  it('is smaller on disk after deleted data was compacted, with the same contents', async () => {
    const data = folder.at('churned');
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    const text = 'a text that is long enough to be missed '.repeat(10_000);
    const long = folder.write('long.nt', `<urn:ada> <urn:note> "${text}" .\n`);
    await printed('import', long, '--world', 'a', '--data', data);
    await printed('update', '--world', 'a', '--data', data, 'DELETE WHERE { ?s <urn:note> ?o }');
    // What the change feed can still be asked for is kept.
    expect(await printed('compact', '--data', data)).toBe('1 namespaces, freed 0 terms of 0 bytes.\n');
    const kept = async () => JSON.parse(await printed('stats', '--data', data, '--format', 'json'))[0].storage;
    const before = await kept();
    const exported = await printed('export', '--world', 'a', '--data', data);
    expect(await printed('compact', '--data', data, '--namespace', 'platform', '--forget-changes')).toBe(
      `1 namespaces, freed 2 terms of ${text.length + 'urn:note'.length} bytes.\n`,
    );
    const after = await kept();
    expect(after.logBytes + after.segmentBytes).toBeLessThan(before.logBytes + before.segmentBytes - 2 * text.length);
    expect(await printed('export', '--world', 'a', '--data', data)).toBe(exported);
    expect(await printed('check', '--data', data)).toBe('1 namespaces, no problems.\n');
  });

  it('is left untouched by commands with --read-only; other commands do not have the option', async () => {
    const data = folder.at('looked-at');
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    const names = readdirSync(data);
    const look = (...args: string[]) => printed(...args, '--data', data, '--read-only');
    expect(await look('query', '--format', 'csv', 'SELECT ?o { <urn:ada> ?p ?o }')).toContain('Ada');
    expect(await look('export', '--world', 'a')).toContain('"Ada"');
    expect(await look('search', 'ada')).toContain('Ada');
    expect(await look('worlds', 'list')).toContain('a');
    expect(await look('worlds', 'get', 'a')).toContain('a');
    expect(await look('stats')).toContain('platform');
    expect(await look('check')).toBe('1 namespaces, no problems.\n');
    await look('backup', '--output', folder.at('looked-at.backup'));
    expect(readdirSync(data)).toEqual(names);
    for (const args of [
      ['update', '--world', 'a', '--data', data, '--read-only', 'DELETE WHERE { ?s ?p ?o }'],
      ['query', '--load', ADA, '--read-only', 'ASK { ?s ?p ?o }'],
      ['query', '--url', 'http://127.0.0.1:1', '--read-only', 'ASK { ?s ?p ?o }'],
    ])
      expect(await callCommand(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('--read-only') });
    expect(await callCommand(['worlds', 'list', '--data', folder.at('nowhere'), '--read-only'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no such directory'),
    });
    expect(existsSync(folder.at('nowhere'))).toBe(false);
  });

  it('is repaired where nothing is lost, and salvaged where something is', async () => {
    const data = folder.at('damaged');
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    await printed('compact', '--data', data);
    await printed('update', '--world', 'a', '--data', data, 'INSERT DATA { <urn:ada> <urn:knows> <urn:bob> }');
    await printed('compact', '--data', data);
    const exported = await printed('export', '--world', 'a', '--data', data);
    const [directory] = readdirSync(join(data, 'namespaces')).map((name) => join(data, 'namespaces', name));
    const spoil = (pattern: RegExp): string => {
      const path = join(
        directory,
        readdirSync(directory)
          .filter((name) => pattern.test(name))
          .sort()
          .at(-1)!,
      );
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1] ^= 1;
      writeFileSync(path, bytes);
      return path;
    };

    const segment = spoil(/^segment-/);
    const problem = { code: 1, stdout: expect.stringContaining(`platform: ${segment}`) };
    expect(await callCommand(['check', '--data', data])).toMatchObject(problem);
    expect(await callCommand(['check', '--data', data, '--read-only', '--repair'])).toMatchObject({ code: 2 });
    const dump = folder.at('dump.nq');
    const exact = await printed('salvage', '--namespace', 'platform', '--data', data, '--read-only', '--output', dump);
    expect(exact).toMatch(
      /^platform: files are damaged, and everything .* is proven; revision 3\.\n {2}damaged: .*world a: 2 quads\n$/s,
    );
    expect(readFileSync(dump, 'utf8')).toBe(`# platform/a, revision 3: 2 quads\n${exported}`);
    expect(existsSync(join(data, 'salvaged'))).toBe(false);
    const repaired = await printed('check', '--repair', '--data', data);
    expect(repaired).toMatch(/repaired; the previous files are in .*salvaged.*\n1 namespaces, no problems\.\n$/);
    expect(readdirSync(join(data, 'salvaged'))).toHaveLength(1);
    expect(await printed('export', '--world', 'a', '--data', data)).toBe(exported);
    expect(await printed('check', '--repair', '--data', data)).toBe('1 namespaces, no problems.\n');

    await printed('update', '--world', 'a', '--data', data, 'INSERT DATA { <urn:ada> <urn:knows> <urn:eve> }');
    const log = spoil(/^log-/);
    expect(await callCommand(['check', '--repair', '--data', data])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/ {2}not repaired: salvage --namespace platform --output FILE\.nq/),
    });
    expect(await callCommand(['salvage', '--namespace', 'platform', '--data', data, '--output', dump])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`as of revision 3 is proven.*damaged: ${log}.*missing: Commits after`, 's'),
      ),
    });
    expect(readFileSync(dump, 'utf8')).toContain(exported);
    expect(readdirSync(join(data, 'salvaged'))).toHaveLength(1);

    rmSync(dump);
    spoil(/^manifest$/);
    expect(await callCommand(['salvage', '--namespace', 'platform', '--data', data, '--output', dump])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^platform: nothing is proven/),
    });
    expect(existsSync(dump)).toBe(false);
  });

  it('is not created by commands that only read', async () => {
    for (const command of [
      ['check'],
      ['compact'],
      ['stats'],
      ['backup'],
      ['worlds', 'list'],
      ['query', 'ASK {}'],
      ['search', 'ada'],
      ['export', '--world', 'a'],
      ['import', ADA, '--world', 'a'],
      ['update', '--world', 'a', 'INSERT DATA { <urn:a> <urn:b> 1 }'],
    ]) {
      const data = folder.at('nowhere');
      expect(await callCommand([...command, '--data', data])).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('no such directory'),
      });
      expect(existsSync(data)).toBe(false);
    }
    expect(await callCommand(['check'])).toMatchObject({ code: 2 });
  });

  it('is taken over with --take-over from a process that cannot be looked at', async () => {
    const data = folder.at('moved');
    await printed('import', ADA, '--world', 'a', '--create', '--data', data);
    const elsewhere = { pid: 17, host: 'elsewhere', boot: 'another', pidSpace: '', started: '', leaseMs: 3_600_000 };
    writeFileSync(join(data, 'lock-2'), JSON.stringify(elsewhere));
    expect(await printed('check', '--data', data, '--take-over')).toBe('1 namespaces, no problems.\n');
    expect(readdirSync(data)).toContain('namespaces-3');
    expect(await printed('query', '--format', 'csv', '--data', data, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }')).toBe(
      'n\r\n1\r\n',
    );
  });

  it('outlives a server that is killed; a second process may only read meanwhile, and says so', async () => {
    const data = folder.at('served');
    const args = ['serve', '--port', '0', '--insecure-no-auth', '--data', data];
    const first = new CommandProcess(args);
    const [, url] = await first.printed(/^Listening on (.*)$/m);
    const body = JSON.stringify({ slug: 'kept' });
    const created = await fetch(`${url}/worlds`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(created.status).toBe(201);
    expect(await callCommand(['export', '--world', 'kept', '--data', data])).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/another process has .*served open for writing; its data is only read/),
    });
    expect(await callCommand(['check', '--data', data])).toMatchObject({ stdout: '1 namespaces, no problems.\n' });
    expect(await printed('check', '--data', data, '--read-only')).toBe('1 namespaces, no problems.\n');
    for (const refused of [
      ['update', '--world', 'kept', '--data', data, 'DELETE WHERE { ?s ?p ?o }'],
      ['check', '--repair', '--data', data],
      ['export', '--world', 'kept', '--data', data, '--take-over'],
    ])
      expect(await callCommand(refused)).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by') });
    first.child.kill('SIGKILL');
    await first.finish();
    const second = new CommandProcess(args);
    const [, again] = await second.printed(/^Listening on (.*)$/m);
    expect(await (await fetch(`${again}/worlds/kept`)).json()).toEqual(await created.json());
  });
});
