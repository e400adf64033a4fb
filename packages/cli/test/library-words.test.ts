import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_REQUEST_LIMITS } from '@rdf-worlds/core';
import { DEFAULT_LIMITS } from '@rdf-worlds/http';
import { describe, expect, it } from 'vitest';
import { ROOT, sourceFiles } from '../../../test/source-imports.ts';
import { Arguments } from '../src/arguments.ts';
import { COMMANDS } from '../src/commands.ts';
import { inWordsOf } from '../src/library-words.ts';
import { program } from '../src/program.ts';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const GOOD = folder.write('good.ttl', '<urn:a> <urn:p> "1", "2", "3" .');
const RELATIVE = folder.write('relative.ttl', '<a> <urn:p> 1 .');
const CONTEXT = folder.write('context.jsonld', '{ "@context": { "name": "urn:p" } }');
const DIRECTED = folder.write('directed.jsonld', '{ "@id": "urn:s", "urn:p": { "@value": "x", "@direction": "rtl" } }');
const DATA = ['--data', folder.at('data')];
const WORLD = ['--world', 'w', ...DATA];
const ALL = 'SELECT * { ?s ?p ?o }';

/** Names of the API, which no message of the command may have. */
const API_NAME = /\b(?:[a-z]+(?:[A-Z][a-z]+)+|engine\.\w+|WorldsEngine)\b/;

/** A command line that fails, or prints a note; and the flag that it must name. */
const CALLS: readonly (readonly [args: readonly string[], flag: string])[] = [
  [['query', '--load', GOOD, ALL, '--max-rows', '1'], 'raise --max-rows'],
  [['query', '--load', GOOD, `${ALL} ORDER BY ?o`, '--max-memory-bytes', '1'], 'raise --max-memory-bytes'],
  [['query', '--load', GOOD, 'SELECT * { { { ?s ?p ?o } } }', '--max-nesting', '2'], 'limit --max-nesting'],
  [['query', '--load', GOOD, ALL, '--worlds-memory-bytes', '1'], 'the 1 of --worlds-memory-bytes'],
  [['query', '--load', RELATIVE, ALL], 'pass --base-iri'],
  [['validate', RELATIVE], 'pass --base-iri'],
  [['validate', DIRECTED], '--rdf-direction'],
  [['import', '--create', ...WORLD, GOOD, DIRECTED], 'pass --rdf-direction'],
  [['import', ...WORLD, RELATIVE], 'pass --base-iri'],
  [['import', ...WORLD, GOOD, '--base-iri', 'x'], '--base-iri: expected'],
  [['import', ...WORLD, GOOD, '--graph', 'x'], '--graph: expected'],
  [['canonicalize', ...WORLD, '--graph', 'x'], '--graph: expected'],
  [['worlds', 'create', 'w', ...DATA], 'choose another slug, or use that world.'],
  [['export', ...WORLD, '--at', '0'], '--history-ms'],
  [['export', ...WORLD, '--format', 'ttl', '--context', CONTEXT], '--context: only JSON-LD'],
  [['export', ...WORLD, '--format', 'ttl', '--frame', CONTEXT], 'pass --format application/ld+json'],
  [['query', ...WORLD, 'CLEAR ALL'], 'rdf-worlds update'],
];

it.each(CALLS)('%j names %s', async (args, flag) => {
  const { stdout, stderr } = await callCommand(args);
  expect(stdout + stderr).toContain(flag);
  expect((stdout + stderr).replaceAll(folder.at(''), '')).not.toMatch(API_NAME);
});

/** Returns the arguments of a command line, as the command gets them. */
async function parsed(...args: readonly string[]): Promise<Arguments> {
  let given!: Arguments;
  await program(COMMANDS, async (_, command) => {
    given = Arguments.of(command);
  }).parseAsync(args, { from: 'user' });
  return given;
}

describe('messages of the library that name its options', () => {
  it('name the option of the server if the command works with one', async () => {
    const words = inWordsOf(await parsed('query', '--url', 'http://127.0.0.1:1', ALL));
    expect(words('add a LIMIT, or raise maxRows.')).toBe('add a LIMIT, or raise --max-rows of rdf-worlds serve.');
    expect(words('maxUploads: too many')).toBe('--max-uploads of rdf-worlds serve: too many');
  });

  it('name every limit by its flag', async () => {
    const words = inWordsOf(await parsed('query', ALL));
    for (const name of Object.keys({ ...DEFAULT_REQUEST_LIMITS, ...DEFAULT_LIMITS }))
      expect(words(`exceeds ${name} = 5`)).toMatch(/^exceeds --[a-z-]+(?: of rdf-worlds serve)? = 5$/);
  });

  it('leave other texts as they are', async () => {
    const words = inWordsOf(await parsed('query', ALL));
    const text = 'Invalid Turtle: the prefix timeout: is not declared (line 1, column 1)';
    expect(words(text)).toBe(text);
  });

  /** Advice in messages that commands do not reach, with the reason. */
  const NOT_REACHED: readonly (readonly [advice: string, reason: string])[] = [
    ['pass contentType if', 'the command names the type of every document'],
    ['with keepMs, keepRevisions', 'the flags are checked by their own parsers'],
    ['pass keepMs, keepRevisions', 'the flags are checked by their own parsers'],
    ['without a history, omit', 'the flags are checked by their own parsers'],
    ['with embedDocuments', 'the command has no such embedder'],
    ['set nextContext', 'not a message'],
    ['pass remoteContexts({ allow', 'the command makes the loader'],
    ['with readOnly: pass one', '--take-over with --read-only is refused before'],
    ['with byNamespace', 'the help of a metric'],
  ];

  it('have a row for every advice that the packages give', async () => {
    const words = inWordsOf(await parsed('query', ALL));
    const advice =
      /(?:\b(?:raise|pass|set|give|omit|open|without|another|option|with|Call)) (?:a |the |the option |an |engine\.)*(?:[a-z]+[A-Z][A-Za-z]+|history\b)/;
    const found = ['core', 'http', 'storage-file', 'storage-postgres'].flatMap((name) =>
      sourceFiles(`packages/${name}/src`).flatMap((file) =>
        readFileSync(join(ROOT, file), 'utf8')
          .split('\n')
          .filter((line) => advice.test(line) && !/^\s*(?:\*|\/)/.test(line))
          .map((line) => line.trim().replaceAll(/"?\$\{[^}]*\}"?/g, '"X"')),
      ),
    );
    expect(found.length).toBeGreaterThan(15);
    const missed = found.filter(
      (line) => !NOT_REACHED.some(([known]) => line.includes(known)) && advice.test(words(line)),
    );
    expect(missed).toEqual([]);
    // A reason that is out of date goes.
    expect(NOT_REACHED.filter(([known]) => !found.some((line) => line.includes(known)))).toEqual([]);
  });
});
