import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { RDF_FORMATS, RESULT_FORMATS, type SparqlSelectResults } from '@rdf-worlds/core';
import { listWorlds } from '../list-worlds.ts';
import { ShortNames, WELL_KNOWN_PREFIXES } from '../prefixes.ts';
import { collectionPath, worldPath } from '../world-name.ts';
import { SHELL_COMMANDS } from './shell-commands.ts';
import type { ShellSession } from './shell-session.ts';

/** Words of SPARQL that are worth a key. */
const KEYWORDS =
  'SELECT DISTINCT REDUCED WHERE CONSTRUCT DESCRIBE ASK FROM NAMED GRAPH OPTIONAL UNION MINUS FILTER EXISTS NOT BIND VALUES SERVICE GROUP ORDER HAVING LIMIT OFFSET DESC ASC PREFIX BASE INSERT DELETE DATA WITH USING CLEAR DROP CREATE COPY MOVE ADD DEFAULT ALL SILENT COUNT SUM AVG MIN MAX SAMPLE GROUP_CONCAT CONTAINS STRSTARTS STRENDS REGEX LANG LANGMATCHES DATATYPE BOUND COALESCE CONCAT REPLACE SUBSTR STRLEN LCASE UCASE'.split(
    ' ',
  );
/** Predicates and classes of a world; those of one with more are not all worth a list. */
const MAX_NAMES = 2_000;
/** Who waits for a completion does not wait longer. */
const NAMES_MS = 1_000;
const NAMES = `SELECT DISTINCT ?name { { SELECT DISTINCT ?name { ?s ?name ?o } LIMIT ${MAX_NAMES} } UNION { SELECT DISTINCT ?name { ?s a ?name } LIMIT ${MAX_NAMES} } FILTER(isIRI(?name)) }`;

type Found = [candidates: string[], typed: string];

/** What the line of a shell may go on with. */
export class Completer {
  private readonly shell: ShellSession;
  /** Names of the worlds that are asked, by the path of these. */
  private names = new Map<string, Promise<readonly string[]>>();

  constructor(shell: ShellSession) {
    this.shell = shell;
  }

  /** Other names may be there from now on. */
  forget(): void {
    this.names = new Map();
  }

  /** @param before the lines of the same text that are typed already */
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
      // A world that is too large, or not to be read: what is typed is completed without its names.
      .catch(() => []);
    this.names.set(path, asked);
    return asked;
  }

  private async completeCommand(line: string): Promise<Found> {
    const { commands, service, namespace } = this.shell;
    const space = line.lastIndexOf(' ');
    const word = line.slice(space + 1);
    // Some have names of two words.
    const names = beginning(
      [...SHELL_COMMANDS, ...commands].map(({ name }) => `.${name}`),
      line,
    );
    if (space < 0 || names.length > 0) return [names, line];
    const command = line.slice(1, line.indexOf(' '));
    if (command === 'use') {
      // Without the names of worlds there is nothing to offer; .use itself says what is wrong.
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

/** Files and directories that a path may go on with. */
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
    // No such directory: there is nothing to offer.
    return [];
  }
}
