import { describe, expect, it } from 'vitest';
import { callCommand } from './command-call.ts';

// Mistakes on the command line: the exit code, and what the message must name.

const MISTAKES: readonly [args: readonly string[], code: number, ...names: string[]][] = [
  [[], 2, 'command is missing', '--help'],
  [['qurey', 'ASK {}'], 2, 'qurey', '--help'],
  [['query'], 2, '--help'],
  [['query', '--lode', 'a.ttl', 'ASK {}'], 2, '--lode', '--load'],
  [['query', 'SELECT', '*', '{}'], 2, 'Quote texts'],
  [['query', 'ASK {}'], 2, 'no data', '--load FILE'],
  [['query', '--load', '/nowhere/a.ttl', 'ASK {}'], 1, '/nowhere/a.ttl'],
  [['query', '--format', 'excel', 'ASK {}'], 2, 'excel'],
  [['serve', '--port', 'abc'], 2, 'abc'],
];

describe('mistakes on the command line', () => {
  it.each(MISTAKES)('rdf-worlds %j exits with %i', async (args, code, ...names) => {
    const { code: found, stderr } = await callCommand(args);
    expect(found, stderr).toBe(code);
    expect(stderr).not.toMatch(/TypeError|ReferenceError|RangeError|Cannot read prop|is not a function/);
    for (const name of names) expect(stderr).toContain(name);
  });
});
