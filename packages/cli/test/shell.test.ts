import { readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HISTORY_SIZE, History, historyEntries } from '../src/shell/history.ts';
import { statementOf } from '../src/shell/statement.ts';
import { wordsOf } from '../src/shell/words.ts';
import { runCommand } from './command-process.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();

const EX = { ex: 'http://example.org/' };

describe('statementOf', () => {
  it.each([
    ['SELECT * { ?s ?p ?o }', 'query'],
    ['SELECT * { ?s ex:p ?o } LIMIT 1 # the end', 'query'],
    ['PREFIX ex: <urn:other:> ASK { ?s ex:p ?o }', 'query'],
    ['DESCRIBE ex:a', 'query'],
    ['SELECT ?label { ?s rdfs:label ?label }', 'query'],
    ['INSERT DATA { ex:a ex:p """a\nb""" }', 'update'],
    ['CLEAR ALL', 'update'],
    ['SELECT * { ?s ?p ?o };', 'query'],
    ['SELECT * {\n ?s ?p ?o # all\n} ; # the end', 'query'],
    ['', 'unfinished'],
    ['# nothing yet', 'unfinished'],
    ['PREFIX x: <http://example.org/#>', 'unfinished'],
    ['PREFIX x:', 'unfinished'],
    ['SELECT', 'unfinished'],
    ['SELECT * {', 'unfinished'],
    ['SELECT * { # not yet }', 'unfinished'],
    ['SELECT * { ?s ?p <http://example.org/#x>\n', 'unfinished'],
    ['SELECT * {} LIMIT', 'unfinished'],
    ['DELETE { ?s ?p ?o }', 'unfinished'],
    ['INSERT DATA { ex:a ex:p """a\nb', 'unfinished'],
    ["INSERT DATA { ex:a ex:p '''a\n", 'unfinished'],
    // More is to come, or the `;` would not be there.
    ['INSERT DATA { ex:a ex:p 1 } ;', 'unfinished'],
    ['INSERT DATA { ex:a ex:p 1 } ; # and', 'unfinished'],
    ['SELECT * { ?s ?p ?o ;', 'unfinished'],
    ['SELECT * { ?s ?p ?o } } ;', 'wrong'],
    ['SELECT * { ?s ?p "a }', 'wrong'],
    ['SELECT * { ?s ?p ?o } }', 'wrong'],
    ['SELECT * { ?s nix:p ?o }', 'wrong'],
    ['FOO', 'wrong'],
  ])('%j: %s', async (text, state) => {
    expect((await statementOf(text, EX)).state).toBe(state);
  });

  it('returns lines as they were typed', async () => {
    const statement = await statementOf('SELECT * {\n  ?s nix:p ?o }', EX);
    expect(statement).toMatchObject({ message: expect.stringMatching(/"nix:".*\(line 2, column 6\)$/) });
  });

  it('declares the prefixes of the session, and well-known ones that are used', async () => {
    const statement = await statementOf('SELECT * { ?s a owl:Class }', EX);
    expect(statement).toMatchObject({ prefixes: { ...EX, owl: 'http://www.w3.org/2002/07/owl#' } });
    expect(Object.keys((statement as { prefixes: object }).prefixes)).toHaveLength(2);
    const own = await statementOf('PREFIX ex: <urn:own:> ASK { ?s ex:p 1 }', EX);
    expect(own).toMatchObject({ prefixes: { ex: 'urn:own:' } });
  });
});

describe('wordsOf', () => {
  it.each([
    ['a  b', ['a', 'b']],
    ['search "two words" x', ['search', 'two words', 'x']],
    ['"a \\"b\\" \\\\"', ['a "b" \\']],
    ['\'it is "so"\'', ['it is "so"']],
    ['--label="A B"', ['--label=A B']],
    ['""', ['']],
    ['', []],
  ])('%j', (line, words) => {
    expect(wordsOf(line)).toEqual(words);
  });

  it.each(['a "b', "it's"])('%j: a quote is not closed', (line) => {
    expect(() => wordsOf(line)).toThrow('unclosed quote');
  });
});

describe('history', () => {
  it.each([
    [['ASK {', '  ?s ?p <urn:a#b> # why', '}'], ['ASK { ?s ?p <urn:a#b> }']],
    [['ASK { ?s ?p "#" }'], ['ASK { ?s ?p "#" }']],
    [
      ['INSERT DATA { <urn:a> <urn:b> """one', '', 'two""" }'],
      ['INSERT DATA { <urn:a> <urn:b> """one', 'two""" }'],
    ],
  ])('%j: %j', (lines, entries) => {
    expect(historyEntries(lines)).toEqual(entries);
  });

  it('is a file for its owner, of which the newest entries are read', () => {
    const path = folder.at('state/history');
    const history = new History(path);
    expect(history.entries()).toEqual([]);
    history.add('one');
    history.add('two');
    expect(new History(path).entries()).toEqual(['two', 'one']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    folder.write('state/history', Array.from({ length: 3 * HISTORY_SIZE }, (_, i) => `entry ${i}\n`).join(''));
    const entries = new History(path).entries();
    expect([entries.length, entries[0]]).toEqual([HISTORY_SIZE, `entry ${3 * HISTORY_SIZE - 1}`]);
    expect(readFileSync(path, 'utf8').split('\n').length - 1).toBe(HISTORY_SIZE);
  });

  it('is empty without a file', () => {
    const history = new History(undefined);
    history.add('one');
    expect(history.entries()).toEqual([]);
  });
});

describe('a shell at a pipe', () => {
  const args = () => ['shell', '--load', folder.write('data.ttl', '<urn:a> <urn:p> "x" .')];
  const script = [
    'SELECT ?o {',
    '',
    '  ?s ?p ?o }',
    'LIMIT 5',
    '',
    'INSERT DATA { <urn:b> <urn:p> "y" }',
    '',
    '.format csv',
    'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
  ];

  it('runs text by text and prints nothing else', async () => {
    const { code, stdout, stderr } = await runCommand(args(), { input: script.join('\n') });
    expect([code, stdout, stderr]).toEqual([0, 'o\n---\n"x"\n1 row\n1 quad inserted, 0 deleted\nn\r\n2\r\n', '']);
  });

  it('ends with the first that fails', async () => {
    const wrong = ['ASK { ?s nix:p ?o }', '', ...script].join('\n');
    const { code, stdout, stderr } = await runCommand(args(), { input: wrong });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('"nix:" is not declared');
  });
});
