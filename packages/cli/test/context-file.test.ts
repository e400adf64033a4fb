import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
// An IRI may have an equals sign itself.
const IRI = 'https://example.org/context?version=1';
const CONTEXT = folder.write('context.jsonld', '{ "@context": { "name": "urn:name" } }');
const DATA = folder.write('data.jsonld', JSON.stringify({ '@context': IRI, '@id': 'urn:a', name: 'Ada' }));
const WITH = ['--context-file', `${IRI}=${CONTEXT}`];
const QUAD = '<urn:a> <urn:name> "Ada" .\n';

it('validate, query, canonicalize, import and export read a remote context from a file', async () => {
  expect((await callCommand(['validate', DATA, ...WITH])).stdout).toBe(`${DATA}: well-formed, 1 quad\n`);
  const query = ['query', '--load', DATA, ...WITH, 'SELECT ?o { ?s ?p ?o }', '--format', 'csv'];
  expect((await callCommand(query)).stdout).toBe('o\r\nAda\r\n');
  expect((await callCommand(['canonicalize', '--load', DATA, ...WITH])).stdout).toBe(QUAD);
  const at = ['--world', 'w', '--data', folder.at('data')];
  expect(await callCommand(['import', DATA, '--create', ...at, ...WITH])).toMatchObject({ code: 0 });
  expect((await callCommand(['export', ...at])).stdout).toBe(QUAD);
  const compacted = await callCommand([
    ...['export', ...at, ...WITH, '--context'],
    folder.write('named.json', JSON.stringify({ '@context': IRI })),
  ]);
  expect(JSON.parse(compacted.stdout)).toEqual({ '@context': IRI, '@graph': [{ '@id': 'urn:a', name: 'Ada' }] });
});

it('without the file, validate says that the document could not be checked, and what to pass', async () => {
  const { code, stdout, stderr } = await callCommand(['validate', DATA]);
  expect(stdout).toContain(`--context-file '${IRI}=FILE'`);
  expect([code, stderr]).toEqual([1, 'rdf-worlds: 1 of 1 files could not be checked.\n']);
  const loaded = await callCommand(['query', '--load', DATA, 'ASK {}']);
  expect([loaded.code, loaded.stderr]).toEqual([1, expect.stringContaining(`--context-file '${IRI}=FILE'`)]);
});

describe('--allow-remote-contexts', () => {
  let server: Server;
  let origin: string;
  let data: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === '/c.jsonld') return response.end('{ "@context": { "name": "urn:name" } }');
      return response.writeHead(302, { location: '/c.jsonld' }).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    data = folder.write(
      'remote.jsonld',
      JSON.stringify({ '@context': `${origin}/moved`, '@id': 'urn:a', name: 'Ada' }),
    );
  });
  afterAll(() => {
    server.close();
    return killCommands();
  });

  it('validate, query, diff, import and serve fetch what it allows', async () => {
    const allowed = ['--allow-remote-contexts', `${origin}/`];
    expect(await callCommand(['validate', data, ...allowed])).toMatchObject({ code: 0 });
    expect((await callCommand(['export', '--load', data, ...allowed])).stdout).toBe(QUAD);
    expect(await callCommand(['diff', data, data, ...allowed])).toMatchObject({ code: 0 });
    const at = ['--world', 'w', '--data', folder.at('fetched')];
    expect(await callCommand(['import', data, '--create', ...at, ...allowed])).toMatchObject({ code: 0 });
    const serving = new CommandProcess(['serve', '--port', '0', '--insecure-no-auth', ...allowed]);
    const [, url] = await serving.printed(/^Listening on (http:.*)$/m);
    const remote = ['--world', 'w', '--url', url];
    expect(await callCommand(['import', data, '--create', ...remote])).toMatchObject({ code: 0 });
    expect((await callCommand(['export', ...remote])).stdout).toBe(QUAD);
  });

  it.each<[string, (allow: string) => readonly string[], number, string]>([
    ['nothing is allowed', () => ['validate', data], 1, `pass --allow-remote-contexts https://127.0.0.1`],
    [
      'another address is',
      (allow) => ['export', '--load', data, allow, 'https://a.example/'],
      1,
      'pass --allow-remote',
    ],
    ['only TLS is', (allow) => ['export', '--load', data, allow, 'https:'], 1, 'could not be fetched'],
    [
      'it is no address',
      (allow) => ['validate', data, allow, 'schema.org'],
      2,
      '--allow-remote-contexts: expected URLs',
    ],
    [
      'a server is asked',
      (allow) => ['import', data, '--world', 'w', '--url', origin, allow, 'https:'],
      2,
      'serve --allow',
    ],
  ])('says what to do if %s', async (_, args, code, message) => {
    const finished = await callCommand(args('--allow-remote-contexts'));
    expect([finished.code, finished.stdout + finished.stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it('a server without it says how to start it', async () => {
    const serving = new CommandProcess(['serve', '--port', '0', '--insecure-no-auth']);
    const [, url] = await serving.printed(/^Listening on (http:.*)$/m);
    const { code, stderr } = await callCommand(['import', data, '--create', '--world', 'w', '--url', url]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('start the server with --allow-remote-contexts https://'),
    ]);
  });
});

it('refuses a malformed --context-file, a missing file, and a server', async () => {
  const malformed = await callCommand(['validate', DATA, '--context-file', CONTEXT]);
  expect([malformed.code, malformed.stderr]).toEqual([2, expect.stringContaining('https://schema.org/=')]);
  const missing = await callCommand(['query', '--load', DATA, '--context-file', `${IRI}=/nowhere/c.jsonld`, 'ASK {}']);
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('/nowhere/c.jsonld')]);
  const server = await callCommand(['import', DATA, '--world', 'w', '--url', 'http://127.0.0.1:1', ...WITH]);
  expect([server.code, server.stderr]).toEqual([2, expect.stringContaining('export --load')]);
});

it('--base-iri resolves relative IRIs of files that are loaded or checked', async () => {
  const file = folder.write('relative.ttl', '<a> <p> "1" .');
  const base = ['--base-iri', 'http://example.org/'];
  expect((await callCommand(['export', '--load', file, ...base])).stdout).toBe(
    '<http://example.org/a> <http://example.org/p> "1" .\n',
  );
  expect((await callCommand(['validate', file, ...base])).code).toBe(0);
});
