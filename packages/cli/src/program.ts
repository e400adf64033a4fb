import { readFileSync } from 'node:fs';
import { Command as Program } from 'commander';
import { Arguments } from './arguments.ts';
import type { Command } from './command.ts';
import { applyConfigFile, CONFIG } from './config-file.ts';

/** What is done with a command line that has been parsed. */
export type Action<Row extends Command> = (command: Row, parsed: Program) => Promise<void>;

/**
 * The command line as its parser sees it: the table of commands, in a tree by the words of their
 * names.
 */
export function program<Row extends Command>(commands: readonly Row[], act: Action<Row> = runCommand): Program {
  const root = new Program('rdf-worlds')
    .description('Serve worlds of RDF, work with a server, and query, convert and search files.')
    .version(version())
    // What an option of the program looks like may be the value of a command's own.
    .enablePositionalOptions()
    .exitOverride()
    // Whoever runs the program prints what went wrong, ours and the parser's alike.
    .configureOutput({ outputError: () => {} })
    .configureHelp({ visibleCommands: leaves, subcommandTerm: fullName })
    .addHelpText('after', '\nrdf-worlds COMMAND --help tells the options of a command.');
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
  await command.run(Arguments.of(parsed));
}

/** The commands that do something: an overview shows those of groups too. */
function leaves(command: Program): Program[] {
  return command.commands.flatMap((child) => (child.commands.length > 0 ? leaves(child) : child));
}

/** The name of a command below the program. */
function fullName(command: Program): string {
  const { parent } = command;
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name();
}

function version(): string {
  // Beside `src` and beside `dist`.
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}
