import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.ts';
import { callCommand } from './command-call.ts';
import { killCommands, runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
afterEach(killCommands);

const TURTLE = `@prefix : <http://example.org/> .
:ada :name "Ada Lovelace" ; :born 1815 .
:bob :name "Bob\\tB"@en .
`;
const ADA = folder.write('ada.ttl', TURTLE);
const NAMED = folder.write('named.nq', '<http://example.org/s> <http://example.org/p> "o" <http://example.org/g> .\n');
const NAMES = 'SELECT ?s ?name ?none { ?s <http://example.org/name> ?name } ORDER BY ?s';

describe('query --load', () => {
  it('prints solutions as a table', async () => {
    const { code, stdout, stderr } = await runCommand(['query', '--load', ADA, NAMES]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        's                        | name           | none',
        '-------------------------+----------------+-----',
        '<http://example.org/ada> | "Ada Lovelace" |',
        '<http://example.org/bob> | "Bob\\tB"@en    |',
        '2 rows',
        '',
      ].join('\n'),
    );
  });

  const FORMATS: readonly { format: string; text: string; expected: RegExp }[] = [
    { format: 'csv', text: NAMES, expected: /^s,name,none\r\nhttp:\/\/example.org\/ada,Ada Lovelace,\r\n/ },
    { format: 'tsv', text: NAMES, expected: /^\?s\t\?name\t\?none\n/ },
    { format: 'json', text: NAMES, expected: /^\{"head":\{"vars":\["s","name","none"\]/ },
    { format: 'xml', text: NAMES, expected: /<sparql / },
    { format: 'json', text: 'ASK {}', expected: /"boolean":true/ },
    { format: 'xml', text: 'ASK {}', expected: /<boolean>true<\/boolean>/ },
    { format: 'ttl', text: 'DESCRIBE <http://example.org/ada>', expected: /^<http:\/\/example.org\/ada> / },
    { format: 'xml', text: 'DESCRIBE <http://example.org/ada>', expected: /<rdf:RDF/ },
    { format: 'json', text: 'DESCRIBE <http://example.org/ada>', expected: /"@id": ?"http:\/\/example.org\/ada"/ },
    {
      format: 'nq',
      text: 'DESCRIBE <http://example.org/bob>',
      expected: /^<http:\/\/example.org\/bob> .* "Bob\tB"@en \.\n$/,
    },
    { format: 'trig', text: 'DESCRIBE <http://example.org/ada>', expected: /^<http:\/\/example.org\/ada> / },
    {
      format: 'application/n-triples',
      text: 'DESCRIBE <http://example.org/bob>',
      expected: /^<http:\/\/example.org\/bob> <http:\/\/example.org\/name> "Bob\tB"@en \.\n$/,
    },
  ];
  it.each(FORMATS)('writes $format: $text', async ({ format, text, expected }) => {
    const { code, stdout, stderr } = await callCommand(['query', '--load', ADA, '--format', format, text]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(expected);
  });

  it('takes the text from a file, data from standard input, and several documents', async () => {
    const file = folder.write('count.rq', 'ASK { ?s ?p "Ada Lovelace" . GRAPH ?g { ?x ?y "o" } }');
    const args = ['query', '--load', '-', '--load', NAMED, '--file', file];
    // One format for all: Turtle is no N-Quads, but N-Triples are both.
    const input = '<http://example.org/ada> <http://example.org/name> "Ada Lovelace" .\n';
    expect(await runCommand([...args, '--load-format', 'nq'], { input })).toMatchObject({ code: 0, stdout: 'true\n' });
  });

  const REFUSED: readonly { args: readonly string[]; code: number; says: RegExp }[] = [
    { args: ['--load', ADA, 'SELECT * {'], code: 1, says: /not well-formed.*line 1, column 11/ },
    { args: ['--load', ADA, '--format', 'csv', 'ASK {}'], code: 1, says: /cannot be written as csv/ },
    { args: ['--load', ADA, 'DELETE WHERE { ?s ?p ?o }'], code: 1, says: /This is an update/ },
    {
      args: ['--load', ADA, '--format', 'docx', 'ASK {}'],
      code: 2,
      says: /"docx" is not a known format; use one of .*csv/,
    },
    { args: ['--load', ADA], code: 2, says: /pass the text/ },
    { args: ['--load', ADA, 'ASK', '{}'], code: 2, says: /too many arguments.*Quote texts that contain spaces/ },
    { args: ['ASK {}'], code: 2, says: /there is no data/ },
    { args: ['--load', folder.at('none.ttl'), 'ASK {}'], code: 1, says: /none\.ttl: no such file/ },
    { args: ['--load', folder.write('x.docx', ''), 'ASK {}'], code: 2, says: /is not that of an RDF format/ },
    { args: ['--load', folder.write('bad.ttl', '<a'), 'ASK {}'], code: 1, says: /bad\.ttl: / },
    { args: ['--load', '-', 'ASK {}'], code: 2, says: /standard input has no file extension/ },
    {
      args: ['--load', ADA, '--url', 'http://127.0.0.1:9', 'ASK {}'],
      code: 2,
      says: /--load cannot be combined with a server/,
    },
    { args: ['--load', ADA, '--world', '..', 'ASK {}'], code: 2, says: /not a valid name of a world/ },
    {
      args: ['--data', 'd', '--url', 'http://127.0.0.1:9', 'ASK {}'],
      code: 2,
      says: /--data cannot be combined with a server/,
    },
    {
      args: ['--take-over', '--load', ADA, 'ASK {}'],
      code: 2,
      says: /--take-over requires a directory: pass --data/,
    },
    {
      args: ['--data', 'd', '--load', ADA, 'ASK {}'],
      code: 2,
      says: /--load cannot be combined with a server, a directory or a database/,
    },
  ];
  it.each(REFUSED)('refuses $args', async ({ args, code, says }) => {
    expect(await callCommand(['query', ...args])).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringMatching(says),
    });
  });
});

describe('other commands with --load', () => {
  it('export converts, by the extension of the output', async () => {
    const output = folder.at('named.trig');
    expect(await runCommand(['export', '--load', NAMED, '--output', output])).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(output, 'utf8')).toContain('<http://example.org/g> {');
  });

  it('export leaves the file that was there when it fails', async () => {
    const output = folder.write('kept.nq', 'kept');
    const bad = folder.write('cut.nq', '<http://example.org/s> <http://example.org/p>');
    expect((await runCommand(['export', '--load', bad, '--output', output])).code).toBe(1);
    expect(readFileSync(output, 'utf8')).toBe('kept');
    expect((await runCommand(['export', '--load', NAMED, '--output', folder.at('no/such/folder.nq')])).code).toBe(1);
    expect(existsSync(folder.at('no'))).toBe(false);
  });

  it('update writes the files as it leaves them', async () => {
    const text = 'PREFIX : <http://example.org/> DELETE { ?s :born ?y } INSERT { ?s :year ?y } WHERE { ?s :born ?y }';
    const { code, stdout } = await runCommand(['update', '--load', ADA, '--format', 'nt', text]);
    expect(code).toBe(0);
    expect(stdout).toContain('<http://example.org/year> "1815"^^');
    expect(stdout).not.toContain('/born>');
    expect(await runCommand(['update', '--load', ADA, 'ASK {}'])).toMatchObject({ code: 1, stdout: '' });
  });

  it('search prints hits, as a table or as JSON', async () => {
    const table = await callCommand(['search', '--load', ADA, 'lovelace']);
    expect(table.stdout).toMatch(
      /default\/data +\| <http:\/\/example\.org\/ada> \| <http:\/\/example\.org\/name> \| Ada Lovelace\n$/,
    );
    const json = await runCommand([
      'search',
      '--load',
      ADA,
      '--format',
      'json',
      '--subject',
      'http://example.org/bob',
      'b',
    ]);
    expect(JSON.parse(json.stdout)).toMatchObject([{ subject: 'http://example.org/bob', ftsRank: 1, vecRank: null }]);
  });
});

