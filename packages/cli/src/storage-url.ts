import { UsageError } from './usage-error.ts';

/** What the URL of `--storage` names. */
export interface StorageUrl {
  /** The URL without the parameters that only the command knows. */
  readonly connectionString: string;
  /** Schema of the tables. */
  readonly schema: string;
  /** Most connections that the process has open. */
  readonly connections: number;
}

const DEFAULT_SCHEMA = 'rdf_worlds';
/** A commit needs one, a checkpoint up to three, following other processes one. */
const DEFAULT_CONNECTIONS = 10;
const MAX_CONNECTIONS = 1000;
/** Two: one of them listens for the commits of other processes. */
const MIN_CONNECTIONS = 2;

/** Parameters of the command's own. */
const SCHEMA = 'schema';
const CONNECTIONS = 'connection_limit';

/** Parameters that `pg` knows, of those of libpq. */
const PASSED_ON: readonly string[] = [
  ...['host', 'port', 'user', 'password', 'application_name', 'options'],
  ...['sslmode', 'sslcert', 'sslkey', 'sslrootcert'],
];

/**
 * Reads the URL of a database. Throws `UsageError` for one that is not understood completely. No
 * message has any part of the URL but names that are known to be none of its password: where a
 * character of a password is not encoded, the rest of it stands where host, port, database and
 * parameters are expected.
 */
export function storageUrl(text: string): StorageUrl {
  if (!/^postgres(ql)?:\/\//i.test(text))
    throw new UsageError('--storage: expected a URL such as postgres://user@host:5432/database?schema=worlds.');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !isComplete(url))
    throw new UsageError(
      '--storage: it is not a well-formed URL. In the user and the password, percent-encode each of : / ? # [ ] @ %, such as %40 for @ and %2F for /. For a socket, write postgres:///database?host=/directory&user=name.',
    );
  if (url.hostname.includes(','))
    throw new UsageError(
      '--storage: expected a single host; give several servers one address that leads to the primary.',
    );
  const { searchParams } = url;
  for (const name of searchParams.keys()) {
    if (![SCHEMA, CONNECTIONS, ...PASSED_ON].includes(name))
      throw new UsageError(
        `--storage: unknown parameter of the URL${/^[a-z_]{1,30}$/i.test(name) ? ` "${name}"` : ''}; known are ${[SCHEMA, CONNECTIONS, ...PASSED_ON].join(', ')}.`,
      );
    if (searchParams.getAll(name).length > 1)
      throw new UsageError(`--storage: the parameter ${name} appears twice in the URL; write it once.`);
  }
  const schema = searchParams.get(SCHEMA) ?? DEFAULT_SCHEMA;
  const connections = connectionsOf(searchParams.get(CONNECTIONS));
  searchParams.delete(SCHEMA);
  searchParams.delete(CONNECTIONS);
  return { connectionString: url.href, schema, connections };
}

/** Returns false for a URL in which a part of the password may stand outside of its place. */
function isComplete({ hash, pathname, search }: URL): boolean {
  return hash === '' && !`${pathname}${search}`.includes('@') && !pathname.slice(1).includes('/');
}

function connectionsOf(text: string | null): number {
  if (text === null) return DEFAULT_CONNECTIONS;
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (count >= MIN_CONNECTIONS && count <= MAX_CONNECTIONS) return count;
  throw new UsageError(
    `--storage: ${CONNECTIONS}: expected an integer from ${MIN_CONNECTIONS} to ${MAX_CONNECTIONS}, such as ${DEFAULT_CONNECTIONS}.`,
  );
}
