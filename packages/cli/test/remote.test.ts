import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, type Finished, killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const TOKENS =
  '[{"token": "alpha-token-of-test", "namespace": "alpha"}, {"token": "beta-token-of-test", "namespace": "beta"}, ' +
  '{"token": "gamma-token-of-test", "namespace": "gamma", "grants": [{"namespace": "gamma", "read": true}, {"namespace": "alpha", "read": true}]}]';
const ADA = folder.write('ada.ttl', '@prefix : <http://example.org/> . :ada :name "Ada Lovelace" .');
let url: string;

const ALPHA = { RDF_WORLDS_TOKEN: 'alpha-token-of-test' };

/**
 * Runs a command line against the server. The tests run in order: each starts from the data that
 * the previous ones left. Only commands that read standard input need a process of their own.
 */
async function alpha(args: readonly string[], input?: string): Promise<Finished> {
  const line = [...args, '--url', url];
  if (input !== undefined) return runCommand(line, { input, environment: ALPHA });
  vi.stubEnv('RDF_WORLDS_TOKEN', ALPHA.RDF_WORLDS_TOKEN);
  try {
    return await callCommand(line);
  } finally {
    vi.unstubAllEnvs();
  }
}

beforeAll(async () => {
  const server = new CommandProcess(['serve', '--port', '0', '--tokens', '-']);
  server.child.stdin!.end(TOKENS);
  [, url] = await server.printed(/^Listening on (http:.*)$/m);
});
afterAll(killCommands);

