import { readFile } from 'node:fs/promises';
import { remoteContexts, type WorldsEngineOptions, WorldsError } from '@rdf-worlds/core';
import { allowableAddress } from '@rdf-worlds/core/internal';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { several } from './option-value.ts';
import { UsageError } from './usage-error.ts';

const CONTEXT_FILE = 'context-file';

const CONTEXT_FILE_OPTION = new Option(
  `--${CONTEXT_FILE} <IRI=FILE>`,
  'JSON-LD only: the file with the remote context of this IRI, which is then not fetched (repeatable)',
).argParser(several);

const ALLOW = 'allow-remote-contexts';

const ALLOW_OPTION = new Option(
  `--${ALLOW} <URL>`,
  'JSON-LD only: fetch remote contexts whose addresses begin with this, such as https://schema.org/; https: allows all over TLS (repeatable; default: none)',
).argParser(several);

/** Where remote contexts of JSON-LD come from. */
export const CONTEXT_OPTIONS: readonly Option[] = [CONTEXT_FILE_OPTION, ALLOW_OPTION];

export const BASE_IRI_OPTION = new Option(
  '--base-iri <IRI>',
  'where relative IRIs in the files resolve; without it, they are an error',
);

type DocumentLoader = NonNullable<WorldsEngineOptions['documentLoader']>;

/**
 * Returns the loader of remote contexts: those of `--context-file`, each read when a document names
 * it, and those that `--allow-remote-contexts` allows to fetch. Throws `UsageError` for a malformed
 * option.
 */
export function contextLoader(given: Arguments): DocumentLoader {
  const files = new Map(contextFiles(given).map(contextFile));
  const fetched = fetchedContexts(given);
  return async (url) => {
    const file = files.get(url);
    if (file !== undefined) return { document: await readFile(file, 'utf8') };
    if (fetched) return fetched(url);
    throw new WorldsError(
      'UNSUPPORTED',
      `The context <${url}> is remote, and is not fetched unless you allow it: pass --${ALLOW} ${allowableAddress(url)}, or the file that holds it with --${CONTEXT_FILE} '${url}=FILE'.`,
    );
  };
}

/** Returns the loader of `serve`; undefined if neither option is given. */
export function givenContexts(given: Arguments): DocumentLoader | undefined {
  const isGiven = contextFiles(given).length > 0 || given.texts(ALLOW).length > 0;
  return isGiven ? contextLoader(given) : undefined;
}

function fetchedContexts(given: Arguments): DocumentLoader | undefined {
  const allow = given.knows(ALLOW) ? given.texts(ALLOW) : [];
  if (allow.length === 0) return undefined;
  try {
    return remoteContexts({ allow });
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    throw new UsageError(cause.message.replace('remoteContexts: allow:', `--${ALLOW}:`), { cause });
  }
}

/** Throws `UsageError` for contexts with a server, which loads them by itself. */
export function refuseContextFiles(given: Arguments): void {
  if (given.knows(ALLOW) && given.texts(ALLOW).length > 0)
    throw new UsageError(
      `--${ALLOW}: the server fetches contexts, and only what rdf-worlds serve --${ALLOW} allows; omit it here, or convert the file first, such as: rdf-worlds export --load data.jsonld --${ALLOW} URL --output data.nq`,
    );
  if (contextFiles(given).length === 0) return;
  throw new UsageError(
    `--${CONTEXT_FILE}: a server does not read files of this machine; convert the file first, such as: rdf-worlds export --load data.jsonld --${CONTEXT_FILE} IRI=FILE --output data.nq`,
  );
}

function contextFiles(given: Arguments): readonly string[] {
  return given.knows(CONTEXT_FILE) ? given.texts(CONTEXT_FILE) : [];
}

/** Parses `IRI=FILE`. An IRI may have an equals sign in its query, so the last one counts. */
function contextFile(text: string): readonly [iri: string, file: string] {
  const end = text.lastIndexOf('=');
  const [iri, file] = [text.slice(0, end), text.slice(end + 1)];
  if (end >= 0 && file !== '' && URL.canParse(iri)) return [iri, file];
  throw new UsageError(
    `--${CONTEXT_FILE} ${text}: expected the IRI of the context and its file, such as https://schema.org/=schemaorg.jsonld.`,
  );
}
