import { CommanderError } from 'commander';
import { COMMANDS } from './commands.ts';
import { program } from './program.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const WRONG_USAGE = 2;
/** Advice for parser errors whose message does not say what to do. */
const ADVICE = new Map([['commander.excessArguments', 'Quote texts that contain spaces, and pass files with --load.']]);

/**
 * Runs one command line, without the program's name. Returns the exit code and prints errors to
 * standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program(COMMANDS).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // The reader closed the pipe, as in `rdf-worlds export ... | head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    if (error instanceof CommanderError) return parserEnded(error);
    const message = messageOf(error);
    if (error instanceof UsageError) return wrongUsage(message);
    process.stderr.write(`rdf-worlds: ${message}\n`);
    return FAILED;
  }
}

/** What the errors of files mean; their own messages begin with the name of a system call. */
const OF_FILES = new Map([
  ['ENOENT', 'no such file or directory; check the path.'],
  ['EISDIR', 'it is a directory; name a file.'],
  ['ENOTDIR', 'a part of the path is a file; check the path.'],
  ['EACCES', 'permission denied.'],
  ['ENOSPC', 'no space is left on the device.'],
]);

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path, message } = error as NodeJS.ErrnoException;
  const meaning = OF_FILES.get(code ?? '');
  return meaning === undefined || path === undefined ? message : `${path}: ${meaning}`;
}

/** Handles the parser's exits, which include help and version. */
function parserEnded({ code, exitCode, message }: CommanderError): number {
  if (exitCode === 0) return 0;
  // The parser has printed the help, but no message.
  if (code === 'commander.help') return wrongUsage('a command is missing.');
  return wrongUsage([message.replace(/^error: /, ''), ADVICE.get(code)].filter(Boolean).join(' '));
}

function wrongUsage(message: string): number {
  process.stderr.write(`rdf-worlds: ${message}\nSee rdf-worlds --help.\n`);
  return WRONG_USAGE;
}
