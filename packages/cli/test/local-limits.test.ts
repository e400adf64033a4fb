import { DEFAULT_REQUEST_LIMITS, MemoryPool } from '@rdf-worlds/core';
import { processMemoryPool } from '@rdf-worlds/core/internal';
import { expect, it } from 'vitest';
import { Arguments } from '../src/arguments.ts';
import { COMMANDS } from '../src/commands.ts';
import { localLimits } from '../src/local-limits.ts';
import { program } from '../src/program.ts';
import { callCommand } from './command-call.ts';
import { TemporaryFolder } from './temporary-folder.ts';

const folder = new TemporaryFolder();
const DATA = folder.write('data.ttl', '<urn:a> <urn:p> "1", "2", "3"@en-latn .');
const LOADED = ['--load', DATA];
const ALL = 'SELECT * { ?s ?p ?o }';
const PRODUCT = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c';

// 3 ** 40 rows, of which a condition on all variables finds none.
const NUMBERS = Array.from({ length: 40 }, (_, i) => i);
const ENDLESS = `ASK { ${NUMBERS.map((i) => `?s${i} ?p${i} ?o${i} .`).join(' ')} FILTER(CONCAT(${NUMBERS.map((i) => `STR(?s${i})`)}) = "") }`;

/** Returns the arguments of a command line, as the command gets them. */
async function parsed(...args: readonly string[]): Promise<Arguments> {
  let given!: Arguments;
  await program(COMMANDS, async (_, command) => {
    given = Arguments.of(command);
  }).parseAsync(args, { from: 'user' });
  return given;
}

/** A command line, and what its error must name. */
const EXCEEDED: readonly [args: readonly string[], ...names: string[]][] = [
  [['query', ...LOADED, ALL, '--max-rows', '2'], 'more than 2 rows'],
  [['query', ...LOADED, PRODUCT, '--max-memory-bytes', '1000'], 'more than 1000 bytes'],
  [['query', ...LOADED, ENDLESS, '--timeout-ms', '1'], 'time limit of 1 ms'],
  [['query', ...LOADED, ALL, '--worlds-memory-bytes', '1000'], 'more than the 1000'],
  [['query', ...LOADED, 'SELECT * { { { ?s ?p ?o } } }', '--max-nesting', '2'], '2 (levels'],
  [['validate', DATA, '--max-language-tag-length', '2'], 'language tag'],
  [['canonicalize', ...LOADED, '--max-memory-bytes', '1'], 'more than 1 bytes'],
  [
    ['import', DATA, '--create', '--world', 'w', '--data', folder.at('d'), '--max-language-tag-length', '2'],
    'language tag',
  ],
];

it.each(EXCEEDED)('%j ends at the limit', async (args, ...names) => {
  const { code, stdout, stderr } = await callCommand(args);
  expect(code, stderr).toBe(1);
  for (const name of names) expect(stdout + stderr).toContain(name);
});

it('has no limits on rows, time and memory of a request by default, and those of the library on texts', async () => {
  const { work, engine } = localLimits(await parsed('query', ALL));
  expect(work).toEqual({});
  expect(engine.limits).toEqual({});
  expect((await callCommand(['query', ...LOADED, PRODUCT])).code).toBe(0);
});

it('every limit of the library on texts and documents has a flag', async () => {
  const given = await parsed('query', ALL, ...Object.keys(DEFAULT_REQUEST_LIMITS).flatMap(flagWithFive));
  expect(localLimits(given).engine.limits).toEqual(
    Object.fromEntries(Object.keys(DEFAULT_REQUEST_LIMITS).map((name) => [name, 5])),
  );
});

function flagWithFive(name: string): readonly string[] {
  return [`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, '5'];
}

it('--max-memory-bytes above the pool of the process enlarges the pool', async () => {
  const small = localLimits(await parsed('query', ALL, '--max-memory-bytes', '1000'));
  expect(small.engine.memoryPool).toBeUndefined();
  const bytes = processMemoryPool().maxBytes + 1;
  const large = localLimits(await parsed('query', ALL, '--max-memory-bytes', `${bytes}`));
  expect(large.engine.memoryPool).toBeInstanceOf(MemoryPool);
  expect(large.engine.memoryPool?.maxBytes).toBe(bytes);
});

it('refuses limits that a server would ignore', async () => {
  const { code, stderr } = await callCommand(['query', '--url', 'http://127.0.0.1:1', ALL, '--max-rows', '2']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/--max-rows would have no effect.*rdf-worlds serve/)]);
});

it('opens a directory within --worlds-memory-bytes', async () => {
  const at = ['--data', folder.at('small')];
  expect(await callCommand(['import', DATA, '--create', '--world', 'w', ...at])).toMatchObject({ code: 0 });
  const { code, stdout } = await callCommand(['check', ...at, '--worlds-memory-bytes', '10']);
  expect([code, stdout]).toEqual([1, expect.stringContaining('more than the 10')]);
});
