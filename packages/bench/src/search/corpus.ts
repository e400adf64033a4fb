import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { UsageError } from '../arguments.ts';
import { figure } from '../figure.ts';
import { fromUserFolder, sharedFile } from '../load-input.ts';
import { generatedTexts } from './generated-texts.ts';

/** Texts as objects of triples; the row is the document's number. */
export interface Corpus {
  /** The name shown in reports. */
  readonly name: string;
  readonly texts: readonly string[];
  /** Numbers from which the subject IRIs are formed. */
  readonly subjects: Uint32Array;
  readonly predicates: Uint32Array;
}

export interface CorpusChoice {
  /**
   * A file of tab-separated lines `id, subject number, predicate number, type number, text`; may be
   * gzipped (`.gz`).
   */
  readonly texts?: string | undefined;
  /** Maximum number of documents; 0 for the whole file, or a million generated texts. */
  readonly documents: number;
  readonly seed: number;
}

const GENERATED = 1_000_000;
const inflate = promisify(gunzip);

/**
 * Opens the given file; otherwise the shared one; if it is missing, generates texts. Throws
 * {@link UsageError} if the file is missing or has no texts.
 */
export async function openCorpus({ texts, documents, seed }: CorpusChoice): Promise<Corpus> {
  const shared = sharedFile('search', 'texts-1m.tsv.gz');
  if (texts !== undefined) return readCorpus(fromUserFolder(texts), documents);
  return existsSync(shared) ? readCorpus(shared, documents) : generateCorpus(documents || GENERATED, seed);
}

export function generateCorpus(documents: number, seed: number): Corpus {
  return {
    name: `${figure(documents)} generated texts, seed ${seed}`,
    texts: generatedTexts(documents, seed),
    subjects: Uint32Array.from({ length: documents }, (_, at) => Math.floor(at / 3)),
    predicates: Uint32Array.from({ length: documents }, (_, at) => at % 7),
  };
}

async function readCorpus(path: string, documents: number): Promise<Corpus> {
  if (!existsSync(path)) throw new UsageError(`--texts ${path}: there is no such file.`);
  const content = await readFile(path);
  const bytes = path.endsWith('.gz') ? await inflate(content) : content;
  const most = documents || Infinity;
  const texts: string[] = [];
  const subjects: number[] = [];
  const predicates: number[] = [];
  for (let start = 0; start < bytes.length && texts.length < most; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline;
    // Decoded line by line: each text would keep a single large string alive.
    const cells = bytes.toString('utf8', start, end).split('\t');
    start = end + 1;
    if (cells.length < 5) throw new UsageError(`--texts ${path}: line ${texts.length + 1} has no five columns.`);
    subjects.push(Number(cells[1]));
    predicates.push(Number(cells[2]));
    texts.push(cells.slice(4).join('\t'));
  }
  if (texts.length === 0) throw new UsageError(`--texts ${path}: there are no texts in it.`);
  const name = `${figure(texts.length)} texts of ${basename(path)}`;
  return { name, texts, subjects: Uint32Array.from(subjects), predicates: Uint32Array.from(predicates) };
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };

/** Yields one N-Triples line for each text from `start` up to `end`. */
export function* corpusTriples({ texts, subjects, predicates }: Corpus, start: number, end: number): Generator<string> {
  for (let row = start; row < end; row++) {
    const text = texts[row].replaceAll(/[\\"\n\r]/g, (char) => ESCAPES[char]);
    yield `<http://data.example/s/${subjects[row]}> <http://data.example/p/${predicates[row]}> "${text}" .\n`;
  }
}
