import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { fences } from '../../../test/documents.ts';
import { COMMAND, CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterAll(killCommands);

/**
 * The lines of the page that a shell can run: to install, with files, the command's own shell, a
 * server, with the server.
 */
const [, withFiles, theShell, aServer, withServer] = fences('packages/cli/README.md', 'sh').map(({ code }) =>
  code.trimEnd().split('\n'),
);

// What the page calls rdf-worlds.
const main = `exec '${process.execPath}' '${COMMAND}' "$@"\n`;
chmodSync(folder.write('rdf-worlds', `#!/bin/sh\n${main}`), 0o755);
const TRIPLES = ['name> "Ada" .', 'about> "the analytical engine" .', 'draft> true .'].map(
  (rest) => `<http://example.org/ada> <http://example.org/${rest}\n`,
);
folder.write('data.ttl', TRIPLES.join(''));
folder.write('data.nt', TRIPLES[0]);
folder.write('more.nq', '<http://example.org/s> <http://example.org/p> "o" <http://example.org/g> .\n');
folder.write('context.jsonld', '{ "@context": { "name": "http://example.org/name" } }');
folder.write('frame.jsonld', '{ "@context": { "name": "http://example.org/name" }, "name": {} }');
folder.write('report.rq', 'SELECT ?o { ?s ?p ?o } ORDER BY STR(?o)');
folder.write(
  'data.rdf',
  '<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://example.org/"><r:Description r:about="urn:a"><name>Ada</name></r:Description></r:RDF>',
);

const sh = async (script: string) => {
  const env = { ...process.env, PATH: `${folder.at('')}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)('sh', ['-ec', script], { cwd: folder.at(''), env });
  return [stdout, stderr];
};

// The page is for a POSIX shell.
const itInShell = process.platform === 'win32' ? it.skip : it;

itInShell('does with files what the README says', async () => {
  const answers: string[] = [];
  for (const line of withFiles) {
    const [stdout, stderr] = await sh(line);
    expect(stderr, line).toBe('');
    answers.push(stdout);
  }
  expect(answers).toEqual([
    expect.stringMatching(/<http:\/\/example.org\/ada> \| 3\n1 row\n$/),
    'o\r\nAda\r\nthe analytical engine\r\ntrue\r\n',
    expect.stringMatching(/ \| the analytical engine\n$/),
    '',
    'data.ttl: well-formed, 3 quads\nmore.nq: well-formed, 1 quad\nreport.rq: a well-formed query\n',
    '',
    'true\n',
  ]);
  expect(readFileSync(folder.at('converted.ttl'), 'utf8')).toContain('<http://example.org/name> "Ada"');
  expect(readFileSync(folder.at('new.ttl'), 'utf8')).not.toContain('draft');
});

itInShell('shows in its shell what the README shows', async () => {
  const shown = fences('packages/cli/README.md', 'text')[0].code.trimEnd().split('\n');
  const typed = shown.flatMap((line) => (line.startsWith('data> ') ? [line.slice('data> '.length)] : []));
  const answers = shown.filter((line) => !line.startsWith('data> ') && !/^\(\d+ ms\)$/.test(line));
  folder.write('people.ttl', '<http://example.org/ada> <http://xmlns.com/foaf/0.1/name> "Ada" .');
  folder.write('script', typed.join('\n\n'));
  const [command] = theShell;
  const [stdout, stderr] = await sh(`${command.replace(/ +#.*/, '').replace('data.ttl', 'people.ttl')} < script`);
  expect([stdout.trimEnd().split('\n'), stderr]).toEqual([answers, '']);
});

itInShell('works with a server as the README says', async () => {
  const [makeTokens, serve] = aServer;
  await sh(makeTokens);
  const args = serve
    .replace('--port 8080', '--port 0')
    .replace('tokens.json', folder.at('tokens.json'))
    .replace('--data worlds', `--data ${folder.at('worlds')}`)
    .split(' ');
  const [, url] = await new CommandProcess(args.slice(1)).printed(/^Listening on (http:.*)$/m);
  const [stdout] = await sh(withServer.join('\n').replaceAll('http://127.0.0.1:8080', url));
  expect(stdout).toMatch(
    /acme\/notes \| Notes.*3 rows\n.*\| the analytical engine\n0 quads inserted, 1 deleted\n.*acme\/draft [^\n]*\n$/s,
  );
  expect(existsSync(folder.at('notes.trig'))).toBe(true);
  expect(readFileSync(folder.at('notes.trig'), 'utf8')).not.toContain('draft');
  expect(existsSync(folder.at('worlds'))).toBe(true);
});
