import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { COMMANDS } from '../src/commands.ts';
import { type Finished, killCommands } from './command-process.ts';
import { MeasuredSteps } from './every-command/measured-steps.ts';
import { mixedLines, REVIEWS } from './every-command/mixed-data.ts';
import { TemporaryFolder } from './temporary-folder.ts';

// One generated file goes through every command, and each must tell the same of it.
// `COMMAND_TRIPLES=1000000` gives each command line a process and prints what it used;
// `COMMAND_TABLE` is a file for the table.

const GIVEN = process.env['COMMAND_TRIPLES'];
const TRIPLES = Number(GIVEN ?? 2_000);
const SEED = Number(process.env['COMMAND_SEED'] ?? 1);

const folder = new TemporaryFolder();
const steps = new MeasuredSteps(folder, { hasProcesses: GIVEN !== undefined });
const used = new Set<string>();
afterAll(async () => {
  await killCommands();
  // Also after a failure: a long run tells what it measured.
  if (GIVEN !== undefined) console.info(steps.table(process.env['COMMAND_TABLE']));
});

const [DATA, PACKED, PATCH, EMPTY] = ['data.nq', 'data.nq.gz', 'changes.rdfp', 'empty.nq'].map((name) =>
  folder.at(name),
);
const [PLACE, COPY] = ['worlds', 'restored'].map((name) => ['--data', folder.at(name)]);
const W = ['--world', 'w'];

const COUNT = 'SELECT (COUNT(*) AS ?n) { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';
const RATED =
  'PREFIX ex: <https://example.org/> SELECT ?product (AVG(?rating) AS ?mean) { ?review ex:about ?product ; ex:rating ?rating } GROUP BY ?product ORDER BY DESC(?mean) ?product LIMIT 10';
/** Changes a fifth of the products. */
const UPDATE =
  'PREFIX ex: <https://example.org/> DELETE { ?p ex:stock ?n } INSERT { ?p ex:stock 0 ; ex:soldOut true } WHERE { ?p ex:stock ?n FILTER(?n < 200) }';
const CONTEXT = { '@context': { '@vocab': 'https://example.org/', foaf: 'http://xmlns.com/foaf/0.1/' } };
const FRAME = { ...CONTEXT, '@type': 'Product', '@explicit': true, price: {} };

/** Runs a command line that must succeed. Returns what it printed. */
async function run(args: readonly string[], { note = '', input }: { note?: string; input?: string } = {}) {
  used.add(nameOf(args));
  return printed(args, await steps.run(`\`${nameOf(args)}\`${note && `, ${note}`}`, args, input));
}

function nameOf(args: readonly string[]): string {
  return args[0] === 'worlds' ? args.slice(0, 2).join(' ') : args[0];
}

function printed(args: readonly string[], { code, stdout, stderr }: Finished): string {
  expect([code, stderr.replace(/^Imported .*\n/gm, '')], args.join(' ')).toEqual([0, '']);
  return stdout;
}

/** Returns the number of quads of a world. */
async function count(place: readonly string[], note: string): Promise<number> {
  return Number((await run(['query', ...place, '--format', 'csv', COUNT], { note })).split('\r\n')[1]);
}

