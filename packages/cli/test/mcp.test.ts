import { describe, expect, it } from 'vitest';
import { ENGINE_OPTIONS } from '../src/engine-options.ts';
import { callCommand } from './command-call.ts';

/** Nothing listens there. */
const REMOTE = ['mcp', '--url', 'http://127.0.0.1:1', '--namespace', 'acme'];

describe('mcp on a server', () => {
  it.each([
    ...ENGINE_OPTIONS.map((option): [string, string[]] => [option.name(), ['1000']]),
    ['fields', ['true']],
    ['feedback', ['true']],
    ['embedder', ['offline']],
    ['memory', []],
    ['take-over', []],
  ])('refuses --%s, which the server decides', async (name, value) => {
    expect(await callCommand([...REMOTE, `--${name}`, ...value])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`--${name} would have no effect`),
    });
  });

  it('names all of them', async () => {
    const { stderr } = await callCommand([...REMOTE, '--fields', 'true', '--history-ms', '1']);
    expect(stderr).toMatch(/--history-ms, --fields would have no effect; leave them out/);
  });
});