describe('the settings of a search', () => {
  const search = async (...args: readonly string[]) => {
    const { code, stdout } = await callCommand(['search', '--load', ADA, '--format', 'json', ...args]);
    expect(code).toBe(0);
    return JSON.parse(stdout) as { subject: string; object: string; score: number; explanation?: object }[];
  };

  it('find words in names, where they are asked to', async () => {
    expect(await search('name')).toEqual([]);
    const found = await search('name', '--fields', 'true');
    expect(found.length).toBeGreaterThan(1);
    expect(await search('name', '--fields', 'predicate=0,subject=0,label=1')).toEqual([]);
  });

  it('include vectors, of a model that is learnt from enough texts', async () => {
    const words = ['river', 'water', 'flood', 'bank', 'bridge', 'engine', 'steam', 'wheel', 'valve', 'piston'];
    const texts = Array.from(
      { length: 2_400 },
      (_, i) =>
        `<http://example.org/${i}> <http://example.org/about> "${words[i % 10]} ${words[(i * 7 + 1) % 10]} ${i}" .`,
    );
    const load = ['--load', folder.write('texts.nt', texts.join('\n'))];
    const ranks = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await callCommand(['search', 'river', '--format', 'json', ...args]);
      const hits = JSON.parse(stdout) as { vecRank: number | null }[];
      return { code, stderr, found: hits.length, byVector: hits.filter(({ vecRank }) => vecRank !== null).length };
    };
    expect(await ranks(...load)).toEqual({ code: 0, stderr: '', found: 20, byVector: 0 });
    const { byVector, ...found } = await ranks(...load, '--embedder', 'offline');
    expect(found).toEqual({ code: 0, stderr: '', found: 20 });
    expect(byVector).toBeGreaterThan(0);
    const few = await callCommand(['search', 'Ada', '--load', ADA, '--embedder', 'offline']);
    expect(few.code).toBe(0);
    expect(few.stderr).toContain('there are no vectors: a model is learnt once a namespace has 2,000 different texts');
  });

  it('join rankings as they say', async () => {
    const [{ score: plain }] = await search('lovelace');
    const [{ score }] = await search('lovelace', '--fusion', 'k=9');
    expect([plain, score]).toEqual([1, 1 / 10]);
    const [{ score: weighted }] = await search('lovelace', '--fusion', 'rrf,textWeight=3');
    expect(weighted).toBe(3 / 61);
    expect(await search('lovelace', '--feedback', 'documents=1,terms=5')).toHaveLength(1);
  });

  it('find words that begin with the last one', async () => {
    expect(await search('lovel')).toEqual([]);
    expect(await search('lovel', '--prefix')).toHaveLength(1);
  });

  it('say why', async () => {
    expect(await search('lovelace', '--explain')).toMatchObject([
      { explanation: { snippet: { marked: 'Ada **Lovelace**' }, terms: [{ word: 'lovelace', field: 'text' }] } },
    ]);
    const { stdout } = await callCommand(['search', '--load', ADA, '--explain', 'lovelace']);
    expect(stdout).toMatch(/\| why/);
    expect(stdout).toMatch(/Ada \*\*Lovelace\*\* +\| lovelac in text \d+\.\d{4}\n$/);
  });
});

