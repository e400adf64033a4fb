import { RDF_FORMATS, RESULT_FORMATS } from '@rdf-worlds/core';
import type { Option } from 'commander';
import type { Command } from './command.ts';

/** The candidates for a position on a command line, as system shells complete them. */
type Candidates = 'files' | 'directories' | 'any' | readonly string[];

interface CompletedOption {
  /** With its leading dashes. */
  readonly flag: string;
  readonly summary: string;
  /** The candidates for its value; undefined for a flag. */
  readonly value: Candidates | undefined;
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  readonly operands: Candidates;
}

/** The supported system shells. To add one, add a row. */
const WRITERS: Readonly<Record<string, (program: string, commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: (program, commands) =>
    `#compdef ${program}\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(program, commands)}`,
  fish: fishScript,
};

export const COMPLETED_SHELLS: readonly string[] = Object.keys(WRITERS);

/** The candidates for each metavariable. */
const VALUES: Readonly<Record<string, Candidates>> = {
  FILE: 'files',
  DIR: 'directories',
  SHELL: COMPLETED_SHELLS,
  FORMAT: [...new Set([...RESULT_FORMATS, ...RDF_FORMATS].flatMap(({ extensions }) => extensions))],
};

/** Returns the completion script for a system shell, generated from the command table. */
export function completionScript(shell: string, program: string, commands: readonly Command[]): string {
  return WRITERS[shell](program, commands.map(completed));
}

function completed({ name, summary, options, operand }: Command): CompletedCommand {
  return {
    name,
    summary,
    options: options.map((option) => ({
      flag: option.long!,
      summary: option.description,
      value: option.isBoolean() ? undefined : candidatesOf(option),
    })),
    operands: VALUES[metavariable(operand)] ?? 'any',
  };
}

function candidatesOf({ argChoices, flags }: Option): Candidates {
  return argChoices ?? VALUES[metavariable(flags)] ?? 'any';
}

/** Returns the metavariable, such as `FILE`, of `--load <FILE>` or `<FILE...>`. */
function metavariable(text = ''): string {
  return /[<[](\w+)/.exec(text)?.[1] ?? '';
}

function bashScript(program: string, commands: readonly CompletedCommand[]): string {
  const name = `_${program.replaceAll('-', '_')}`;
  const groups = byFirstWord(commands);
  const seconds = [...groups].filter(([, rows]) => rows[0].name.includes(' '));
  const cases = commands.flatMap(({ name, options, operands }) => [
    ...options.flatMap(({ flag, value }) => (value ? [`    ${quoted(`${name}|${flag}`)}) ${reply(value)} ;;`] : [])),
    `    ${quoted(`${name}|`)}*)`,
    `      if [[ $cur == -* ]]; then ${reply(options.map(({ flag }) => flag))}; else ${reply(operands)}; fi ;;`,
  ]);
  return `${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [[ $COMP_CWORD == 1 ]]; then ${reply([...groups.keys()])}; return; fi
${seconds
  .map(
    ([group, rows]) => `  if [[ $command == ${group} ]]; then
    if [[ $COMP_CWORD == 2 ]]; then ${reply(rows.map((row) => row.name.slice(group.length + 1)))}; return; fi
    command="${group} \${COMP_WORDS[2]}"
  fi
`,
  )
  .join('')}  case "$command|$prev" in
${cases.join('\n')}
  esac
}
complete -o filenames -F ${name} ${program}
`;
}

/** Groups commands with two-word names by the first word. */
function byFirstWord(commands: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  const groups = new Map<string, CompletedCommand[]>();
  for (const command of commands) {
    const [word] = command.name.split(' ');
    groups.set(word, [...(groups.get(word) ?? []), command]);
  }
  return groups;
}

/** Returns the bash statement that offers the candidates. */
function reply(candidates: Candidates): string {
  if (candidates === 'any') return ':';
  const source =
    candidates === 'files' ? '-f' : candidates === 'directories' ? '-d' : `-W ${quoted(candidates.join(' '))}`;
  // IFS splits at newlines only, because names may contain spaces.
  return `local IFS=$'\\n'; COMPREPLY=($(IFS=$' \\n'; compgen ${source} -- "$cur"))`;
}

function fishScript(program: string, commands: readonly CompletedCommand[]): string {
  const lines = [`complete -c ${program} -f`];
  const groups = byFirstWord(commands);
  for (const [word, rows] of groups) {
    const [{ name, summary }] = rows;
    const isGroup = name !== word;
    const told = isGroup ? rows.map((row) => row.name.slice(word.length + 1)).join(', ') : summary;
    lines.push(`complete -c ${program} -n __fish_use_subcommand -a ${word} -d ${fishQuoted(told)}`);
    if (!isGroup) continue;
    const names = rows.map((row) => row.name.slice(word.length + 1));
    for (const [i, second] of names.entries()) {
      const when = `__fish_seen_subcommand_from ${word}; and not __fish_seen_subcommand_from ${names.join(' ')}`;
      lines.push(`complete -c ${program} -n ${fishQuoted(when)} -a ${second} -d ${fishQuoted(rows[i].summary)}`);
    }
  }
  for (const { name, options, operands } of commands) {
    const when = name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    const start = `complete -c ${program} -n ${fishQuoted(when)}`;
    if (operands === 'files') lines.push(`${start} -F`);
    for (const { flag, summary, value } of options) {
      lines.push(`${start} -l ${flag.slice(2)}${fishValue(value)} -d ${fishQuoted(summary)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function fishValue(value: Candidates | undefined): string {
  switch (value) {
    case undefined:
      return '';
    case 'files':
      return ' -r -F';
    case 'directories':
      return " -x -a '(__fish_complete_directories)'";
    case 'any':
      return ' -x';
    default:
      return ` -x -a ${fishQuoted(value.join(' '))}`;
  }
}

/** Quotes for bash: no character is special between single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes for fish, in which a backslash is special between single quotes. */
function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
