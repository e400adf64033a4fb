import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UsageError } from '../arguments.ts';
import { fromUserFolder, type LoadInput, openLoadInput, sharedFile } from '../load-input.ts';
import { documentOf } from '../workloads/entity.ts';
import { GENERATED_WORKLOADS, type WorkloadName } from '../workloads/workloads.ts';
import { ACADEMIC_QUERIES } from './academic-queries.ts';
import type { Answer } from './answer.ts';
import type { NamedQuery } from './named-query.ts';

/** A document and the queries over it. */
export interface Workload {
  readonly input: LoadInput;
  readonly queries: readonly NamedQuery[];
  /** The origin of the queries, for reports. */
  readonly origin: string;
  /** Known correct answers, by query name. */
  readonly expected: ReadonlyMap<string, Answer>;
}

export const SIZES = { '100k': 100_000, '1m': 1_000_000 } as const;
export type Size = keyof typeof SIZES;

export interface WorkloadSettings {
  /** Default: `lubm`. */
  readonly workload?: WorkloadName | 'lubm';
  /** The size of a generated workload, in percent of about a million triples. */
  readonly percent?: number;
  readonly file?: string;
  /** A folder of `.rq` files to run instead. */
  readonly queries?: string;
  /** 0 if not requested. */
  readonly quads: number;
  readonly seed: number;
  /** The size of the shared document, or of the generated one if there is none. */
  readonly size: Size;
}

/**
 * Opens the named workload, generated of the seed; for `lubm`: the given file; otherwise the
 * requested number of generated quads; otherwise the shared LUBM document or, if it is missing,
 * generated quads of the same size. Generated quads have their own queries, files those of the
 * shared folder. Throws {@link UsageError} if the settings contradict each other, or there are no
 * queries for a file.
 */
export async function openWorkload(settings: WorkloadSettings): Promise<Workload> {
  const { workload = 'lubm', percent = 100, file, queries, quads, seed, size } = settings;
  if (workload !== 'lubm') {
    if (file !== undefined || quads > 0) {
      throw new UsageError(`--workload ${workload} is generated: --file and --quads are for lubm; give --percent.`);
    }
    return generatedWorkload(workload, seed, percent, queries);
  }
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

function generatedWorkload(name: WorkloadName, seed: number, percent: number, folder: string | undefined): Workload {
  const { dataset: open, queries } = GENERATED_WORKLOADS[name];
  const dataset = open({ seed, scale: percent / 100 });
  const input: LoadInput = {
    name: `${name}, ${percent} % of its size, seed ${seed}`,
    bytes: documentOf(dataset),
    contentType: 'application/n-triples',
    dataset,
  };
  const asked = folder === undefined ? { queries, origin: `queries of ${name}` } : queriesOf(fromUserFolder(folder));
  return { input, ...asked, expected: new Map() };
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

/**
 * Reads the expected answers from `expected-<name>.json` in the document's folder, if it exists.
 */
function expectedOf(path: string): ReadonlyMap<string, Answer> {
  const file = join(dirname(path), `expected-${basename(path).split('.')[0]}.json`);
  if (!existsSync(file)) return new Map();
  const answers = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Answer | number>;
  return new Map(Object.entries(answers).filter((entry): entry is [string, Answer] => typeof entry[1] === 'object'));
}
