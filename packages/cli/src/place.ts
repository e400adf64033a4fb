import { Option } from 'commander';
import type { Arguments, Origin } from './arguments.ts';
import { UsageError } from './usage-error.ts';

/** The place where a command's worlds are; at most one field is given. */
export interface Place {
  /** A running server. */
  readonly url?: string;
  /** A directory, without a server. */
  readonly directory?: string;
  /** The URL of a database, without a server. */
  readonly storage?: string;
  /** Files to load into memory; may be empty. */
  readonly files: readonly string[];
}

const URL_VARIABLE = 'RDF_WORLDS_URL';
const DATA_VARIABLE = 'RDF_WORLDS_DATA';
const STORAGE_VARIABLE = 'RDF_WORLDS_STORAGE';

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

/** For commands that work on a directory or on a database. */
export const STORAGE_OPTION = new Option(
  '--storage <URL>',
  'instead of a directory, a PostgreSQL database, such as postgres://user@host/database?schema=worlds; prefer the variable for a URL with a password, which other users cannot see',
).env(STORAGE_VARIABLE);

/** For `serve` and `mcp`. */
export const SERVED_STORAGE_OPTION = new Option(
  '--storage <URL>',
  'store worlds in a PostgreSQL database, which several processes may use, such as postgres://user@host/database?schema=worlds; prefer the variable for a URL with a password, which other users cannot see',
)
  .env(STORAGE_VARIABLE)
  .conflicts('memory');

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
    const named = ['url', 'data', 'storage', 'load'].filter(
      (name) => given.knows(name) && given.origin(name) === origin,
    );
    if (named.length > 1) throw new UsageError(conflict(named, origin));
    switch (named[0]) {
      case 'url':
        return { url: given.text('url'), files: [] };
      case 'data':
        return { directory: given.text('data'), files: [] };
      case 'storage':
        return { storage: given.text('storage'), files: [] };
      case 'load':
        return { files: given.texts('load') };
    }
  }
  return { files: [] };
}

const VARIABLES: Readonly<Record<string, string>> = {
  url: URL_VARIABLE,
  data: DATA_VARIABLE,
  storage: STORAGE_VARIABLE,
};

function conflict(named: readonly string[], origin: Origin): string {
  const flags = named.map((name) => `--${name}`);
  if (origin === 'env') {
    const variables = named.map((name) => VARIABLES[name]).join(' and ');
    return `${variables} are ${named.length === 2 ? 'both' : 'all'} set; choose one with ${flags.join(' or ')}.`;
  }
  if (named.includes('load'))
    return '--load cannot be combined with a server, a directory or a database; to add files there, use import.';
  if (named.includes('url'))
    return `${flags[1]} cannot be combined with a server, which has ${named[1] === 'data' ? 'a directory' : 'a storage'} of its own.`;
  return '--data and --storage are two places; omit one. To move worlds, use backup and restore.';
}
