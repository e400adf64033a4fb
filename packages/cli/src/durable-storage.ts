import { Option } from 'commander';
import { UsageError } from './usage-error.ts';

/** The option that is to open a directory, one day. Refused: nobody is to believe that data is kept when it is not. */
export const DATA_OPTION = new Option(
  '--data <DIR>',
  'worlds in a directory; durable storage does not exist yet, so this is refused',
).argParser((directory) => {
  throw new UsageError(
    `--data ${directory}: durable storage does not exist yet, all worlds live in memory. Leave --data out, and export what you want to keep.`,
  );
});
