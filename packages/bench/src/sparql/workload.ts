import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../arguments.ts';
import { fromUserFolder, type LoadInput, openLoadInput, sharedFile } from '../load-input.ts';
import { ACADEMIC_QUERIES } from './academic-queries.ts';
import type { Answer } from './answer.ts';
import type { NamedQuery } from './named-query.ts';

/** A document, and what is asked about it. */
export interface Workload {
  readonly input: LoadInput;
  readonly queries: readonly NamedQuery[];
  /** For people: whose queries. */
  readonly origin: string;
  /** The right answers, by the name of the query, as far as they are known. */
  readonly expected: ReadonlyMap<string, Answer>;
}

export const SIZES = { '100k': 100_000, '1m': 1_000_000 } as const;
export type Size = keyof typeof SIZES;

export interface WorkloadSettings {
  readonly file?: string;
  /** A folder of `.rq` files to ask instead. */
  readonly queries?: string;
  /** 0: not asked for. */
  readonly quads: number;
  readonly seed: number;
  /** Of the shared document, or of the generated one where there is none. */
  readonly size: Size;
}

/**
 * The file that was asked for, or the generated quads that were asked for, or the shared LUBM
 * document where it is at hand, or generated quads of its size. Generated quads have queries of
 * their own, files those of the shared folder. Throws {@link UsageError} when the settings
 * contradict each other, or there are no queries for a file.
 */
export async function openWorkload({ file, queries, quads, seed, size }: WorkloadSettings): Promise<Workload> {
  if (file !== undefined && quads > 0) throw new UsageError('--file and --quads say two things: give one of them.');
  const shared = sharedFile('sparql', `lubm-${size}.nt.gz`);
  const path = file === undefined ? shared : fromUserFolder(file);
  if (quads > 0 || !existsSync(path)) {
    if (file !== undefined) throw new UsageError(`--file ${file}: there is no such file.`);
    const input = await openLoadInput({ kind: 'generated', quads: quads || SIZES[size], seed });
    return {
      input,
      ...(queries === undefined ? OWN_QUERIES : queriesOf(fromUserFolder(queries))),
      expected: new Map(),
    };
  }
  const folder = queries === undefined ? sharedFile('sparql', 'queries-lubm') : fromUserFolder(queries);
  return { input: await openLoadInput({ kind: 'file', path }), ...queriesOf(folder), expected: expectedOf(path) };
}

const OWN_QUERIES = { queries: ACADEMIC_QUERIES, origin: 'queries of our own' };

function queriesOf(folder: string): Pick<Workload, 'queries' | 'origin'> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.rq')) : [];
  if (files.length === 0) {
    throw new UsageError(`There are no queries (.rq files) in ${folder}; name a folder that has some with --queries.`);
  }
  const queries = files.sort().map((name) => ({
    name: basename(name, '.rq'),
    text: readFileSync(join(folder, name), 'utf8'),
  }));
  return { queries, origin: `queries of ${basename(folder)}` };
}

/** Beside a document may lie its answers: `expected-<name>.json`. */
function expectedOf(path: string): ReadonlyMap<string, Answer> {
  const file = join(dirname(path), `expected-${basename(path).split('.')[0]}.json`);
  if (!existsSync(file)) return new Map();
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Answer | number>;
  return new Map(Object.entries(answers).filter((entry): entry is [string, Answer] => typeof entry[1] === 'object'));
}
