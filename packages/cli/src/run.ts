import { readFile } from 'node:fs/promises';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, overview } from './help.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const WRONG_USAGE = 2;

/** Runs one command line, without the program's name. The answer is the exit code; the reason of a failure is on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await dispatch(args);
    return 0;
  } catch (error) {
    // Whoever read our output has enough of it: `rdf-worlds export ... | head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    const isUsage = error instanceof UsageError;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`rdf-worlds: ${message}\n${isUsage ? 'See rdf-worlds --help.\n' : ''}`);
    return isUsage ? WRONG_USAGE : FAILED;
  }
}

async function dispatch(args: readonly string[]): Promise<void> {
  if (args[0] === '--help' || args[0] === 'help') return print(overview(COMMANDS));
  if (args[0] === '--version') return print(`${await version()}\n`);
  const { command, rest } = find(args);
  const given = Arguments.parse(command, rest);
  if (given.flag('help')) return print(commandHelp(command));
  await command.run(given);
}

function find(args: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = args.length >= words ? COMMANDS.find((row) => row.name === name) : undefined;
    if (command) return { command, rest: args.slice(words) };
  }
  if (args.length === 0) throw new UsageError(`a command is missing: ${COMMANDS.map(({ name }) => name).join(', ')}.`);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${args[0]} `)).map(({ name }) => name);
  if (group.length > 0) throw new UsageError(`${args[0]} needs one more word: ${group.join(', ')}.`);
  throw new UsageError(
    `there is no command ${JSON.stringify(args[0])}; there are ${COMMANDS.map(({ name }) => name).join(', ')}.`,
  );
}

function print(text: string): void {
  process.stdout.write(text);
}

async function version(): Promise<string> {
  // Beside `src` and beside `dist`.
  return JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')).version;
}
