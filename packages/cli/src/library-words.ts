import { DEFAULT_REQUEST_LIMITS } from '@rdf-worlds/core';
import { LIMITS } from '@rdf-worlds/http';
import type { Arguments } from './arguments.ts';
import { flagOf } from './limit-options.ts';
import { placeOf } from './place.ts';
import { UsageError } from './usage-error.ts';

/** How the command says what the library says with a name that only its API has. */
export interface LibraryWords {
  /** What the library says. */
  readonly says: RegExp;
  /**
   * The options that do this, without the leading dashes: the first that the command has is meant.
   * Empty if the wording does not depend on the command's options.
   */
  readonly flags: readonly string[];
  /** Returns what the command says instead. `flag` has its leading dashes. */
  readonly reads: (flag: string, ...groups: readonly string[]) => string;
  /** Used if the command has none of the flags. */
  readonly otherwise: (...groups: readonly string[]) => string;
  /** Whether, with a server, only the server can change it. */
  readonly isOfServer?: boolean;
}

type Said = string | ((...groups: readonly string[]) => string);
const saying =
  (said: Said) =>
  (...groups: readonly string[]) =>
    typeof said === 'string' ? said : said(...groups);

/** A row for a limit: a server's is changed where the server is started. */
function limit(says: RegExp, name: string, before = ''): LibraryWords {
  const flag = flagOf(name);
  const ofServer = () => `${before}--${flag} of rdf-worlds serve`;
  return { says, flags: [flag], reads: (own) => `${before}${own}`, otherwise: ofServer, isOfServer: true };
}

function option(
  says: RegExp,
  flags: readonly string[],
  reads: LibraryWords['reads'],
  otherwise: Said = '',
): LibraryWords {
  return { says, flags, reads, otherwise: saying(otherwise) };
}

function always(says: RegExp, reads: Said): LibraryWords {
  return { says, flags: [], reads: (_, ...groups) => saying(reads)(...groups), otherwise: saying(reads) };
}

/** A field that a check of the library names before a colon, and the option that sets it. */
function field(name: string, flag = flagOf(name)): LibraryWords {
  const says = new RegExp(`(^|: )(?:[a-zA-Z]+: )?${name}: `);
  return option(
    says,
    [flag],
    (own, start) => `${start}${own}: `,
    (start) => `${start}${flag}: `,
  );
}

const LIMIT_NAMES = [...Object.keys(DEFAULT_REQUEST_LIMITS), ...Object.keys(LIMITS)];
const NO_BASE = 'declare a base in the file, or write absolute IRIs';

/**
 * What errors and notes of the library call by a name of its API, and how the command says it, in
 * this order. To make an error of the library speak of a flag, add a row.
 */
