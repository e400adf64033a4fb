import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandProcess, killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const TURTLE = '<urn:a> <urn:p> "1", "2" .';
const PACKED = gzipSync(TURTLE);
const NAMED = folder.write('data.ttl.gz', '');
const UNNAMED = folder.write('data.bin', '');
const CUT = folder.write('cut.nt.gz', '');
writeFileSync(NAMED, PACKED);
// Two members (RFC 1952 section 2.2), as `cat a.gz b.gz` makes them.
writeFileSync(UNNAMED, Buffer.concat([PACKED, gzipSync('<urn:b> <urn:p> "3" .')]));
writeFileSync(CUT, PACKED.subarray(0, 30));

let url: string;
beforeAll(async () => {
  const server = new CommandProcess(['serve', '--port', '0', '--memory', '--insecure-no-auth']);
  [, url] = await server.printed(/^Listening on (http:.*)$/m);
});
afterAll(killCommands);

describe('a file in gzip', () => {
  it('is validated, with the extension of its format or without', async () => {
    expect(await runCommand(['validate', NAMED])).toMatchObject({
      code: 0,
      stdout: `${NAMED}: well-formed, 2 quads\n`,
    });
    expect((await runCommand(['validate', UNNAMED, '--format', 'ttl'])).stdout).toContain('well-formed, 3 quads');
    const { code, stdout } = await runCommand(['validate', CUT]);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/cut\.nt\.gz: .*gzip data is damaged or truncated/)]);
  });

  it('is loaded', async () => {
    const { stdout } = await runCommand(['query', '--load', NAMED, 'SELECT * { ?s ?p ?o }', '--format', 'csv']);
    expect(stdout).toBe('s,p,o\r\nurn:a,urn:p,1\r\nurn:a,urn:p,2\r\n');
  });

  it.each(['a directory', 'a server'])('is imported into %s', async (place) => {
    const at = place === 'a server' ? ['--url', url] : ['--data', folder.at('data')];
    const imported = await runCommand(['import', NAMED, '--create', '--world', 'packed', ...at]);
    expect(imported).toMatchObject({ code: 0, stderr: expect.stringContaining('2 quads inserted') });
    const again = await runCommand(['import', UNNAMED, '--format', 'ttl', '--world', 'packed', ...at]);
    expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('1 quad inserted') });
    const cut = await runCommand(['import', CUT, '--world', 'packed', ...at]);
    expect([cut.code, cut.stderr]).toEqual([
      1,
      expect.stringMatching(/cut\.nt\.gz: .*gzip data is damaged or truncated/),
    ]);
    expect((await runCommand(['export', '--world', 'packed', ...at])).stdout.match(/\n/g)).toHaveLength(3);
  });
});
