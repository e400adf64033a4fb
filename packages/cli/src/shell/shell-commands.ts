import { readFile } from 'node:fs/promises';
import { answerTypesOf } from '../format-name.ts';
import { WELL_KNOWN_PREFIXES } from '../prefixes.ts';
import { textTable } from '../text-table.ts';
import { UsageError } from '../usage-error.ts';
import { worldName, worldPath } from '../world-name.ts';
import type { ShellSession } from './shell-session.ts';

/** A command that exists only in the shell. */
export interface ShellCommand {
  /** Without the leading dot. */
  readonly name: string;
  /** The operands, for the help text. */
  readonly operands: string;
  readonly summary: string;
  /** Whether the operand is SPARQL text, which is not split into words. */
  readonly isText?: boolean;
  /** @param rest the operands as typed; `words` are the same, split */
  run(shell: ShellSession, words: readonly string[], rest: string): void | Promise<void>;
}

/** The shell's own commands, in addition to those on worlds. To add one, add a row. */
export const SHELL_COMMANDS: readonly ShellCommand[] = [
  {
    name: 'help',
    operands: '[COMMAND]',
    summary: 'List all commands, or the options of one command.',
    run: (shell, words) => (words.length > 0 ? shell.command([...words, '--help']) : overview(shell)),
  },
  {
    name: 'use',
    operands: 'WORLD',
    summary: 'Select the world for later input; * selects all worlds of the namespace.',
    async run(shell, [name, ...more]) {
      if (name === undefined || more.length > 0) throw new UsageError('.use takes one world, or * for all.');
      if (name === '*') {
        shell.world = undefined;
        return;
      }
      const world = worldName(name, name.includes('/') ? undefined : shell.namespace);
      const answer = await shell.service.send(worldPath(world));
      await answer.body?.cancel();
      shell.world = world;
    },
  },
  {
    name: 'prefix',
    operands: 'NAME: <IRI>',
    summary: 'Declare a prefix for later input.',
    run(shell, [name, iri, ...more]) {
      const namespace = /^<([^<>"{}|^`\\\s]*)>$/.exec(iri ?? '')?.[1];
      if (!name?.endsWith(':') || namespace === undefined || more.length > 0) {
        throw new UsageError('expected a prefix such as .prefix ex: <http://example.org/>');
      }
      shell.prefixes = { ...shell.prefixes, [name.slice(0, -1)]: namespace };
    },
  },
  {
    name: 'prefixes',
    operands: '',
    summary: 'List the prefixes that need no declaration.',
    run(shell) {
      const known = Object.entries({ ...WELL_KNOWN_PREFIXES, ...shell.prefixes }).sort(([one], [other]) =>
        one < other ? -1 : 1,
      );
      for (const [prefix, namespace] of known) process.stdout.write(`${prefix}: <${namespace}>\n`);
    },
  },
  {
    name: 'format',
    operands: 'FORMAT',
    summary: 'Set the format of query results: table, json, csv, ttl and so on.',
    run(shell, [format, ...more]) {
      if (format === undefined || more.length > 0) throw new UsageError('.format takes one format, or table.');
      if (format !== 'table') answerTypesOf(format);
      shell.format = format === 'table' ? undefined : format;
    },
  },
  {
    name: 'explain',
    operands: 'TEXT',
    isText: true,
    summary: 'Show how a query or update would be evaluated.',
    run: (shell, _words, text) => shell.explain(text, []),
  },
  {
    name: 'analyze',
    operands: 'TEXT',
    isText: true,
    summary: 'Run a query, and show rows, time and memory of each operator instead of the result.',
    run: (shell, _words, text) => shell.explain(text, ['--analyze']),
  },
  {
    name: 'read',
    operands: 'FILE',
    summary: 'Run the query or update of a file.',
    async run(shell, [file, ...more]) {
      if (file === undefined || more.length > 0) throw new UsageError('.read takes one file.');
      await shell.statement(await readFile(file, 'utf8'));
    },
  },
  { name: 'exit', operands: '', summary: 'Exit, as Ctrl+D does.', run: (shell) => shell.exit() },
];

const SPARQL_COMMANDS = ['query', 'update', 'explain'];

function overview({ commands }: ShellSession): void {
  const rows = [
    ...SHELL_COMMANDS.map(({ name, operands, summary }) => [`.${name} ${operands}`, summary]),
    // Commands that only wrap SPARQL are omitted: the shell itself takes SPARQL.
    ...commands
      .filter(({ name }) => !SPARQL_COMMANDS.includes(name))
      .map(({ name, operand = '', summary }) => [`.${name} ${operand}`, summary]),
  ];
  process.stdout.write(textTable(['command', 'does'], rows));
  process.stdout.write(
    'Everything else is SPARQL. Enter runs it when it is complete; an empty line runs it anyway. Tab completes, Ctrl+C stops, and the arrow keys recall earlier input.\n',
  );
}
