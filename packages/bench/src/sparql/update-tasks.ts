import type { Outcome } from './answer.ts';
import { freshText } from './named-query.ts';
import type { Peer } from './peers.ts';
import { type SparqlStore, sparqlStore } from './sparql-store.ts';
import type { Task, Trial } from './task.ts';

const VOCABULARY = 'https://vocabulary.example/update#';
const DATA = 'https://data.example/update';

export interface UpdateSizes {
  /** Triples in each of the large updates. */
  readonly many: number;
  /** Single-triple updates per run. */
  readonly singles: number;
}

export const UPDATE_SIZES: UpdateSizes = { many: 10_000, singles: 5000 };

/** Tasks that change a store without touching its document, and remove their changes afterwards. */
export function updateTasks({ many, singles }: UpdateSizes): readonly Task[] {
  return [
    updateTask(`INSERT DATA of ${many.toLocaleString('en-US')} triples`, 1, (store) => {
      const text = freshText(insertData(newTriples(many)));
      return { texts: [text], restore: () => store.update(DELETE_ALL) };
    }),
    updateTask(`DELETE/INSERT WHERE over ${many.toLocaleString('en-US')} rows`, 1, async (store) => {
      await store.update(insertData(newTriples(many)));
      return { texts: [freshText(RENAME)], restore: () => store.update(DELETE_ALL) };
    }),
    updateTask('INSERT DATA of 1 triple', singles, (store) => ({
      texts: newTriples(singles).map((triple) => freshText(insertData([triple]))),
      restore: () => store.update(DELETE_ALL),
    })),
  ];
}

const PREFIX = `PREFIX : <${VOCABULARY}>\n`;
/** Matches everything these tasks have inserted, with either of its two properties. */
const INSERTED = `{ VALUES ?p { :text :renamed } ?s ?p ?o }`;
const SELECT_ALL = `${PREFIX}SELECT ?s ?p ?o ${INSERTED}`;
const DELETE_ALL = `${PREFIX}DELETE { ?s ?p ?o } WHERE ${INSERTED}`;
const RENAME = `${PREFIX}DELETE { ?s :text ?o } INSERT { ?s :renamed ?o } WHERE { ?s :text ?o }`;

let triples = 0;

/** Returns triples of fresh terms, all of the same length. */
function newTriples(count: number): string[] {
  return Array.from({ length: count }, () => {
    const number = String(++triples).padStart(9, '0');
    return `<${DATA}/${number}> <${VOCABULARY}text> "Text number ${number}"`;
  });
}

function insertData(lines: readonly string[]): string {
  return `INSERT DATA {\n${lines.join(' .\n')}\n}`;
}

interface UpdateTrial {
  readonly texts: readonly string[];
  restore(): Promise<void>;
}

function updateTask(
  name: string,
  operations: number,
  prepare: (store: SparqlStore) => UpdateTrial | Promise<UpdateTrial>,
): Task {
  return {
    name,
    kind: 'store',
    operations,
    anyRows: false,
    isFor: ({ language }) => language === 'sparql',
    async prepare(peer: Peer): Promise<Trial> {
      const store = sparqlStore(peer.store);
      const { texts, restore } = await prepare(store);
      return {
        isRepeatable: false,
        async run(): Promise<Outcome> {
          await store.update(...texts);
          return async () => (await store.query(SELECT_ALL, 'terms'))!();
        },
        restore,
      };
    },
  };
}
