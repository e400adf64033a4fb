import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { COMMAND } from './command-process.ts';

const CHECKOUT = new URL('../../../', import.meta.url);

it('npm run serve prints a token that opens the server, and ends with it', async () => {
  // What scripts/serve.mjs does when everything is built, on the sources.
  const program = JSON.stringify([COMMAND]);
  const code = `import { serveToNewToken } from ${JSON.stringify(new URL('scripts/token-server.mjs', CHECKOUT).href)};
    serveToNewToken(${program}, ['--port', '0']);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: fileURLToPath(CHECKOUT) });
  const ended = once(child, 'close');
  let printed = '';
  try {
    const [, token, url] = await new Promise<RegExpExecArray>((resolve, reject) => {
      const take = (text: unknown) => {
        printed += text;
        const match = /^Token: (\S+)\nListening on (\S+)$/m.exec(printed);
        if (match) resolve(match);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      ended.then(() => reject(new Error(`It ended: ${printed}`)));
    });
    const list = (bearer: string) => fetch(`${url}/worlds`, { headers: { authorization: `Bearer ${bearer}` } });
    expect([(await list(token)).status, (await list('another')).status]).toEqual([200, 401]);
  } finally {
    // It passes this on to its server.
    child.kill('SIGTERM');
    await ended;
  }
  expect(child.exitCode).toBe(0);
});
