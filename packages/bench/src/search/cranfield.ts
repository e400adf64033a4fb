import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../arguments.ts';
import { fromUserFolder, sharedFile } from '../load-input.ts';
import { CollectionBuilder } from './collections/collection-builder.ts';
import type { JudgedCollection } from './collections/judged-collection.ts';

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
  const gains = new Map<number, Map<string, number>>();
  for (const line of await linesOf(JUDGEMENTS)) {
    const [query, document, grade] = line.trim().split(/\s+/).map(Number);
    if (grade < 1) continue;
    const own = gains.get(query) ?? new Map<string, number>();
    gains.set(query, own.set(`document/${document}`, NO_INTEREST - grade));
  }
  const builder = new CollectionBuilder('abstracts (Cranfield)');
  for (const { kind, id, title = '', text } of lines) {
    if (kind === 'doc' && text.trim() !== '') builder.fact(`document/${id}`, 'text', `${title} ${text}`);
  }
  // Judgements refer to queries by position.
  for (const [at, { text }] of lines.filter(({ kind }) => kind === 'query').entries()) {
    builder.query(text, gains.get(at + 1) ?? new Map());
  }
  return builder.collection();
}
