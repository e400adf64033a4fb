import { afterEach, describe, expect, it, vi } from 'vitest';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(() => vi.unstubAllEnvs());

const ADA = folder.write('ada.nt', '<urn:ada> <urn:name> "Ada" .\n');
const ASK = ['query', '--format', 'csv', 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }'];
const DATA = folder.at('worlds');
/** Nothing listens there. */
const URL = 'http://127.0.0.1:1';

async function made(): Promise<void> {
  expect(await callCommand(['import', ADA, '--world', 'a', '--create', '--data', DATA])).toMatchObject({ code: 0 });
}

describe('where the worlds are', () => {
  it('stands on the command line, else in a variable, else in the file of --config', async () => {
    await made();
    const other = folder.write('other.nt', '<urn:a> <urn:p> "1" .\n');
    const config = folder.write('config.json', JSON.stringify({ data: DATA, namespace: 'platform' }));
    const one = { code: 0, stdout: 'n\r\n1\r\n' };
    expect(await callCommand([...ASK, '--config', config])).toMatchObject(one);
    vi.stubEnv('RDF_WORLDS_CONFIG', config);
    expect(await callCommand(ASK)).toMatchObject(one);
    vi.stubEnv('RDF_WORLDS_URL', URL);
    expect(await callCommand(ASK)).toMatchObject({ code: 1, stderr: expect.stringContaining(URL) });
    expect(await callCommand([...ASK, '--data', DATA])).toMatchObject(one);
    expect(await callCommand([...ASK, '--load', other])).toMatchObject(one);
    vi.stubEnv('RDF_WORLDS_CONFIG', '');
    vi.stubEnv('RDF_WORLDS_URL', '');
    vi.stubEnv('RDF_WORLDS_DATA', DATA);
    expect(await callCommand(ASK)).toMatchObject(one);
    expect(await callCommand(['stats', '--format', 'json'])).toMatchObject({ code: 0 });
  });

  it.each([
    ['two of them on the command line', {}, [...ASK, '--data', DATA, '--load', ADA], /--load cannot be combined with/],
    ['a server and a directory', {}, [...ASK, '--data', DATA, '--url', URL], /--data cannot be combined with a server/],
    ['two of them in variables', { RDF_WORLDS_URL: URL, RDF_WORLDS_DATA: DATA }, ASK, /are both set/],
    ['none of them', { RDF_WORLDS_DATA: '' }, ASK, /there is no data/],
    ['an empty variable for the directory', { RDF_WORLDS_DATA: '' }, ['check'], /specify the directory with --data/],
  ])('cannot be %s', async (_, variables, args, says) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(await callCommand(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('has no other fields in the file', async () => {
    for (const [text, says] of [
      ['{"datas": "x"}', /no field "datas"; did you mean data\?/],
      ['{"port": 80}', /no field "port"/],
      ['[]', /expected a JSON object/],
    ] as const) {
      const config = folder.write('wrong.json', text);
      const { code, stderr } = await callCommand([...ASK, '--config', config]);
      expect([code === 0, stderr]).toEqual([false, expect.stringMatching(says)]);
    }
  });
});
