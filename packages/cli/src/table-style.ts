import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import type { TableStyle } from './text-table.ts';

export const WIDE_OPTION = new Option('--wide', 'do not cut tables to the width of the terminal');

/**
 * Returns the table style for the output: fitted and coloured for a terminal, plain for a file or
 * pipe.
 */
export function tableStyle(given: Arguments): TableStyle {
  const { stdout } = process;
  const isFile = given.knows('output') && given.text('output') !== undefined;
  if (isFile || !stdout.isTTY) return {};
  // `hasColors` respects NO_COLOR, FORCE_COLOR and TERM.
  return { width: given.flag('wide') ? undefined : stdout.columns, colors: stdout.hasColors() };
}
