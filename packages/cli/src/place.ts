import { Option } from 'commander';
import type { Arguments, Origin } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** The place where a command's worlds are; at most one field is given. */
export interface Place {
  /** A running server. */
  readonly url?: string;
  /** A directory, without a server. */
  readonly directory?: string;
  /** Files to load into memory; may be empty. */
  readonly files: readonly string[];
}

const URL_VARIABLE = 'RDF_WORLDS_URL';
const DATA_VARIABLE = 'RDF_WORLDS_DATA';

export const URL_OPTION = new Option('--url <URL>', 'URL of the server, such as http://127.0.0.1:8080').env(
  URL_VARIABLE,
);

/** For commands that work on a server or a directory. */
export const DATA_OPTION = new Option(
  '--data <DIR>',
  'instead of a server, a directory that no other process has open',
).env(DATA_VARIABLE);

/** For commands that work on a directory only. */
export const DIRECTORY_OPTION = new Option('--data <DIR>', 'the directory, which no other process may have open').env(
  DATA_VARIABLE,
);

/** For `serve`. */
export const SERVED_DATA_OPTION = new Option(
  '--data <DIR>',
  'store worlds in this directory; every change is on disk before it is acknowledged',
)
  .env(DATA_VARIABLE)
  .conflicts('memory');

/**
 * The sources of a place, by precedence: command line, environment variables, the file of
 * `--config`.
 */
const ORIGINS: readonly Origin[] = ['cli', 'env', 'config'];

/**
 * Returns the place that the arguments name. Throws `UsageError` if one source names two places,
 * because one of them would be ignored.
 */
export function placeOf(given: Arguments): Place {
  for (const origin of ORIGINS) {
    const named = ['url', 'data', 'load'].filter((name) => given.knows(name) && given.origin(name) === origin);
    if (named.length > 1) throw new UsageError(conflict(named, origin));
    switch (named[0]) {
      case 'url':
        return { url: given.text('url'), files: [] };
      case 'data':
        return { directory: given.text('data'), files: [] };
      case 'load':
        return { files: given.texts('load') };
    }
  }
  return { files: [] };
}

function conflict(named: readonly string[], origin: Origin): string {
  if (origin === 'env') return `${URL_VARIABLE} and ${DATA_VARIABLE} are both set; choose one with --url or --data.`;
  if (named.includes('load'))
    return '--load cannot be combined with a server or a directory; to add files there, use import.';
  return '--data cannot be combined with a server, which has a directory of its own.';
}
