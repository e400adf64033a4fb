import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RDF_FORMATS, RESULT_FORMATS, type SparqlSelectResults } from '@rdf-worlds/core';
import { listWorlds } from '../list-worlds.ts';
import { ShortNames, WELL_KNOWN_PREFIXES } from '../prefixes.ts';
import { collectionPath, worldPath } from '../world-name.ts';
import { SHELL_COMMANDS } from './shell-commands.ts';
import type { ShellSession } from './shell-session.ts';

/** SPARQL keywords offered for completion. */
const KEYWORDS =
  'SELECT DISTINCT REDUCED WHERE CONSTRUCT DESCRIBE ASK FROM NAMED GRAPH OPTIONAL UNION MINUS FILTER EXISTS NOT BIND VALUES SERVICE GROUP ORDER HAVING LIMIT OFFSET DESC ASC PREFIX BASE INSERT DELETE DATA WITH USING CLEAR DROP CREATE COPY MOVE ADD DEFAULT ALL SILENT COUNT SUM AVG MIN MAX SAMPLE GROUP_CONCAT CONTAINS STRSTARTS STRENDS REGEX LANG LANGMATCHES DATATYPE BOUND COALESCE CONCAT REPLACE SUBSTR STRLEN LCASE UCASE'.split(
    ' ',
  );
/** Maximum number of predicates, and of classes, that are fetched. */
const MAX_NAMES = 2_000;
/** Time limit for fetching names: a completion must not block the user for longer. */
const NAMES_MS = 1_000;
const NAMES = `SELECT DISTINCT ?name { { SELECT DISTINCT ?name { ?s ?name ?o } LIMIT ${MAX_NAMES} } UNION { SELECT DISTINCT ?name { ?s a ?name } LIMIT ${MAX_NAMES} } FILTER(isIRI(?name)) }`;

type Found = [candidates: string[], typed: string];

/** Completes the current line of the shell. */
export class Completer {
  private readonly shell: ShellSession;
  /** Names used in the selected worlds, by the path of the worlds. */
  private names = new Map<string, Promise<readonly string[]>>();

  constructor(shell: ShellSession) {
    this.shell = shell;
  }

  /** Clears the cached names, because they may have changed. */
  forget(): void {
    this.names = new Map();
  }

  /** @param before the earlier lines of the same text */
  async complete(before: readonly string[], line: string): Promise<Found> {
    if (before.length === 0 && line.startsWith('.')) return this.completeCommand(line);
    const [word] = /(?:[?$]\w*|<[^<>\s]*|[^\s(){}[\],;.|^!=<>"']*)$/.exec(line)!;
    const candidates = await this.wordsOf([...before, line].join('\n'), word);
    return [candidates.filter((candidate) => candidate !== word), word];
  }

  private async wordsOf(text: string, word: string): Promise<string[]> {
    if (/^[?$]/.test(word)) return beginning(new Set(text.match(/[?$]\w+/g)), word);
    const names = await this.namesOfWorlds();
    const short = new ShortNames(this.shell.prefixes);
    if (word.startsWith('<')) {
      return beginning(
        names.map((iri) => `<${iri}>`),
        word,
      );
    }
    if (word.includes(':'))
      return beginning(
        names.map((iri) => short.of(iri)),
        word,
      );
    const prefixes = Object.keys({ ...WELL_KNOWN_PREFIXES, ...this.shell.prefixes }).map((prefix) => `${prefix}:`);
    const upper = word.toUpperCase();
    const keywords = word === '' ? [] : KEYWORDS.filter((keyword) => keyword.startsWith(upper));
    return [...keywords, ...(word === '' ? [] : beginning(prefixes, word))];
  }

  private namesOfWorlds(): Promise<readonly string[]> {
    const { service, world, namespace } = this.shell;
    const path = world ? worldPath({ namespace, ...world }) : collectionPath(namespace);
    const known = this.names.get(path);
    if (known) return known;
    const headers = { 'content-type': 'application/sparql-query', accept: 'application/sparql-results+json' };
    const asked = service
      .send(`${path}/sparql`, { method: 'POST', headers, body: NAMES, signal: AbortSignal.timeout(NAMES_MS) })
      .then(async (answer) => {
        const { results } = (await answer.json()) as SparqlSelectResults;
        return results.bindings.map(({ name }) => String(name.value));
      })
      // If the world is too large or unreadable, completion works without its names.
      .catch(() => []);
    this.names.set(path, asked);
    return asked;
  }

  private async completeCommand(line: string): Promise<Found> {
    const { commands, service, namespace } = this.shell;
    const space = line.lastIndexOf(' ');
    const word = line.slice(space + 1);
    // Some command names have two words.
    const names = beginning(
      [...SHELL_COMMANDS, ...commands].map(({ name }) => `.${name}`),
      line,
    );
    if (space < 0 || names.length > 0) return [names, line];
    const command = line.slice(1, line.indexOf(' '));
    if (command === 'use') {
      // On failure nothing is offered; running .use reports the error.
      const slugs = (await listWorlds(service, namespace).catch(() => [])).map(({ slug }) => slug);
      return [beginning(slugs, word), word];
    }
    if (command === 'format') {
      const formats = [...RESULT_FORMATS, ...RDF_FORMATS].flatMap(({ extensions }) => extensions);
      return [beginning(new Set(['table', ...formats]), word), word];
    }
    if (word.startsWith('-')) {
      const row = commands.find(({ name }) => line.startsWith(`.${name} `));
      return [
        beginning(
          (row?.options ?? []).map(({ long }) => long!),
          word,
        ),
        word,
      ];
    }
    return [files(word), word];
  }
}

function beginning(candidates: Iterable<string>, word: string): string[] {
  return Array.from(candidates).filter((candidate) => candidate.startsWith(word));
}

/** Returns the files and directories that complete a path. */
function files(path: string): string[] {
  const directory = path.endsWith('/') ? path : dirname(path);
  const start = path.endsWith('/') ? '' : basename(path);
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.name.startsWith(start))
      .map((entry) => {
        const found = path.includes('/') ? join(directory, entry.name) : entry.name;
        return entry.isDirectory() ? `${found}/` : found;
      });
  } catch {
    // The directory does not exist or is unreadable.
    return [];
  }
}