export const LIBRARY_WORDS: readonly LibraryWords[] = [
  // A request's memory; below, that of all worlds has the same name.
  limit(/raise maxMemoryBytes/, 'maxMemoryBytes', 'raise '),
  {
    ...limit(/give the engine a larger memoryPool/, 'maxMemoryBytes', 'raise '),
    flags: ['max-memory-bytes', 'requests-memory-bytes'],
  },
  limit(/maxMemoryBytes/, 'worldsMemoryBytes'),
  always(/raise --max-old-space-size/, 'raise NODE_OPTIONS=--max-old-space-size'),
  option(
    /open the engine with a storage, which loads namespaces on demand/,
    ['data'],
    (flag) => `keep the worlds in a directory (${flag}), which loads namespaces on demand`,
    'keep the worlds in a directory, which loads namespaces on demand',
  ),
  limit(/raise timeoutMs/, 'timeoutMs', 'raise '),
  limit(/request less data(?=\.$)/, 'timeoutMs', 'request less data, or raise '),
  limit(/raise maxRows/, 'maxRows', 'raise '),
  ...LIMIT_NAMES.map((name) => limit(new RegExp(`\\b${name}\\b`), name)),
  option(
    /pass contentType "([^"]+)"/,
    ['format'],
    (flag, type) => `pass ${flag} ${type}`,
    (type) => `write ${type}`,
  ),
  // Without a server, the command has a loader, which says this in words of its own.
  always(
    /inline it, or pass a documentLoader such as remoteContexts\(\{ allow: \['([^']*)'\] \}\)/,
    (address) => `inline it, or start the server with --allow-remote-contexts ${address}`,
  ),
  always(/add "([^"]+)" to allow of remoteContexts/, (address) => `pass --allow-remote-contexts ${address}, too`),
  option(
    /Remote contexts are not loaded without a documentLoader/,
    ['context-file'],
    (flag) => `Pass --base-iri, and the context with ${flag} IRI=FILE`,
    'Remote contexts are not loaded',
  ),
  option(
    /pass that as contentType/,
    ['load-format', 'format'],
    (flag) => `name the format with ${flag}`,
    'rename the file, so that its extension says so',
  ),
  option(
    /Give it a @context, or pass context/,
    ['context'],
    (flag) => `Give it a @context, or pass ${flag} FILE`,
    'Give it a @context',
  ),
  always(
    /This is not an update; send a query as query= or application\/sparql-query/,
    'This is a query; run it with rdf-worlds query',
  ),
  option(/pass baseIri/, ['base-iri'], (flag) => `pass ${flag}`, NO_BASE),
  always(/^(.*: )?import: data: /, (start = '') => start),
  option(/pass rdfDirection/, ['rdf-direction'], (flag) => `pass ${flag}`, 'import the file with --rdf-direction'),
  option(/use another rdfDirection/, ['rdf-direction'], (flag) => `use another ${flag}`, 'use another --rdf-direction'),
  always(/, or pass ifExists: 'return'/, ''),
  always(
    /name the namespace, or open the engine with defaultNamespace: ("[^"]*")/,
    (name) => `pass --namespace ${name}`,
  ),
  always(/, or compare worlds with isIsomorphic, which needs no labels/, ''),
  always(
    /Open the engine with the option history to keep earlier ones\./,
    'To keep later ones, run rdf-worlds serve or mcp with --history-ms or --history-revisions.',
  ),
  always(/See the option history of the engine\./, 'See --history-ms of rdf-worlds serve.'),
  option(
    /open it with readOnly to follow it/,
    ['read-only'],
    (flag) => `pass ${flag} to follow it`,
    'work through its server with --url',
  ),
  always(/open the directory with takeOver: true \(rdf-worlds: --take-over\)/, 'pass --take-over'),
  always(/was opened with readOnly/, 'was opened with --read-only'),
  always(/, or open it without readOnly once none has/, ', or without --read-only once none has'),
  always(/Open the engine with a writable storage, such as fileStorage without readOnly\./, 'Omit --read-only.'),
  always(
    /Call engine\.commitStatus with the commit (\S+) before you repeat the call\./,
    'Look whether the data has changed before you repeat the command.',
  ),
  always(
    /, give it more time \(embedderTimeoutMs\), or set embedder: null to search full text only/,
    ', or omit --embedder',
  ),
  always(/or set embedder: null to search full text only/, 'or omit --embedder'),
  always(
    /This is an update; send it by POST as update= or application\/sparql-update\./,
    'This is an update; run it with rdf-worlds update.',
  ),
  field('baseIri'),
  field('graph'),
  field('context'),
  field('frame'),
  field('label'),
  field('description'),
];

/** Returns a function that says messages of the library in words of a command. */
export function inWordsOf(given: Arguments): (message: string) => string {
  const isRemote = given.knows('url') && placeOf(given).url !== undefined;
  return (message) =>
    LIBRARY_WORDS.reduce((said, row) => {
      const own = isRemote && row.isOfServer ? undefined : row.flags.find((name) => given.knows(name));
      return said.replace(row.says, (_, ...rest: readonly unknown[]) => {
        // The offset and the whole text follow the groups.
        const groups = rest.slice(0, -2) as string[];
        return own === undefined ? row.otherwise(...groups) : row.reads(`--${own}`, ...groups);
      });
    }, message);
}

/** Runs the work of a command. An error of the library is thrown again in words of the command. */
export async function withWordsOf(given: Arguments, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UsageError) throw error;
    const message = inWordsOf(given)(error.message);
    if (message === error.message) throw error;
    throw new Error(message, { cause: error });
  }
}
