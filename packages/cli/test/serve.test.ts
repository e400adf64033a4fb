import { once } from 'node:events';
import { readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { World } from '@rdf-worlds/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);

const TOKENS = folder.write(
  'tokens.json',
  '[{"token": "alpha-token-of-test", "namespace": "alpha"}, {"token": "root-token-of-test", "admin": true}]',
);
const JSON_HEADERS = { 'content-type': 'application/json' };
const bearer = (token: string) => ({ ...JSON_HEADERS, authorization: `Bearer ${token}` });

/** A request that the server has begun to answer, and whose body is still to come. */
async function unfinished(port: number, token: string, contentLength: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  // The server may break it off.
  socket.on('error', () => {});
  const head = [
    'POST /worlds HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${contentLength}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const [interim] = await once(socket, 'data');
  expect(String(interim)).toMatch(/^HTTP\/1\.1 100 /);
  return socket;
}

const LISTENING = /^Listening on (http:\/\/127\.0\.0\.1:(\d+))$/m;

describe('serve', () => {
  it('serves callers with its tokens, finishes running requests at SIGTERM, and exits with 0', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--memory', '--tokens', TOKENS]);
    const [, url, port] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, {
      method: 'POST',
      headers: bearer('alpha-token-of-test'),
      body: '{"slug":"a"}',
    });
    expect([created.status, ((await created.json()) as World).namespace]).toEqual([201, 'alpha']);
    expect((await fetch(`${url}/worlds`)).status).toBe(401);
    expect((await fetch(`${url}/namespaces/beta/worlds`, { headers: bearer('alpha-token-of-test') })).status).toBe(403);

    // A request whose body is still on its way when the signal comes.
    const body = '{"slug":"late"}';
    const socket = await unfinished(Number(port), 'alpha-token-of-test', body.length);
    server.child.kill('SIGTERM');
    const isRefused = () =>
      fetch(`${url}/worlds`, { headers: bearer('root-token-of-test') }).then(
        () => false,
        () => true,
      );
    await vi.waitUntil(isRefused, 30_000);
    socket.write(body);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await server.finish()).toMatchObject({ code: 0, stderr: '' });
  });

  it('aborts requests that do not end within some seconds after SIGINT', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS]);
    const [, , port] = await server.printed(LISTENING);
    await unfinished(Number(port), 'root-token-of-test', 10);
    server.child.kill('SIGINT');
    expect((await server.finish()).code).toBe(0);
  });

  it('limits how often each caller asks, and failed logins by the address that the proxy names', async () => {
    const limit = ['--rate-limit', '1', '--rate-burst', '2', '--client-address-header', 'X-Forwarded-For'];
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS, ...limit]);
    const [, url] = await server.printed(LISTENING);
    const statuses = async (headers: Record<string, string>, count: number) => {
      const answers = await Promise.all(Array.from({ length: count }, () => fetch(`${url}/worlds`, { headers })));
      for (const { status, headers } of answers) expect(headers.has('retry-after')).toBe(status === 429);
      return new Set(answers.map(({ status }) => status));
    };
    expect(await statuses(bearer('alpha-token-of-test'), 30)).toEqual(new Set([200, 429]));
    expect(await statuses(bearer('root-token-of-test'), 1)).toEqual(new Set([200]));
    // A client may send the header too: what the proxy adds stands last.
    expect(await statuses({ 'x-forwarded-for': '1.2.3.4, 5.6.7.8' }, 30)).toEqual(new Set([401, 429]));
    expect(await statuses({ 'x-forwarded-for': '5.6.7.8, 1.2.3.4' }, 1)).toEqual(new Set([401]));

    const burstAlone = await runCommand(['serve', '--tokens', TOKENS, '--rate-burst', '2']);
    expect(burstAlone).toMatchObject({ code: 2, stderr: expect.stringContaining('--rate-limit') });
  });

  it('reads tokens from standard input, and uses the platform namespace for tokens without one', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', '-', '--platform-namespace', 'home']);
    server.child.stdin!.end('[{"token": "root-token-of-test", "admin": true}]');
    const [, url] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, {
      method: 'POST',
      headers: bearer('root-token-of-test'),
      body: '{"slug":"a"}',
    });
    expect(((await created.json()) as World).namespace).toBe('home');
  });

  it('lets everybody in with --insecure-no-auth, and says so', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--insecure-no-auth']);
    const [, url] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, { method: 'POST', headers: JSON_HEADERS, body: '{"slug":"a"}' });
    expect(created.status).toBe(201);
    expect((await fetch(`${url}/worlds`, { headers: bearer('whatever') })).status).toBe(200);
    // Pages in a browser of this machine are not let in.
    expect((await fetch(`${url}/worlds`, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    expect((await fetch(`${url}/worlds`, { method: 'POST', body: '{"slug":"b"}' })).status).toBe(415);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.finish();
    expect([code, stderr]).toEqual([0, expect.stringContaining('no authentication')]);
  });

  it('listens on the given address, uses its public address, and logs every request with --verbose', async () => {
    const server = new CommandProcess([
      ...['serve', '--port', '0', '--host', 'localhost', '--tokens', TOKENS],
      ...['--base-url', 'https://worlds.example', '--verbose'],
    ]);
    const [, url] = await server.printed(/^Listening on (http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+)$/m);
    const headers = bearer('alpha-token-of-test');
    expect((await fetch(`${url}/worlds`, { method: 'POST', headers, body: '{"slug":"a"}' })).status).toBe(201);
    const description = await fetch(`${url}/worlds/a/sparql`, { headers: { authorization: headers.authorization } });
    expect(await description.text()).toContain('<https://worlds.example/worlds/a/sparql>');
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.finish();
    expect(code).toBe(0);
    const logged = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(logged.filter(({ level, msg }) => level === 20 && msg === 'request')).toHaveLength(2);
    expect(stderr).not.toContain('alpha-token-of-test');
  });

  it('writes its audit log to a file of its owner, and slow queries to standard error', async () => {
    const audit = folder.at('audit.log');
    const server = new CommandProcess([
      ...['serve', '--port', '0', '--tokens', TOKENS, '--audit-log', audit, '--slow-query-ms', '0'],
    ]);
    const [, url] = await server.printed(LISTENING);
    const headers = bearer('alpha-token-of-test');
    await fetch(`${url}/worlds`, { method: 'POST', headers, body: '{"slug":"a"}' });
    await fetch(`${url}/worlds/a%0a%7b%22level%22:60%7d`, { headers: bearer('a-token-that-is-wrong') });
    await fetch(`${url}/namespaces/beta/worlds/b%0a%7b%7d`, { headers });
    await fetch(`${url}/worlds/a/sparql?query=${encodeURIComponent('ASK { ?s ?p "secret\n{}" }')}`, { headers });
    server.child.kill('SIGTERM');
    const { stderr } = await server.finish();
    const entries = (text: string) =>
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
    expect(entries(readFileSync(audit, 'utf8'))).toMatchObject([
      { event: 'write', status: 201, operation: 'createWorld' },
      { event: 'unauthenticated', status: 401 },
      { event: 'denied', status: 403, worlds: ['beta/b\n{}'] },
    ]);
    if (process.platform !== 'win32') expect(statSync(audit).mode & 0o777).toBe(0o600);
    expect(entries(stderr)).toMatchObject([{ level: 40, msg: 'slow query', query: 'ASK { ?s ?p ? }' }]);
  });

  it('is backed up while it runs, by its command', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--data', folder.at('live'), '--tokens', TOKENS]);
    const [, url] = await server.printed(LISTENING);
    const create = { method: 'POST', headers: bearer('alpha-token-of-test'), body: '{"slug":"a","label":"Alpha"}' };
    expect((await fetch(`${url}/worlds`, create)).status).toBe(201);
    const file = folder.at('live.backup');
    const backup = (token: string) => callCommand(['backup', '--url', url, '--token', token, '--output', file]);
    expect(await backup('alpha-token-of-test')).toMatchObject({ code: 1, stderr: expect.stringContaining('admin') });
    expect(await backup('root-token-of-test')).toMatchObject({ code: 0, stderr: '' });
    const data = folder.at('restored');
    expect((await callCommand(['restore', file, '--data', data])).code).toBe(0);
    const { stdout } = await callCommand(['worlds', 'get', 'a', '--namespace', 'alpha', '--data', data]);
    expect(stdout).toContain('Alpha');
    expect((await callCommand(['backup'])).stderr).toContain(
      '--data DIR, a database with --storage URL, or a running server with --url URL',
    );
  });

  it('serves its metrics to admins, and to everybody on a separate port', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS, '--metrics-port', '0']);
    const [, metricsUrl] = await server.printed(/^Metrics on (http:\/\/127\.0\.0\.1:\d+\/metrics)$/m);
    const [, url] = await server.printed(LISTENING);
    const status = async (token: string) => (await fetch(`${url}/metrics`, { headers: bearer(token) })).status;
    expect([await status('alpha-token-of-test'), await status('root-token-of-test')]).toEqual([403, 200]);
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toMatch(/^rdf_worlds_http_requests_total\{route="none",method="GET",status="403"\} 1$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    server.child.kill('SIGTERM');
    expect(await server.finish()).toMatchObject({ code: 0 });
  });

  it('hands spans to the SDK that node has loaded, with --tracing', async () => {
    const sdk = createRequire(new URL('../../http/package.json', import.meta.url)).resolve(
      '@opentelemetry/sdk-trace-base',
    );
    const setup = folder.write(
      'tracing.mjs',
      `import { createRequire } from 'node:module';
      const require = createRequire(${JSON.stringify(sdk)});
      const { BasicTracerProvider, SimpleSpanProcessor } = require(${JSON.stringify(sdk)});
      const exporter = {
        export: (spans, done) => { for (const { name } of spans) console.log('span ' + name); done({ code: 0 }); },
        shutdown: async () => {},
      };
      const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
      require('@opentelemetry/api').trace.setGlobalTracerProvider(provider);`,
    );
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS, '--tracing'], {
      NODE_OPTIONS: `--import ${pathToFileURL(setup)}`,
    });
    const [, url] = await server.printed(LISTENING);
    await fetch(`${url}/worlds`, { headers: bearer('alpha-token-of-test') });
    await server.printed(/^span GET \/worlds$/m);
    server.child.kill('SIGTERM');
    expect(await server.finish()).toMatchObject({ code: 0 });
  });

  it.skipIf(process.platform === 'win32')('does not follow a symbolic link in place of its audit log', async () => {
    symlinkSync(folder.write('other.txt', ''), folder.at('link.log'));
    const finished = await callCommand([
      'serve',
      '--port',
      '0',
      '--tokens',
      TOKENS,
      '--audit-log',
      folder.at('link.log'),
    ]);
    expect(finished).toMatchObject({ code: 1, stderr: expect.stringContaining('ELOOP') });
  });

  it('logs background failures to standard error', async () => {
    const data = folder.at('broken');
    const server = new CommandProcess(['serve', '--port', '0', '--data', data, '--tokens', TOKENS]);
    const [, url] = await server.printed(LISTENING);
    const headers = bearer('alpha-token-of-test');
    expect((await fetch(`${url}/worlds`, { method: 'POST', headers, body: '{"slug":"a"}' })).status).toBe(201);
    // So much that a checkpoint is made when the engine closes.
    const rows = Array.from({ length: 5000 }, (_, n) => `<urn:s${n}> <urn:p> "the object of ${n}"`);
    const query = `INSERT DATA { ${rows.join(' . ')} }`;
    const update = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/sparql-update' },
      body: query,
    };
    expect((await fetch(`${url}/worlds/a/sparql`, update)).status).toBeLessThan(300);
    renameSync(join(data, 'namespaces'), join(data, 'elsewhere'));
    server.child.kill('SIGTERM');
    const { stderr } = await server.finish();
    expect(JSON.parse(stderr.split('\n')[0])).toMatchObject({
      level: 50,
      time: expect.any(Number),
      pid: server.child.pid,
      activity: 'checkpoint',
      namespace: 'alpha',
      msg: expect.stringContaining('A checkpoint failed'),
    });
  });

  it('holds the quotas of a file', async () => {
    const quotas = folder.write('quotas.json', '{"namespaces": {"alpha": {"namespace": {"worlds": 1}}}}');
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS, '--quotas', quotas]);
    const [, url] = await server.printed(LISTENING);
    const create = (slug: string) =>
      fetch(`${url}/worlds`, {
        method: 'POST',
        headers: bearer('alpha-token-of-test'),
        body: JSON.stringify({ slug }),
      });
    expect((await create('a')).status).toBe(201);
    expect((await create('b')).status).toBe(507);
    const wrong = folder.write('wrong.json', '{"worlds": 1}');
    const refused = await runCommand(['serve', '--port', '0', '--tokens', TOKENS, '--quotas', wrong]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('there is no field "worlds"');
  });

  it('gives each token the permissions of its grants', async () => {
    const grants = '[{"namespace": "alpha", "world": "open", "read": true}]';
    const tokens = `[{"token": "owner-token-of-test", "namespace": "alpha"}, {"token": "guest-token-of-test", "grants": ${grants}}]`;
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', folder.write('grants.json', tokens)]);
    const [, url] = await server.printed(LISTENING);
    for (const slug of ['open', 'closed']) {
      await fetch(`${url}/worlds`, {
        method: 'POST',
        headers: bearer('owner-token-of-test'),
        body: JSON.stringify({ slug }),
      });
    }
    const status = async (slug: string, method: string) => {
      const body = method === 'PUT' ? '{"label":"x"}' : undefined;
      const answer = await fetch(`${url}/namespaces/alpha/worlds/${slug}`, {
        method,
        body,
        headers: bearer('guest-token-of-test'),
      });
      return answer.status;
    };
    expect([await status('open', 'GET'), await status('open', 'PUT'), await status('closed', 'GET')]).toEqual([
      200, 403, 403,
    ]);
  });

  interface Refused {
    readonly why: string;
    readonly args: readonly string[];
    readonly code: number;
    readonly says: RegExp;
  }
  const IDLE = folder.write(
    'idle.json',
    '[{"token": "a-token-of-tests", "namespace": "x"}, {"token": "idle-secret-of-test"}]',
  );
  const REFUSED: readonly Refused[] = [
    { why: 'no tokens', args: [], code: 2, says: /--tokens FILE.*--insecure-no-auth/ },
    { why: 'two places', args: ['--data', 'd', '--memory', '--tokens', TOKENS], code: 2, says: /--data.*--memory/ },
    { why: 'a file as its directory', args: ['--data', TOKENS, '--tokens', TOKENS], code: 1, says: /tokens\.json/ },
    { why: 'a token that grants nothing', args: ['--tokens', IDLE], code: 1, says: /tokens\[1\]: it grants nothing/ },
  ];
  it.each(REFUSED)('does not start with $why', async ({ args, code, says }) => {
    const finished = await runCommand(['serve', '--port', '0', ...args]);
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
    expect(finished.stderr).not.toContain('idle-secret-of-test');
  });

  const object = folder.write('object.json', '{"token": "idle-secret-of-test"}');
  const broken = folder.write('broken.json', '[{"token": "idle-secret-of-test"');
  const SHORT = folder.write('short.json', '[{"token": "fifteen-letters", "admin": true}]');
  const MISSPELT = folder.write('misspelt.json', '[{"token": "idle-secret-of-test", "namespace": "x", "grant": []}]');
  const MALFORMED: readonly Refused[] = [
    { why: 'tokens and none', args: ['--tokens', TOKENS, '--insecure-no-auth'], code: 2, says: /cannot be used with/ },
    {
      why: 'no port',
      args: ['--port', '70000', '--tokens', TOKENS],
      code: 2,
      says: /Expected an integer from 0 to 65535/,
    },
    { why: 'an unknown option', args: ['--prot', '1'], code: 2, says: /--prot'.*Did you mean --port\?/s },
    {
      why: 'no authentication on every address',
      args: ['--insecure-no-auth', '--host', '0.0.0.0'],
      code: 2,
      says: /requires a loopback address/,
    },
    {
      why: 'a short token',
      args: ['--tokens', SHORT],
      code: 1,
      says: /short\.json: tokens\[0\]: token: expected at least 16/,
    },
    { why: 'a misspelt field', args: ['--tokens', MISSPELT], code: 1, says: /"grant"; did you mean grants\?/ },
    { why: 'no file', args: ['--tokens', folder.at('none.json')], code: 1, says: /none\.json: no such file/ },
    { why: 'no array', args: ['--tokens', object], code: 1, says: /JSON array/ },
    { why: 'an empty array', args: ['--tokens', folder.write('empty.json', '[]')], code: 1, says: /JSON array/ },
    { why: 'no JSON', args: ['--tokens', broken], code: 1, says: /not valid JSON/ },
  ];
  it.each(MALFORMED)('does not start with $why', async ({ args, code, says }) => {
    const finished = await callCommand(['serve', '--port', '0', ...args]);
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
    expect(finished.stderr).not.toContain('idle-secret-of-test');
  });

  it('does not start with an invalid name of a namespace', async () => {
    const finished = await runCommand(['serve', '--port', '0', '--tokens', TOKENS, '--platform-namespace', '_']);
    expect(finished).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/is not a valid name/) });
  });

  it('reports that the port is in use', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS]);
    const [, , port] = await server.printed(LISTENING);
    const second = await runCommand(['serve', '--port', port, '--tokens', TOKENS]);
    expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EADDRINUSE') });
  });
});
