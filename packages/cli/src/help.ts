import type { Command } from './command.ts';

/** What `rdf-worlds --help` prints. */
export function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ name, summary }): [string, string] => [name, summary]);
  return [
    'Usage: rdf-worlds COMMAND [OPTIONS]',
    '',
    ...columns(rows),
    '',
    'rdf-worlds COMMAND --help tells the options of a command; rdf-worlds --version the version.',
    '',
  ].join('\n');
}

/** What `rdf-worlds COMMAND --help` prints. */
export function commandHelp({ name, summary, operands, options, notes = [] }: Command): string {
  const usage = ['rdf-worlds', name, ...(options.length > 0 ? ['[OPTIONS]'] : []), operands?.usage ?? ''].join(' ');
  const rows = options.map((option): [string, string] => [
    option.value === undefined ? `--${option.name}` : `--${option.name} ${option.value}`,
    option.isRepeatable ? `${option.summary} (repeatable)` : option.summary,
  ]);
  const blocks = [[`Usage: ${usage.trimEnd()}`], [summary], columns(rows), [...notes]];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