it('a file goes through every command', { timeout: 36_000_000 }, async () => {
  await pipeline(Readable.from(mixedLines(TRIPLES, SEED)), createWriteStream(DATA));
  await pipeline(createReadStream(DATA), createGzip(), createWriteStream(PACKED));
  folder.write('empty.nq', '');

  // Files alone.
  expect(await run(['validate', DATA], { note: 'N-Quads' })).toBe(`${DATA}: well-formed, ${TRIPLES} quads\n`);
  const loaded = ['--load', DATA];
  expect(await count(loaded, 'count, of a file')).toBe(TRIPLES);
  expect(await run(['search', ...loaded, 'filament', '--format', 'json'], { note: 'of a file' })).toContain('filament');
  const hash = await run(['canonicalize', ...loaded, '--hash'], { note: 'hash of a file' });
  await run(['canonicalize', ...loaded, '--output', folder.at('canonical.nq')], { note: 'of a file' });
  await run(['update', ...loaded, '--output', folder.at('updated.nq'), UPDATE], { note: 'of a file' });
  await run(['diff', DATA, folder.at('updated.nq'), '--output', folder.at('files.rdfp')], { note: 'two files' });
  await run(['explain', ...loaded, RATED], { note: 'of a file' });
  await run(['export', ...loaded, '--output', folder.at('file.trig')], { note: 'a file as TriG' });

  // A directory.
  await run(['import', DATA, ...PLACE, ...W, '--create'], { note: 'N-Quads' });
  const packed = ['--data', folder.at('packed'), ...W];
  await run(['import', PACKED, ...packed, '--create'], { note: 'gzip' });
  expect(await count([...PLACE, ...W], 'count')).toBe(TRIPLES);
  await run(['query', ...PLACE, ...W, RATED], { note: 'groups' });
  const all = ['query', ...PLACE, ...W, '--format', 'json', '--output', folder.at('all.json'), 'SELECT * { ?s ?p ?o }'];
  await run(all, { note: 'all triples as JSON' });
  await run(['explain', ...PLACE, ...W, RATED]);
  await run(['explain', ...PLACE, ...W, '--analyze', RATED], { note: 'analyze' });
  await run(['search', ...PLACE, ...W, 'tungsten filament'], { note: 'first' });
  await run(['search', ...PLACE, ...W, 'tungsten filament', '--read-only'], { note: 'again' });
  const table = await run(['stats', ...PLACE, '--format', 'json']);
  expect(JSON.parse(table)).toMatchObject([{ quads: TRIPLES }]);
  expect(await run(['canonicalize', ...PLACE, ...W, '--hash'], { note: 'hash' })).toBe(hash);

  // Every format, and back.
  const context = folder.write('context.json', JSON.stringify(CONTEXT));
  const frame = folder.write('frame.json', JSON.stringify(FRAME));
  const graph = ['query', ...PLACE, ...W, '--format', 'csv'];
  const named = `SELECT (COUNT(*) AS ?n) { GRAPH <${REVIEWS}> { ?s ?p ?o } }`;
  const inGraph = Number((await run([...graph, named], { note: 'a graph' })).split('\r\n')[1]);
  expect(inGraph).toBeGreaterThan(0);
  for (const [file, hasGraphs, ...options] of [
    ['out.nq', true],
    ['out.nq.gz', true],
    ['out.trig', true],
    ['out.nt', false],
    ['out.ttl', false],
    ['out.n3', false],
    ['out.rdf', false],
    ['out.jsonld', true],
    ['compact.jsonld', true, '--context', context],
  ] as const) {
    await run(['export', ...PLACE, ...W, '--output', folder.at(file), ...options], { note: file });
    const back = ['--data', folder.at(`from-${file}`), ...W];
    await run(['import', folder.at(file), ...back, '--create'], { note: file });
    expect(await count(back, `count, from ${file}`), file).toBe(hasGraphs ? TRIPLES : TRIPLES - inGraph);
    // Takes most of the time in a long run.
    if (hasGraphs && GIVEN === undefined) expect(await run(['canonicalize', ...back, '--hash'])).toBe(hash);
  }
  await run(['export', ...PLACE, ...W, '--frame', frame, '--output', folder.at('framed.jsonld')], { note: 'a frame' });
  expect(statSync(folder.at('framed.jsonld')).size).toBeGreaterThan(1000);

  // Changes.
  await run(['fork', 'draft', ...PLACE, ...W]);
  const changed = await run(['update', ...PLACE, '--world', 'draft', UPDATE]);
  expect(changed).toMatch(/^[1-9]\d* quads inserted, [1-9]\d* deleted\n$/);
  const difference = ['diff', ...PLACE, ...W, '--with', 'draft', '--output'];
  await run([...difference, PATCH], { note: 'two worlds' });
  const since = folder.at('full.backup');
  await run(['backup', ...PLACE, '--output', since]);
  await run(['import', PATCH, ...PLACE, ...W], { note: 'RDF Patch' });
  await run([...difference, EMPTY], { note: 'equal worlds' });
  expect(statSync(EMPTY).size).toBeLessThan(1000);
  await run(['backup', '--since', since, ...PLACE, '--output', folder.at('later.backup')], { note: 'since another' });
  await run(['restore', since, folder.at('later.backup'), ...COPY]);
  expect(await run(['check', ...COPY])).toBe('1 namespaces, no problems.\n');
  const updated = await run(['canonicalize', ...PLACE, ...W, '--hash'], { note: 'hash, after changes' });
  expect(await run(['canonicalize', ...COPY, ...W, '--hash'], { note: 'hash, restored' })).toBe(updated);

  // Records and care.
  await run(['worlds', 'create', 'notes', ...PLACE]);
  await run(['worlds', 'update', 'notes', '--label', 'Notes', ...PLACE]);
  expect(await run(['worlds', 'get', 'notes', ...PLACE])).toContain('Notes');
  await run(['worlds', 'delete', 'draft', ...PLACE]);
  expect(await run(['worlds', 'list', ...PLACE, '--format', 'json'])).not.toContain('draft');
  await run(['compact', ...PLACE, '--forget-changes']);
  await run(['check', ...PLACE], { note: 'compacted' });
  await run(['salvage', ...PLACE, '--namespace', 'platform', '--output', folder.at('salvaged.nq')]);
  await run(['completion', 'bash']);
  const script = `${COUNT}\n\n.search filament\n\n.worlds list\n`;
  expect(await run(['shell', ...PLACE, ...W], { input: script })).toContain('filament');
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const message = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  used.add('mcp');
  const mcp = steps.start('`mcp`, until a search is answered', ['mcp', ...COPY]);
  mcp.command.child.stdin!.write(message(0, 'initialize', hello));
  // The first search indexes all texts, and may take longer than a call may.
  for (let id = 1, answer = 'TIMEOUT'; answer.includes('TIMEOUT'); id++) {
    expect(id).toBeLessThan(50);
    mcp.command.child.stdin!.write(message(id, 'tools/call', { name: 'search', arguments: { query: 'filament' } }));
    [answer] = await mcp.command.printed(new RegExp(`^.*"id":${id}\\b.*$`, 'm'));
  }
  expect((await mcp.end(() => {})).stdout).toContain('filament');

  // A server, and a command that follows its directory.
  // Blank nodes that have to be paired need more memory than a server gives one request by default.
  const memory = ['--max-memory-bytes', '4000000000', '--requests-memory-bytes', '8000000000'];
  const serving = ['serve', '--port', '0', '--insecure-no-auth', ...memory, ...PLACE];
  const serve = steps.start('`serve`, until it is stopped', serving);
  used.add('serve');
  const [, url] = await serve.command.printed(/^Listening on (http:.*)$/m);
  const server = ['--url', url];
  await run(['import', DATA, ...server, '--world', 'remote', '--create'], { note: 'to a server' });
  await run(['import', PACKED, ...server, '--world', 'remote'], { note: 'gzip, to a server' });
  await run(['query', ...server, ...W, RATED], { note: 'of a server' });
  await run(['search', ...server, ...W, 'filament'], { note: 'of a server' });
  await run(['update', ...server, '--world', 'remote', UPDATE], { note: 'of a server' });
  await run(['export', ...server, '--world', 'remote', '--output', folder.at('remote.nq')], { note: 'of a server' });
  await run(['diff', ...server, ...W, '--with', 'remote', '--output', PATCH], { note: 'of a server' });
  await run(['backup', ...server, '--output', folder.at('remote.backup')], { note: 'of a server' });
  const followed = ['query', ...PLACE, ...W, '--read-only', '--format', 'csv', COUNT];
  expect(await run(followed, { note: 'beside the server' })).toMatch(/^n\r\n\d+\r\n$/);
  const { code } = await serve.end((command) => command.child.kill('SIGTERM'));
  expect(code).toBe(0);

  expect(COMMANDS.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([]);
});
