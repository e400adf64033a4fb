import { mkdirSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

// Mistakes on the command line: the exit code, and what the messages must name.

const folder = new TemporaryFolder();
const at = (name: string) => folder.at(name);
const DATA = ['--data', at('data')];
const WORLD = ['--world', 'w', ...DATA];
const LOADED = ['--load', at('a.ttl')];

beforeAll(async () => {
  folder.write('a.ttl', '<urn:a> <urn:b> "c" .');
  folder.write('a.csv', 'name,age\nAda,36\n');
  folder.write('table.ttl', 'name,age\nAda,36\n');
  folder.write('tabs.ttl', 'name\tage\nAda\t36\n');
  folder.write('turtle.nt', '@prefix ex: <urn:> .\nex:a ex:b ex:c .');
  folder.write('json.ttl', '{ "@id": "urn:a" }');
  folder.write('xml.ttl', '<?xml version="1.0"?><rdf:RDF/>');
  folder.write('page.ttl', '<!DOCTYPE html><html></html>');
  folder.write('zip.ttl', 'PK\u0003\u0004\0\0');
  writeFileSync(at('utf16.ttl'), Buffer.from('<urn:a> <urn:b> "c" .', 'utf16le'));
  folder.write('plain.jsonld', '{ "name": "Ada" }');
  folder.write('empty.ttl', '');
  folder.write('one-token.json', '{ "token": "x" }');
  mkdirSync(at('folder'));
  folder.write('folder/x.txt', 'x');
  expect(await callCommand(['import', at('a.ttl'), '--create', ...WORLD])).toMatchObject({ code: 0 });
});

const MISTAKES: readonly [args: readonly string[], code: number, ...names: string[]][] = [
  [[], 2, 'command is missing', '--help'],
  [['qurey', 'ASK {}'], 2, 'qurey', '--help'],
  [['query'], 2, '--help'],
  [['query', '--lode', 'a.ttl', 'ASK {}'], 2, '--lode', '--load'],
  [['query', 'SELECT', '*', '{}'], 2, 'Quote texts'],
  [['query', 'ASK {}'], 2, 'no data', '--load FILE'],
  [['query', '--load', '/nowhere/a.ttl', 'ASK {}'], 1, '/nowhere/a.ttl'],
  [['query', '--format', 'excel', 'ASK {}'], 2, 'excel'],
  [['serve', '--port', 'abc'], 2, 'abc'],
  // A file that is not what its name or its user says.
  [['import', at('a.csv'), ...WORLD], 2, 'a.csv', 'nq, nt, ttl', '--format', 'converted first'],
  [['query', '--load', at('a.csv'), 'ASK {}'], 2, 'a.csv', '--load-format'],
  [['import', at('table.ttl'), ...WORLD], 1, 'table.ttl', 'line 1', 'a table (CSV or TSV)', 'convert it first'],
  [['import', at('tabs.ttl'), ...WORLD], 1, 'tabs.ttl', 'a table (CSV or TSV)'],
  [['import', at('turtle.nt'), ...WORLD], 1, 'turtle.nt', 'looks like text/turtle', 'name the format with --format'],
  [['query', '--load', at('turtle.nt'), 'ASK {}'], 1, 'looks like text/turtle', '--load-format'],
  [['import', at('json.ttl'), ...WORLD], 1, 'json.ttl', 'looks like application/ld+json', '--format'],
  [['import', at('xml.ttl'), ...WORLD], 1, 'xml.ttl', 'looks like application/rdf+xml', '--format'],
  [['import', at('page.ttl'), ...WORLD], 1, 'page.ttl', 'an HTML page'],
  [['validate', at('page.ttl')], 1, 'page.ttl', 'an HTML page'],
  [['import', at('zip.ttl'), ...WORLD], 1, 'zip.ttl', 'a ZIP archive', 'unpack it first'],
  [['import', at('utf16.ttl'), ...WORLD], 1, 'utf16.ttl', 'UTF-16', 'only UTF-8'],
  [['validate', at('plain.jsonld')], 0, 'no triples', '@context'],
  [['import', at('plain.jsonld'), ...WORLD], 0, 'no triples', 'pass --context FILE'],
  // A path that is not one.
  [['import', 'https://example.org/a.ttl', ...WORLD], 2, 'https://example.org/a.ttl', 'not fetched', 'curl'],
  [['import', at('folder'), ...WORLD], 2, 'a directory', 'the files in it'],
  [['validate', at('folder')], 2, 'a directory'],
  [['import', '/nowhere/a.ttl', ...WORLD], 1, '/nowhere/a.ttl: no such file or directory', 'check the path'],
  [['query', '--load', at('*.ttl'), 'ASK {}'], 1, '*.ttl: no such file'],
  [['query', '--file', '/nowhere/q.rq', ...LOADED], 1, '/nowhere/q.rq: no such file'],
  [['export', ...LOADED, '--output', '/nowhere/o.ttl'], 1, '/nowhere/o.ttl: no such file or directory'],
  [['export', ...LOADED, '--output', at('folder')], 1, 'folder: it is a directory'],
  [['export', ...LOADED, '--output', at('o.csv')], 0, 'o.csv', 'written as application/n-quads'],
  [['backup', ...DATA, '--output', '/nowhere/b'], 1, '/nowhere/b: no such file'],
  [['restore', '/nowhere/b', '--data', at('r')], 1, '/nowhere/b: no such file'],
  [['restore', at('empty.ttl'), '--data', at('r')], 1, 'empty.ttl', 'empty', 'not a backup'],
  [['restore', at('a.ttl'), '--data', at('r')], 1, 'not a backup'],
  [['export', ...LOADED, '--frame', at('a.ttl')], 2, '--frame', 'a.ttl', 'not valid JSON'],
  [['check', '--data', at('a.ttl')], 1, 'a.ttl', 'a file'],
  [['check', '--data', at('folder')], 1, 'folder', 'of another program', 'x.txt'],
  // A text that is not what the command takes.
  [['query', 'q.rq', ...LOADED], 2, 'q.rq', 'the name of a file', '--file q.rq'],
  [['update', ...LOADED, 'SELECT * { ?s ?p ?o }'], 1, 'a query', 'rdf-worlds query'],
  [['query', ...LOADED, 'CLEAR ALL'], 1, 'an update', 'rdf-worlds update'],
  [['query', ...LOADED, 'SELECT * FROM people'], 1, 'the IRI of a graph', 'people', 'line 1'],
  [['query', ...LOADED, '--format', 'csv', 'CONSTRUCT WHERE { ?s ?p ?o }'], 1, 'csv', 'triples', '--format ttl'],
  [['query', ...LOADED, '--format', 'ttl', 'SELECT * { ?s ?p ?o }'], 1, 'ttl', 'solutions', 'csv or tsv'],
  [['query', ...LOADED, '--at', 'yesterday', 'ASK {}'], 2, 'yesterday', '2026-01-31'],
  [['query', ...LOADED, '--timeout-ms', '5s', 'ASK {}'], 2, '--timeout-ms', '5s', 'integer'],
  [['search', ...LOADED, ''], 2, 'empty', 'words'],
  [['search', ...LOADED, 'xyzzy'], 0, 'nothing matches'],
  [['canonicalize', at('a.ttl')], 2, 'too many arguments', '--load'],
  [['export', at('a.ttl')], 2, 'too many arguments', '--load'],
  [['canonicalize', ...LOADED, '--algorithm', 'md5'], 2, 'md5', 'SHA-256'],
  [['diff', ...WORLD], 2, 'two files', '--from', '--with'],
  // A world or a namespace that is not there.
  [['query', '--namespace', 'nobody', ...DATA, 'SELECT * { ?s ?p ?o }'], 0, 'nobody', 'platform'],
  [['query', '--world', 'nope', ...DATA, 'ASK {}'], 1, 'platform/nope', 'check the name'],
  [['compact', '--namespace', 'nobody', ...DATA], 1, 'no namespace nobody', 'stats'],
  [['salvage', '--namespace', 'nobody', ...DATA], 1, 'no namespace nobody'],
  [['worlds', 'delete', 'nope', ...DATA], 1, 'platform/nope'],
  [['worlds', 'create', 'a/b/c', ...DATA], 2, '"b/c"', 'begin with a letter'],
  [['worlds', 'update', 'w', ...DATA], 2, 'nothing to change', '--label'],
  [['import', at('a.ttl'), '--world', 'w'], 2, '--url', '--data', '--storage'],
  [['import', at('a.ttl'), '--world', 'w', '--url', 'localhost:8080'], 2, 'localhost:8080', 'http://127.0.0.1:8080'],
  [['import', at('a.ttl'), '--graph', 'g', ...WORLD], 1, '--graph', 'absolute IRI'],
  [['serve', '--tokens', at('one-token.json')], 1, 'one-token.json', 'array of tokens'],
  [['serve', '--insecure-no-auth', '--host', '0.0.0.0'], 2, 'loopback', '--tokens'],
  [['serve'], 2, '--tokens', '--insecure-no-auth'],
];

describe('mistakes on the command line', () => {
  it.each(MISTAKES)('rdf-worlds %j exits with %i', async (args, code, ...names) => {
    const { code: found, stdout, stderr } = await callCommand(args);
    expect(found, stderr).toBe(code);
    expect(stderr).not.toMatch(/TypeError|ReferenceError|RangeError|Cannot read prop|is not a function/);
    for (const name of names) expect(stdout + stderr).toContain(name);
  });
});