describe('with --url', () => {
  it('creates, changes, shows and lists worlds', async () => {
    expect((await alpha(['worlds', 'create', 'people', '--label', 'People'])).code).toBe(0);
    expect(await alpha(['worlds', 'create', 'people'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('people'),
    });
    expect(await alpha(['worlds', 'update', 'people', '--description', 'Who'])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const { stdout } = await alpha(['worlds', 'get', 'alpha/people', '--format', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({
      slug: 'people',
      namespace: 'alpha',
      label: 'People',
      description: 'Who',
    });
    for (const args of [['list'], ['get', 'people'], ['list', '--namespace', 'alpha']]) {
      expect((await alpha(['worlds', ...args])).stdout).toMatch(/alpha\/people \| People \| Who +\|/);
    }
  });

  it('says where there are worlds if a list is empty', async () => {
    const gamma = (...args: string[]) =>
      callCommand(['worlds', 'list', '--url', url, '--token', 'gamma-token-of-test', '--format', 'json', ...args]);
    const stderr =
      'rdf-worlds: your default namespace has no worlds; there are worlds in alpha: specify it with --namespace.\n';
    expect(await gamma()).toEqual({ code: 0, stdout: '[]\n', stderr });
    expect(await gamma('--namespace', 'gamma')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('lists more worlds than one page holds', async () => {
    const headers = { authorization: 'Bearer beta-token-of-test', 'content-type': 'application/json' };
    for (let i = 0; i < 101; i++) {
      const answer = await fetch(`${url}/worlds`, { method: 'POST', headers, body: `{"slug":"w${i}"}` });
      expect(answer.status).toBe(201);
    }
    const listed = await callCommand([
      'worlds',
      'list',
      '--format',
      'json',
      '--url',
      url,
      '--token',
      'beta-token-of-test',
    ]);
    expect(JSON.parse(listed.stdout)).toHaveLength(101);
  });

  it('imports files and standard input, and creates the world on request', async () => {
    const missing = await alpha(['import', ADA, '--world', 'notes']);
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/ada\.ttl: .*alpha\/notes/) });
    // No progress bar where standard error is no terminal.
    expect(await alpha(['import', ADA, '--world', 'notes', '--create'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `Imported ${ADA}: 1 quad inserted, 0 deleted\n`,
    });
    const line = '<http://example.org/bob> <http://example.org/name> "Bob" <http://example.org/g> .\n';
    const more = await alpha(['import', '-', '--format', 'nq', '--world', 'notes', '--create'], line);
    expect(more).toMatchObject({ code: 0, stderr: 'Imported standard input: 1 quad inserted, 0 deleted\n' });
    expect((await alpha(['export', '--world', 'notes'])).stdout.split('\n').sort()).toEqual([
      '',
      '<http://example.org/ada> <http://example.org/name> "Ada Lovelace" .',
      line.trimEnd(),
    ]);
  });

  it('imports several files, up to the first that fails', async () => {
    const first = folder.write('first.nt', '<http://example.org/1> <http://example.org/p> "first" .\n');
    const broken = folder.write('broken.nt', '<http://example.org/2> <http://example.org/p> "second" .\n<oops\n');
    const { code, stderr } = await alpha(['import', first, broken, ADA, '--world', 'several', '--create']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/first\.nt: 1 quad.*\nrdf-worlds: .*broken\.nt: .*line 2/),
    ]);
    expect((await alpha(['export', '--world', 'several', '--format', 'nt'])).stdout).toBe(
      '<http://example.org/1> <http://example.org/p> "first" .\n',
    );
  });

  it('exports in the format that is asked for, or that of the output', async () => {
    expect((await alpha(['export', '--world', 'notes', '--format', 'ttl'])).stdout).toContain('"Ada Lovelace"');
    const output = folder.at('notes.jsonld');
    expect(await alpha(['export', '--world', 'notes', '--output', output])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(JSON.stringify(JSON.parse(readFileSync(output, 'utf8')))).toContain('Ada Lovelace');
  });

  it('sends a document of several megabytes as it is read', async () => {
    const lines = Array.from(
      { length: 40_000 },
      (_, i) => `<http://example.org/${i}> <http://example.org/p> "${'é'.repeat(20)}" .\n`,
    );
    const file = folder.write('large.nt', lines.join(''));
    expect((await alpha(['import', file, '--world', 'large', '--create'])).code).toBe(0);
    const counted = await alpha([
      'query',
      'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
      '--world',
      'large',
      '--format',
      'csv',
    ]);
    expect(counted.stdout).toBe('n\r\n40000\r\n');
  });

  it('queries and searches one world, or the namespace', async () => {
    const text = 'SELECT ?name { ?s <http://example.org/name> ?name }';
    expect((await alpha(['query', text])).stdout).toContain('"Ada Lovelace"');
    expect((await alpha(['query', text, '--world', 'people'])).stdout).toMatch(/0 rows\n$/);
    expect((await alpha(['search', 'ada'])).stdout).toContain('alpha/notes | <http://example.org/ada>');
    const limited = await alpha(['search', 'ada', '--world', 'notes', '--limit', '1', '--format', 'json']);
    expect(JSON.parse(limited.stdout)).toMatchObject([{ subject: 'http://example.org/ada', ftsRank: 1 }]);
    const none = ['--predicate', 'http://example.org/none'];
    expect((await alpha(['search', 'ada', ...none, '--format', 'json'])).stdout).toBe('[]\n');
  });

  it.each([
    { format: 'json', expected: /"value":"Ada Lovelace"/ },
    { format: 'xml', expected: /<literal>Ada Lovelace<\/literal>/ },
    { format: 'csv', expected: /^name\r\nAda Lovelace\r\n$/ },
    { format: 'tsv', expected: /^\?name\n"Ada Lovelace"\n$/ },
    {
      format: 'ttl',
      text: 'DESCRIBE <http://example.org/ada>',
      expected: /<http:\/\/example.org\/name> "Ada Lovelace" \.\n$/,
    },
  ])(
    'writes results as $format',
    async ({ format, expected, text = 'SELECT ?name { ?s <http://example.org/name> ?name }' }) => {
      expect((await alpha(['query', text, '--world', 'notes', '--format', format])).stdout).toMatch(expected);
    },
  );

  it('exits silently when its output is closed', async () => {
    const args = ['export', '--world', 'large', '--url', url, '--token', 'alpha-token-of-test'];
    const command = new CommandProcess(args);
    await command.printed(/\n/);
    command.child.stdout!.destroy();
    expect(await command.finish()).toMatchObject({ code: 0, stderr: '' });
  });

  it('updates a world', async () => {
    const text = 'INSERT DATA { <http://example.org/eve> <http://example.org/name> "Eve" }';
    expect(await alpha(['update', text, '--world', 'people'])).toEqual({
      code: 0,
      stdout: '1 quad inserted, 0 deleted\n',
      stderr: '',
    });
    expect((await alpha(['query', 'ASK { ?s ?p "Eve" }', '--world', 'people'])).stdout).toBe('true\n');
    const file = folder.write('delete.ru', 'DELETE WHERE { ?s ?p "Eve" }');
    expect((await alpha(['update', '--file', file, '--world', 'alpha/people'])).code).toBe(0);
    expect((await alpha(['query', 'ASK { ?s ?p "Eve" }', '--world', 'people'])).stdout).toBe('false\n');
    expect(await alpha(['update', text])).toMatchObject({ code: 2, stderr: expect.stringContaining('--world') });
  });

  it('deletes a world', async () => {
    expect(await alpha(['worlds', 'delete', 'people'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await alpha(['worlds', 'get', 'people'])).toMatchObject({ code: 1, stdout: '' });
  });

  const REFUSED: readonly { args: readonly string[]; says: RegExp; why: string }[] = [
    { why: 'a wrong token', args: ['worlds', 'list', '--token', 'wrong'], says: /credentials are not valid/ },
    {
      why: 'a foreign namespace',
      args: ['worlds', 'list', '--namespace', 'beta'],
      says: /may not use the namespace beta/,
    },
    { why: 'a foreign world', args: ['export', '--world', 'beta/w0'], says: /may not read beta\/w0/ },
  ];
  it.each(REFUSED)('reports the message of the server for $why', async ({ args, says }) => {
    expect(await alpha(args)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('reports that the server does not respond', async () => {
    const { code, stderr } = await callCommand(['worlds', 'list', '--url', 'http://127.0.0.1:9']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The request to http:\/\/127\.0\.0\.1:9 failed: /)]);
  });
});
