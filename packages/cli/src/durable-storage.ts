import type { Option } from './command.ts';
import { UsageError } from './usage-error.ts';

/** The option that is to open a directory, one day. */
export const DATA_OPTION: Option = {
  name: 'data',
  value: 'DIR',
  summary: 'worlds in a directory; durable storage does not exist yet, so this is refused',
};

/** Throws UsageError when a directory is asked for: nobody is to believe that data is kept when it is not. */
export function refuseDirectory(directory: string | undefined): void {
  if (directory === undefined) return;
  throw new UsageError(
    `--data ${directory}: durable storage does not exist yet, all worlds live in memory. Leave --data out, and export what you want to keep.`,
  );
}
