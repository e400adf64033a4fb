import { generateKeyPair, type KeyObject } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { promisify } from 'node:util';
import { DEFAULT_REQUEST_LIMITS } from '@rdf-worlds/core';
import { DEFAULT_LIMITS } from '@rdf-worlds/http';
import { SignJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.ts';
import { program } from '../src/program.ts';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);
const TOKENS = folder.write('tokens.json', '[{"token": "alpha-token-of-test", "namespace": "alpha"}]');
const LISTENING = /^Listening on (http:\/\/127\.0\.0\.1:(\d+))$/m;

/** What `serve` says of a config that it does not take. */
async function refusal(config: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await callCommand([
    'serve',
    '--config',
    folder.write('config.json', config),
    ...args,
  ]);
  expect([code === 0, stdout]).toEqual([false, '']);
  return stderr;
}

describe('serve --config', () => {
  it('takes options of the file, and those of the command line before them', async () => {
    const config = folder.write(
      'good.json',
      JSON.stringify({ port: 1, tokens: TOKENS, memory: true, maxBodyBytes: 100, maxIriLength: 50, graceMs: 100 }),
    );
    const server = new CommandProcess(['serve', '--config', config, '--port', '0', '--max-body-bytes', '200']);
    const [, url] = await server.printed(LISTENING);
    const create = (label: string) =>
      fetch(`${url}/worlds`, {
        method: 'POST',
        headers: { authorization: 'Bearer alpha-token-of-test', 'content-type': 'application/json' },
        body: JSON.stringify({ slug: 'a', label }),
      });
    expect([(await create('x'.repeat(150))).status, (await create('x'.repeat(250))).status]).toEqual([201, 413]);
    const query = encodeURIComponent(`ASK { ?s <urn:${'x'.repeat(60)}> ?o }`);
    const answer = await fetch(`${url}/worlds/a/sparql?query=${query}`, {
      headers: { authorization: 'Bearer alpha-token-of-test' },
    });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('maxIriLength')]);
  });

  it.each([
    ['{"maxBodyByte": 1}', /there is no field "maxBodyByte"; did you mean maxBodyBytes\?/],
    ['{"grant": 1}', /there is no field "grant"/],
    ['{"config": "x"}', /there is no field "config"/],
    ['{"port": 70000}', /config\.json: port: Expected an integer from 0 to 65535/],
    ['{"port": "80"}', /port: Expected a number/],
    ['{"port": [80]}', /port: Expected a number/],
    ['{"memory": "yes"}', /memory: expected true or false/],
    ['{"host": 7}', /host: expected a string/],
    [`{"tokens": ${JSON.stringify(TOKENS)}, "insecureNoAuth": true}`, /cannot be used with/],
    ['[]', /expected a JSON object/],
    ['{"port": 80', /not valid JSON/],
    ['{"jwtIssuer": "https://login.example"}', /JSON Web Tokens need/],
  ])('refuses %s', async (config, says) => {
    expect(await refusal(config)).toMatch(says);
  });

  it('rejects options that contradict the command line', async () => {
    expect(await refusal(`{"tokens": ${JSON.stringify(TOKENS)}}`, '--insecure-no-auth')).toMatch(/cannot be used with/);
  });

  it.skipIf(process.platform === 'win32')('refuses a file that others may write', async () => {
    const config = folder.write('open.json', '{}');
    chmodSync(config, 0o666);
    expect((await callCommand(['serve', '--config', config])).stderr).toMatch(/other users can write to it/);
  });

  it('has a flag for every limit of the service and of the engine', () => {
    const serve = program(COMMANDS).commands.find((command) => command.name() === 'serve')!;
    const names = serve.options.map((option) => option.attributeName());
    expect(names).toEqual(
      expect.arrayContaining([...Object.keys(DEFAULT_LIMITS), ...Object.keys(DEFAULT_REQUEST_LIMITS)]),
    );
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('serve with JSON Web Tokens', () => {
  const ISSUER = ['--jwt-issuer', 'https://login.example', '--jwt-audience', 'worlds'];

  it('lets in whom the issuer signed for, and whom the tokens file has', async () => {
    const { publicKey, privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
    const pem = folder.write('key.pem', (publicKey as KeyObject).export({ type: 'spki', format: 'pem' }) as string);
    const server = new CommandProcess([
      ...['serve', '--port', '0', '--tokens', TOKENS, ...ISSUER, '--jwt-algorithms', 'ES256', '--jwt-key-file', pem],
    ]);
    const [, url] = await server.printed(LISTENING);
    const status = async (token: string, namespace: string) =>
      (await fetch(`${url}/namespaces/${namespace}/worlds`, { headers: { authorization: `Bearer ${token}` } })).status;
    const token = (audience: string) =>
      new SignJWT({ namespace: 'beta' })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('https://login.example')
        .setAudience(audience)
        .setExpirationTime('5m')
        .sign(privateKey as KeyObject);
    expect(await status(await token('worlds'), 'beta')).toBe(200);
    expect(await status(await token('worlds'), 'alpha')).toBe(403);
    expect(await status(await token('others'), 'beta')).toBe(401);
    expect(await status('alpha-token-of-test', 'alpha')).toBe(200);
    expect(await status('an-unknown-token-of-test', 'alpha')).toBe(401);
  });

  const oct = folder.write('oct.json', JSON.stringify({ keys: [{ kty: 'oct', k: 'x'.repeat(64) }] }));
  const own = folder.write('own.json', JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'the-secret' }));
  const short = folder.write('short.txt', 'a-short-secret');
  chmodSync(short, 0o600);
  it.each([
    [['--jwt-algorithms', 'ES256'], /need --jwt-issuer/],
    [['--jwt-algorithms', 'ES256', '--jwt-jwks-url', 'http://login.example/keys'], /expected an https URL/],
    [
      ['--jwt-algorithms', 'ES256', '--jwt-jwks-url', 'https://x.example', '--jwt-key-file', oct],
      /cannot be used with/,
    ],
    [['--jwt-algorithms', 'ES256', '--jwt-key-file', oct], /it is a shared secret/],
    [['--jwt-algorithms', 'ES256', '--jwt-key-file', own], /private key, which only the issuer needs/],
    [['--jwt-algorithms', 'HS256', '--jwt-key-file', short], /must have at least 32 bytes/],
    [['--jwt-algorithms', 'none', '--jwt-key-file', oct], /nobody signed/],
  ])('does not start with %j', async (args, says) => {
    const { code, stderr } = await callCommand(['serve', '--port', '0', ...ISSUER, ...args]);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/the-secret|a-short-secret/);
  });
});
