import { readFile } from 'node:fs/promises';
import { type WorldsEngineOptions, WorldsError } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { several } from './option-value.ts';
import { UsageError } from './usage-error.ts';

const CONTEXT_FILE = 'context-file';

export const CONTEXT_FILE_OPTION = new Option(
  `--${CONTEXT_FILE} <IRI=FILE>`,
  'JSON-LD only: the file with the remote context of this IRI; nothing is fetched (repeatable)',
).argParser(several);

export const BASE_IRI_OPTION = new Option(
  '--base-iri <IRI>',
  'where relative IRIs in the files resolve; without it, they are an error',
);

type DocumentLoader = NonNullable<WorldsEngineOptions['documentLoader']>;

/**
 * Returns the loader of remote contexts: only those of `--context-file`, each read when a document
 * names it. Throws `UsageError` for a malformed option.
 */
export function contextLoader(given: Arguments): DocumentLoader {
  const files = new Map(contextFiles(given).map(contextFile));
  return async (url) => {
    const file = files.get(url);
    if (file !== undefined) return { document: await readFile(file, 'utf8') };
    throw new WorldsError(
      'UNSUPPORTED',
      `The context <${url}> is remote, and remote contexts are not fetched: pass the file that holds it with --${CONTEXT_FILE} '${url}=FILE'.`,
    );
  };
}

/** Throws `UsageError` for `--context-file` with a server, which loads contexts by itself. */
export function refuseContextFiles(given: Arguments): void {
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
