import { once } from 'node:events';
import { connect } from 'node:net';
import type { World } from '@rdf-worlds/core';
import { afterEach, describe, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';
import { CommandProcess, killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);

const TOKENS = folder.write(
  'tokens.json',
  '[{"token": "alpha-token", "namespace": "alpha"}, {"token": "root", "admin": true}]',
);
const JSON_HEADERS = { 'content-type': 'application/json' };
const bearer = (token: string) => ({ ...JSON_HEADERS, authorization: `Bearer ${token}` });
const LISTENING = /^Listening on (http:\/\/127\.0\.0\.1:(\d+))$/m;

describe('serve', () => {
  it('serves to its tokens, finishes what it is answering at SIGTERM, and exits with 0', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--memory', '--tokens', TOKENS]);
    const [, url, port] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, {
      method: 'POST',
      headers: bearer('alpha-token'),
      body: '{"slug":"a"}',
    });
    expect([created.status, ((await created.json()) as World).namespace]).toEqual([201, 'alpha']);
    expect((await fetch(`${url}/worlds`)).status).toBe(401);
    expect((await fetch(`${url}/namespaces/beta/worlds`, { headers: bearer('alpha-token') })).status).toBe(403);

    // A request whose body is still on its way when the signal comes.
    const socket = connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const body = '{"slug":"late"}';
    socket.write(
      `POST /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alpha-token\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n{`,
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    server.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expect(fetch(`${url}/worlds`, { headers: bearer('root') })).rejects.toThrow();
    socket.write(body.slice(1));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /);
    expect(await server.finish()).toMatchObject({ code: 0, stderr: '' });
  });

  it('breaks off what does not end at SIGINT, after some seconds', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS]);
    const [, , port] = await server.printed(LISTENING);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write('POST /worlds HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer root\r\nContent-Length: 10\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 200));
    const asked = performance.now();
    server.child.kill('SIGINT');
    expect((await server.finish()).code).toBe(0);
    expect(performance.now() - asked).toBeLessThan(10_000);
  });

  it('takes tokens from standard input, and a platform namespace for those that have none', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', '-', '--platform-namespace', 'home']);
    server.child.stdin!.end('[{"token": "root", "admin": true}]');
    const [, url] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, { method: 'POST', headers: bearer('root'), body: '{"slug":"a"}' });
    expect(((await created.json()) as World).namespace).toBe('home');
  });

  it('lets everybody in with --insecure-no-auth, and says so', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--insecure-no-auth']);
    const [, url] = await server.printed(LISTENING);
    const created = await fetch(`${url}/worlds`, { method: 'POST', headers: JSON_HEADERS, body: '{"slug":"a"}' });
    expect(created.status).toBe(201);
    expect((await fetch(`${url}/worlds`, { headers: bearer('whatever') })).status).toBe(200);
    server.child.kill('SIGTERM');
    const { code, stderr } = await server.finish();
    expect([code, stderr]).toEqual([0, expect.stringContaining('no authentication')]);
  });

  const REFUSED: readonly { args: readonly string[]; code: number; says: RegExp; why: string }[] = [
    { why: 'no tokens', args: [], code: 2, says: /--tokens FILE.*--insecure-no-auth/ },
    { why: 'tokens and none', args: ['--tokens', TOKENS, '--insecure-no-auth'], code: 2, says: /exclude each other/ },
    {
      why: 'a directory',
      args: ['--data', 'somewhere', '--tokens', TOKENS],
      code: 2,
      says: /durable storage does not exist yet/,
    },
    { why: 'no port', args: ['--port', '70000', '--tokens', TOKENS], code: 2, says: /--port: expected an integer/ },
    { why: 'an unknown option', args: ['--prot', '1'], code: 2, says: /--prot/ },
    { why: 'no file', args: ['--tokens', folder.at('none.json')], code: 1, says: /ENOENT/ },
    {
      why: 'a token that grants nothing',
      args: ['--tokens', folder.write('idle.json', '[{"token": "a", "namespace": "x"}, {"token": "idle-secret"}]')],
      code: 1,
      says: /tokens\[1\]: it grants nothing/,
    },
    {
      why: 'no array',
      args: ['--tokens', folder.write('object.json', '{"token": "idle-secret"}')],
      code: 1,
      says: /JSON array/,
    },
    { why: 'an empty array', args: ['--tokens', folder.write('empty.json', '[]')], code: 1, says: /JSON array/ },
    {
      why: 'no JSON',
      args: ['--tokens', folder.write('broken.json', '[{"token": "idle-secret"')],
      code: 1,
      says: /not valid JSON/,
    },
  ];
  it.each(REFUSED)('does not start with $why', async ({ args, code, says }) => {
    const finished = await callCommand(['serve', '--port', '0', ...args]);
    expect(finished).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
    expect(finished.stderr).not.toContain('idle-secret');
  });

  it('does not start with a namespace whose name is none', async () => {
    const finished = await runCommand(['serve', '--port', '0', '--tokens', TOKENS, '--platform-namespace', '_']);
    expect(finished).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/is no valid name/) });
  });

  it('tells when the port is taken', async () => {
    const server = new CommandProcess(['serve', '--port', '0', '--tokens', TOKENS]);
    const [, , port] = await server.printed(LISTENING);
    const second = await runCommand(['serve', '--port', port, '--tokens', TOKENS]);
    expect(second).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('EADDRINUSE') });
  });
});
