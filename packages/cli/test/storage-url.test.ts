import { afterEach, describe, expect, it, vi } from 'vitest';
import { optionalPackages } from '../src/optional-packages.ts';
import { storageUrl } from '../src/storage-url.ts';
import { UsageError } from '../src/usage-error.ts';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(() => vi.unstubAllEnvs());

const CHECK = ['check', '--storage', 'postgres://app@127.0.0.1:1/db'];

describe('the URL of --storage', () => {
  it('has the schema and the number of connections, and otherwise what pg takes', () => {
    expect(
      storageUrl('postgres://app:p%40ss@db:5433/worlds?schema=My%20own&connection_limit=4&sslmode=verify-full'),
    ).toEqual({
      connectionString: 'postgres://app:p%40ss@db:5433/worlds?sslmode=verify-full',
      schema: 'My own',
      connections: 4,
    });
    expect(storageUrl('postgresql:///worlds?host=/run/postgresql&user=app')).toMatchObject({
      connectionString: 'postgresql:///worlds?host=%2Frun%2Fpostgresql&user=app',
      schema: 'rdf_worlds',
    });
  });

  it.each([
    ['mysql://app:secret@db/worlds', /expected a URL such as postgres:/],
    ['app:secret@db/worlds', /expected a URL such as postgres:/],
    // Passwords with characters that end the part of the URL.
    ['postgres://app:sec/ret-secret@db/worlds', /well-formed/],
    ['postgres://app:12/secret@db/worlds', /well-formed/],
    ['postgres://app:12/secret/@db/worlds', /well-formed/],
    ['postgres://app:12#secret@db/worlds', /well-formed/],
    ['postgres://app:12?secret@db/worlds', /well-formed/],
    ['postgres://app:secret@/worlds?host=/run', /well-formed/],
    ['postgres://app:secret@one,two/worlds', /a single host/],
    ['postgres://app:secret@db/worlds?shema=x', /unknown parameter of the URL "shema"; known are schema, /],
    ['postgres://app:12?secret%20=x', /unknown parameter of the URL;/],
    ['postgres://app:secret@db/worlds?schema=a&schema=b', /schema appears twice/],
    ['postgres://app:secret@db/worlds?connection_limit=1', /an integer from 2 to 1000/],
    ['postgres://app:secret@db/worlds?connection_limit=x', /an integer from 2 to 1000/],
  ])('cannot be %s', (url, says) => {
    let refusal: unknown;
    try {
      storageUrl(url);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(UsageError);
    expect((refusal as Error).message).toMatch(says);
    expect((refusal as Error).message).not.toContain('secret');
  });
});

describe('--storage', () => {
  it.each([
    ['with --data', {}, [...CHECK, '--data', folder.at('x')], /--data and --storage are two places/],
    [
      'with --url',
      {},
      ['query', '--url', 'http://x', ...CHECK.slice(1), 'ASK {}'],
      /--storage cannot be combined with/,
    ],
    [
      'when both are in variables',
      { RDF_WORLDS_DATA: folder.at('x'), RDF_WORLDS_STORAGE: CHECK[2]! },
      ['check'],
      /RDF_WORLDS_DATA and RDF_WORLDS_STORAGE are both set; choose one with --data or --storage/,
    ],
    ['with --take-over', {}, [...CHECK, '--take-over'], /--take-over requires a directory/],
    [
      'with --take-over for an agent',
      {},
      ['mcp', ...CHECK.slice(1), '--take-over'],
      /--take-over requires a directory/,
    ],
    ['with --read-only', {}, [...CHECK, '--read-only'], /--read-only requires a directory/],
    ['with --memory', {}, ['serve', '--memory', '--insecure-no-auth', ...CHECK.slice(1)], /cannot be used with/],
    ['with a name of a schema that is reserved', {}, [...CHECK.slice(0, 2), `${CHECK[2]}?schema=pg_x`], /reserved/, 1],
  ] as const)('is refused %s', async (_, variables, args, says, code: number = 2) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    expect(await callCommand(args)).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(says) });
  });

  it('in a file that is not JSON is not quoted', async () => {
    const config = folder.write('broken.json', '{"storage": "postgres://app:secret@db/x}');
    const { code, stderr } = await callCommand(['check', '--config', config]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/broken\.json: it is not valid JSON/)]);
    expect(stderr).not.toContain('secret');
  });

  it('says what to install if its packages are missing', async () => {
    const name = 'a-package-that-nobody-has-installed';
    await expect(optionalPackages('--storage', ['one', 'two'], () => import(name))).rejects.toThrow(
      /^--storage needs packages .* npm install rdf-worlds one two .* npx -p rdf-worlds -p one -p two rdf-worlds/,
    );
    const broken = () => Promise.reject(new SyntaxError('broken'));
    await expect(optionalPackages('--storage', ['one'], broken)).rejects.toThrow(/^broken$/);
  });
});
