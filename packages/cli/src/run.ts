import { CommanderError } from 'commander';
import { COMMANDS } from './commands.ts';
import { program } from './program.ts';
import { UsageError } from './usage-error.ts';

const FAILED = 1;
const WRONG_USAGE = 2;
/** What the parser says of these is not what one should do. */
const ADVICE = new Map([['commander.excessArguments', 'Quote a text that has spaces.']]);

/**
 * Runs one command line, without the program's name. The answer is the exit code; the reason of a
 * failure is on standard error.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await program(COMMANDS).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Whoever read our output has enough of it: `rdf-worlds export ... | head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 0;
    if (error instanceof CommanderError) return parserEnded(error);
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof UsageError) return wrongUsage(message);
    process.stderr.write(`rdf-worlds: ${message}\n`);
    return FAILED;
  }
}

/** The parser ends the program for help and version too. */
function parserEnded({ code, exitCode, message }: CommanderError): number {
  if (exitCode === 0) return 0;
  // It has printed the help, and says nothing itself.
  if (code === 'commander.help') return wrongUsage('a command is missing.');
  return wrongUsage([message.replace(/^error: /, ''), ADVICE.get(code)].filter(Boolean).join(' '));
}

function wrongUsage(message: string): number {
  process.stderr.write(`rdf-worlds: ${message}\nSee rdf-worlds --help.\n`);
  return WRONG_USAGE;
}
