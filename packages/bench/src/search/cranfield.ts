import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../arguments.ts';
import { fromUserFolder, sharedFile } from '../load-input.ts';

/** A test collection: documents, queries, and the relevance of documents for queries. */
export interface JudgedCollection {
  readonly documents: readonly { readonly id: number; readonly text: string }[];
  readonly queries: readonly {
    readonly text: string;
    /** Positive gains by document; all others are 0. */
    readonly gains: ReadonlyMap<number, number>;
  }[];
}

interface Line {
  readonly kind: 'doc' | 'query';
  readonly id: number;
  readonly title?: string;
  readonly text: string;
}

const DOCUMENTS = 'cranfield.jsonl';
const JUDGEMENTS = 'cranqrel';
/**
 * Grades range from 1 (a complete answer) to 4 (minimum interest); the gain is this constant minus
 * the grade. -1 counts as not relevant.
 */
const NO_INTEREST = 5;

/**
 * Reads the given folder, or the shared one; returns undefined if none is given and the shared one
 * is missing. Throws {@link UsageError} for a folder without the files.
 */
export async function openCranfield(folder: string | undefined): Promise<JudgedCollection | undefined> {
  const from = folder === undefined ? sharedFile('search', 'cranfield') : fromUserFolder(folder);
  if (![DOCUMENTS, JUDGEMENTS].every((file) => existsSync(join(from, file)))) {
    if (folder === undefined) return undefined;
    throw new UsageError(`--cranfield ${from}: there is no ${DOCUMENTS} or no ${JUDGEMENTS}.`);
  }
  const linesOf = async (file: string) => (await readFile(join(from, file), 'utf8')).trim().split('\n');
  const lines = (await linesOf(DOCUMENTS)).map((line) => JSON.parse(line) as Line);
  const gains = new Map<number, Map<number, number>>();
  for (const line of await linesOf(JUDGEMENTS)) {
    const [query, document, grade] = line.trim().split(/\s+/).map(Number);
    if (grade < 1) continue;
    const own = gains.get(query) ?? new Map<number, number>();
    gains.set(query, own.set(document, NO_INTEREST - grade));
  }
  return {
    documents: lines
      .filter(({ kind, text }) => kind === 'doc' && text.trim() !== '')
      .map(({ id, title = '', text }) => ({ id, text: `${title} ${text}` })),
    // Judgements refer to queries by position.
    queries: lines
      .filter(({ kind }) => kind === 'query')
      .map(({ text }, at) => ({ text, gains: gains.get(at + 1) ?? new Map() })),
  };
}

/**
 * Returns the normalised discounted cumulative gain of the first ten (Järvelin, Kekäläinen, ACM
 * TOIS 2002), 0 to 1; 0 for a query without relevant documents.
 */
export function ndcgAt10(gains: ReadonlyMap<number, number>, ranked: readonly number[]): number {
  const discounted = (values: readonly number[]) =>
    values.slice(0, 10).reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
  const ideal = discounted([...gains.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ranked.map((document) => gains.get(document) ?? 0)) / ideal;
}
