import { readFileSync } from 'node:fs';
import { Command as Program } from 'commander';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { applyConfigFile, CONFIG } from './config-file.ts';
import { withWordsOf } from './library-words.ts';

/** The function that runs a parsed command. */
export type Action<Row extends Command> = (command: Row, parsed: Program) => Promise<void>;

/**
 * Builds the parser of the command line: the command table as a tree, by the words of the command
 * names.
 */
export function program<Row extends Command>(commands: readonly Row[], act: Action<Row> = runCommand): Program {
  const root = new Program('rdf-worlds')
    .description('Serve RDF worlds, work with a server, and query, convert and search RDF files.')
    .version(version())
    // Lets a value of a command's option look like an option of the program.
    .enablePositionalOptions()
    .exitOverride()
    // The caller prints all errors, the parser's included.
    .configureOutput({ outputError: () => {} })
    .configureHelp({ visibleCommands: leaves, subcommandTerm: fullName })
    .addHelpText('after', '\nrdf-worlds COMMAND --help shows the options of a command.');
  for (const command of commands) add(root, command, act);
  return root;
}

function add<Row extends Command>(root: Program, command: Row, act: Action<Row>): void {
  const { name, summary, operand, options, notes } = command;
  const words = name.split(' ');
  const group = words
    .slice(0, -1)
    .reduce((parent, word) => parent.commands.find((child) => child.name() === word) ?? parent.command(word), root);
  const leaf = group.command(words.at(-1)!).description(summary);
  if (operand !== undefined) leaf.argument(operand);
  for (const option of options) leaf.addOption(option);
  if (notes) leaf.addHelpText('after', `\n${notes.join('\n')}`);
  leaf.action(() => act(command, leaf));
}

async function runCommand(command: Command, parsed: Program): Promise<void> {
  const hasConfig = parsed.options.some((option) => option.name() === CONFIG);
  const config: unknown = hasConfig && parsed.getOptionValue(CONFIG);
  if (typeof config === 'string' && config !== '') await applyConfigFile(parsed, config);
  const given = Arguments.of(parsed);
  await withWordsOf(given, () => command.run(given));
}

/** Returns the runnable commands; the help overview lists those inside groups, too. */
function leaves(command: Program): Program[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : child));
}

/** Returns the full name of a command, without the program's name. */
function fullName(command: Program): string {
  const { parent } = command;
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name();
}

function version(): string {
  // The path is the same from `src` and from `dist`.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
