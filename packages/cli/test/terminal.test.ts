import { readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { TemporaryFolder } from './temporary-folder.ts';
import { Terminal } from './terminal.ts';

const DATA = `@prefix ex: <http://example.org/> .
ex:ada a ex:Person ; ex:name "Ada" ; ex:knows ex:bob .
ex:bob a ex:Person ; ex:name "Bob" ; ex:note "A note that is much longer than any terminal is wide, so that it has to be cut somewhere" .
`;

const folder = new TemporaryFolder();
let terminal: Terminal | undefined;
afterEach(() => terminal?.kill());

async function openShell(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<Terminal> {
  terminal = new Terminal(['shell', '--load', folder.write('people.ttl', DATA), ...more], { env });
  await terminal.shows('data> ');
  return terminal;
}

describe('the shell', { timeout: 300_000 }, () => {
  it('runs a text when it is complete, over several lines, and knows its prefixes from then on', async () => {
    const shell = await openShell();
    shell.type('PREFIX ex: <http://example.org/>\r');
    await shell.shows('...> ');
    shell.type('SELECT ?name {\r');
    await shell.shows('...> ');
    shell.type('?s ex:name ?name } ORDER BY ?name\r');
    expect(await shell.shows('2 rows')).toContain('"Ada"\n"Bob"\n');
    await shell.shows('data> ');
    shell.type('ASK { ex:ada ex:knows ex:bob }\r');
    await shell.shows('true');
    await shell.shows('data> ');
    shell.type('INSERT DATA { ex:cy ex:name "Cy" }\r');
    await shell.shows('1 quad inserted, 0 deleted');
    await shell.shows('data> ');
    shell.type('.exit\r');
    expect(await shell.ended()).toBe(0);
  });

  it('treats a pasted text as one, and cuts coloured tables to the width of the terminal', async () => {
    const shell = await openShell();
    shell.type('PREFIX ex: <http://example.org/>\rSELECT * { ?s ex:note ?o }\r\rLIMIT 10\r');
    const table = await shell.shows('1 row\n');
    for (const line of table.split('\n').filter((line) => line.includes(' | '))) expect(line.length).toBeLessThan(81);
    expect(table).toContain('ex:bob | "A note that is much longer');
    expect(table).toContain('…');
    expect(shell.output).toContain('\u001b[36mex:bob\u001b[39m');
  });

  it('reports what is wrong and where, and continues', async () => {
    const shell = await openShell();
    shell.type('SELECT * {\r');
    await shell.shows('...> ');
    shell.type('?s nix:p ?o }\r');
    await shell.shows('The prefix "nix:" is not declared');
    await shell.shows('(line 2, column 4)');
    await shell.shows('data> ');
    // An empty line says that it is enough.
    shell.type('SELECT\r');
    await shell.shows('...> ');
    shell.type('\r');
    await shell.shows('the end of the text');
    await shell.shows('data> ');
    shell.type('.use nowhere\r');
    await shell.shows('nowhere');
    await shell.shows('data> ');
    shell.type('.nothing\r');
    await shell.shows('unknown command');
    await shell.shows('data> ');
    shell.type('.search ada --url http://localhost\r');
    await shell.shows('this cannot be changed inside the shell');
    await shell.shows('data> ');
    shell.type('\x04');
    expect(await shell.ended()).toBe(0);
  });

  it('completes keywords, variables, names of the world, commands and files', async () => {
    const shell = await openShell();
    shell.type('.prefix ex: <http://example.org/>\r');
    await shell.shows('data> ');
    shell.type('SEL\t');
    await shell.shows('SELECT');
    shell.type(' ?person { ?per\t');
    await shell.shows('{ ?person');
    shell.type(' ex:kn\t');
    await shell.shows('ex:knows');
    shell.type(' ?o }\r');
    await shell.shows('1 row');
    await shell.shows('data> ');
    shell.type('.worlds li\t');
    await shell.shows('.worlds list');
    shell.type('\r');
    await shell.shows('default/data');
    await shell.shows('data> ');
    shell.type('.pref\t');
    await shell.shows('.prefix');
    // Once more lists what there is. What comes together is pasted, and means itself.
    shell.type('\t');
    await shell.shows('.prefixes');
  });

  it('cancels the query or the input at Ctrl+C, but does not exit', async () => {
    const shell = await openShell();
    const chain = Array.from({ length: 12 }, (_, i) => `?a${i} ?b${i} ?c${i} .`).join(' ');
    shell.type(`SELECT (COUNT(*) AS ?n) { ${chain} FILTER(CONCAT(STR(?a0), STR(?a11)) = "x") }\r`);
    // Echoed: the query is under way, or soon will be.
    await shell.shows('"x") }');
    await shell.shows('Stopped.', '\x03');
    await shell.shows('data> ');
    shell.type('SELECT * {\r');
    await shell.shows('...> ');
    shell.type('never\x03');
    await shell.shows('data> ');
    shell.type('ASK { ?s ?p ?o }\r');
    await shell.shows('true');
    await shell.shows('data> ');
    shell.type('\x03');
    await shell.shows('Ctrl+D ends');
  });

  it('stores the history for the next shell, with a text of several lines as one entry', async () => {
    const history = folder.at('state/history');
    const shell = await openShell([], { RDF_WORLDS_HISTORY: history });
    shell.type('ASK { # a comment\r');
    await shell.shows('...> ');
    shell.type('?s ?p "Ada" }\r');
    await shell.shows('true');
    await shell.shows('data> ');
    shell.type('.prefixes\r');
    await shell.shows('data> ');
    shell.type('.exit\r');
    await shell.ended();
    expect(await readFile(history, 'utf8')).toBe('ASK { ?s ?p "Ada" }\n.prefixes\n.exit\n');
    const next = await openShell([], { RDF_WORLDS_HISTORY: history });
    next.type('\x1b[A\x1b[A\x1b[A\r');
    await next.shows('ASK { ?s ?p "Ada" }');
    await next.shows('true');
  });

  it('continues without a history that cannot be saved, and says so', async () => {
    const history = `${folder.write('a-file', '')}/history`;
    terminal = new Terminal(['shell', '--load', folder.write('people.ttl', DATA)], {
      env: { RDF_WORLDS_HISTORY: history },
    });
    await terminal.shows('The history cannot be read');
    await terminal.shows('data> ');
    terminal.type('ASK { ?s ?p ?o }\r');
    await terminal.shows('true');
  });

  it('explains with its prefixes, writes in another format, reads files, and lists its commands', async () => {
    const shell = await openShell();
    shell.type('.prefix ex: <http://example.org/>\r');
    await shell.shows('data> ');
    shell.type('.analyze SELECT * { ?s ex:name "Ada" }\r');
    await shell.shows('ms');
    await shell.shows('data> ');
    shell.type('.format csv\r');
    await shell.shows('data> ');
    shell.type(`.read ${folder.write('q.rq', 'SELECT ?s {\n\n?s ex:name "Ada" }\n')}\r`);
    await shell.shows('http://example.org/ada');
    await shell.shows('data> ');
    shell.type('.help\r');
    await shell.shows('.use WORLD');
    await shell.shows('.import <FILE...>');
    await shell.shows('data> ');
    shell.type('.help search\r');
    await shell.shows('--limit <N>');
    await shell.shows('data> ');
  });
});

describe('progress', { timeout: 300_000 }, () => {
  it('is drawn at a terminal, with rate and time left, and taken away', async () => {
    const lines = Array.from({ length: 60_000 }, (_, i) => `<urn:s${i}> <urn:p${i % 7}> "value ${i}" .`);
    const path = folder.write('large.nt', lines.join('\n'));
    terminal = new Terminal(['query', '--load', path, 'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }']);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.output).toMatch(/large\.nt \[#*\.*\] \d+ % of \d\.\d MB, \d+\.\d MB\/s/);
    await terminal.shows('60000');
  });

  it('gives the terminal back at Ctrl+C', async () => {
    const lines = Array.from({ length: 400_000 }, (_, i) => `<urn:s${i}> <urn:p${i % 7}> "value ${i}" .`);
    const path = folder.write('large.nt', lines.join('\n'));
    terminal = new Terminal(['query', '--load', path, 'ASK { ?s ?p ?o }']);
    await terminal.shows('MB/s');
    terminal.type('\x03');
    expect(await terminal.ended()).toBe(128 + constants.signals.SIGINT);
    // What was switched off is on again: the cursor, and the wrapping of lines.
    const last = (mode: string) => terminal!.output.split(`\u001b[?${mode}`).slice(1).at(-1)?.[0] ?? 'h';
    expect([last('25'), last('7')]).toEqual(['h', 'h']);
  });
});