describe('the command itself', () => {
  it('prints help and version', async () => {
    const help = await runCommand(['--help']);
    expect([help.code, help.stderr]).toEqual([0, '']);
    for (const { name, summary } of COMMANDS) {
      expect(help.stdout.replaceAll(/\s+/g, ' ')).toContain(` ${name} ${summary}`);
    }
    for (const args of [
      ['export', '--help'],
      ['help', 'export'],
    ]) {
      expect((await callCommand(args)).stdout).toContain('--output <FILE>');
    }
    expect(await callCommand(['worlds', 'list', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('RDF_WORLDS_TOKEN'),
      stderr: '',
    });
    expect((await runCommand(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('interprets options as the command defines them, in any position and with any value', async () => {
    const args = ['query', 'SELECT ?s { ?s ?p "-V" }', '--load-format=nt', '--load', '-'];
    const input = '<http://example.org/s> <http://example.org/p> "-V" .\n';
    expect((await runCommand([...args, '--format', 'csv'], { input })).stdout).toBe('s\r\nhttp://example.org/s\r\n');
    expect(await callCommand(['query', '--load', ADA, '--', '--help'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not well-formed'),
    });
    expect(await callCommand(['worlds', 'list', '--url', '-V'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('expected a URL'),
    });
  });

  const REFUSED: readonly { args: readonly string[]; says: RegExp }[] = [
    { args: [], says: /Commands:.*serve.*a command is missing/s },
    { args: ['explode'], says: /unknown command 'explode'/ },
    { args: ['worlds'], says: /worlds list.*a command is missing/s },
    { args: ['worlds', 'explode'], says: /unknown command 'explode'/ },
    { args: ['serv'], says: /Did you mean serve\?/ },
    { args: ['export', '--ouptut', 'x'], says: /unknown option '--ouptut'.*Did you mean --output\?/s },
    { args: ['export', '--output'], says: /option '--output <FILE>' argument missing/ },
    { args: ['search', 'a', '--limit', '1001'], says: /--limit.*Expected an integer from 1 to 1000/ },
    {
      args: ['search', 'a', '--fusion', 'best'],
      says: /--fusion.*Expected adaptive, rrf, convex, or k=N,textWeight=N/,
    },
    { args: ['search', 'a', '--fusion', 'k=0'], says: /--fusion.*Expected a number above 0 for k/ },
    { args: ['search', 'a', '--fields', 'true,label=1'], says: /--fields.*Expected true, false, or label=N/ },
    { args: ['search', 'a', '--fields', 'label='], says: /--fields.*Expected a number from 0 to 1000 for label/ },
    { args: ['search', 'a', '--fields', '__proto__=1'], says: /--fields.*Expected true, false, or label=N/ },
    {
      args: ['search', 'a', '--feedback', 'documents=1.5'],
      says: /--feedback.*an integer from 1 to 100 for documents/,
    },
    { args: ['search', 'a', '--embedder', 'online'], says: /--embedder.*Allowed choices are offline/ },
    {
      args: ['search', 'a', '--url', 'http://127.0.0.1:9', '--embedder', 'offline'],
      says: /--embedder would have no effect; omit it here, and pass it to rdf-worlds serve/,
    },
    { args: ['serve', '--compat', 'memory', '--insecure-no-auth'], says: /--compat .* pass --mcp with it/ },
    { args: ['serve', '--fields', 'much'], says: /--fields.*Expected true, false, or label=N/ },
    { args: ['worlds', 'list', '--format', 'xml'], says: /--format.*Allowed choices are table, json/ },
    { args: ['worlds', 'list'], says: /specify a server with --url/ },
    { args: ['import', ADA, '--world', 'a'], says: /specify a server with --url.*--load FILE/ },
    { args: ['worlds', 'get', '--url', 'http://127.0.0.1:9'], says: /missing required argument 'WORLD'/ },
    { args: ['worlds', 'list', '--url', 'localhost'], says: /expected a URL/ },
  ];
  it.each(REFUSED)('refuses $args with exit code 2', async ({ args, says }) => {
    expect(await callCommand(args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
  });
});
