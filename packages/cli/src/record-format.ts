import type { Option } from './command.ts';
import { UsageError } from './usage-error.ts';

export const RECORD_FORMAT_OPTION: Option = {
  name: 'format',
  value: 'FORMAT',
  summary: 'table or json; table when not given',
};

/** Whether records are asked for as JSON. Throws UsageError for anything but `table` and `json`. */
export function asksJson(format: string | undefined): boolean {
  if (format === undefined || format === 'table') return false;
  if (format === 'json') return true;
  throw new UsageError(`--format ${JSON.stringify(format)} is not known here; use table or json.`);
}

/** A value as JSON for people and for programs. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
