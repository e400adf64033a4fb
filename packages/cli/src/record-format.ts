import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { WIDE_OPTION } from './table-style.ts';

export const RECORD_FORMAT_OPTION = new Option('--format <FORMAT>').choices(['table', 'json']).default('table');

/** For commands that show records. */
export const RECORD_TABLE_OPTIONS: readonly Option[] = [RECORD_FORMAT_OPTION, WIDE_OPTION];

/** Returns true if JSON output is requested. */
export function asksJson(given: Arguments): boolean {
  return given.text('format') === 'json';
}

/** Serializes a value as indented JSON. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
