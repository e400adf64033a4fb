import { readFile } from 'node:fs/promises';
import { WorldsEngine, type WorldsEngineOptions, WorldsError } from '@rdf-worlds/core';
import { Option } from 'commander';
import { quadsText } from '../changes-text.ts';
import type { Command } from '../command.ts';
import { BASE_IRI_OPTION, CONTEXT_OPTIONS, contextLoader } from '../document-options.ts';
import { inWordsOf } from '../library-words.ts';
import { DOCUMENT_LIMIT_OPTIONS, type LocalLimits, localLimits } from '../local-limits.ts';
import { writeText } from '../output.ts';
import { prepareSparql } from '../prepare-sparql.ts';
import { ProgressBar } from '../progress-bar.ts';
import { type RdfInput, rdfInputs } from '../rdf-input.ts';

/** Extensions of SPARQL files. */
const SPARQL_FILE = /\.(?:rq|ru|sparql)$/i;

export const validate: Command = {
  name: 'validate',
  summary: 'Check whether files are well-formed: RDF, and SPARQL in .rq, .ru and .sparql.',
  operand: '<FILE...>',
  options: [
    new Option('--format <FORMAT>', 'format of the RDF files (default: by extension)'),
    BASE_IRI_OPTION,
    ...CONTEXT_OPTIONS,
    ...DOCUMENT_LIMIT_OPTIONS,
  ],
  notes: ['All files are checked. The exit code is 1 if one of them is not well-formed.'],
  async run(given) {
    const documents = given.operands.filter((file) => !SPARQL_FILE.test(file));
    const { engine: limits } = localLimits(given);
    const inputs = await rdfInputs(documents, { format: given.text('format'), limits: limits.limits });
    const words = inWordsOf(given);
    const reading = { ...limits, documentLoader: contextLoader(given), baseIri: given.text('base-iri') };
    const count = { wrong: 0, unchecked: 0, right: 0 };
    for (const file of given.operands) {
      const check = SPARQL_FILE.test(file) ? () => checkSparql(file, limits) : () => checkRdf(inputs.shift()!, reading);
      count[await tell(file === '-' ? 'standard input' : file, words, check)]++;
    }
    const { wrong, unchecked } = count;
    const failures = [
      ...(wrong > 0
        ? [`${wrong} of ${given.operands.length} files ${wrong === 1 ? 'is' : 'are'} not well-formed.`]
        : []),
      ...(unchecked > 0 ? [`${unchecked} of ${given.operands.length} files could not be checked.`] : []),
    ];
    if (failures.length > 0) throw new Error(failures.join(' '));
  },
};

/** Codes of errors that say that a file is not well-formed; others prevent the check. */
const OF_CONTENT: readonly string[] = ['INVALID_RDF', 'INVALID_SPARQL'];

/** Prints and returns the result of a check. Rethrows errors that are not about the file. */
async function tell(
  name: string,
  words: (message: string) => string,
  check: () => Promise<readonly string[]>,
): Promise<'right' | 'wrong' | 'unchecked'> {
  try {
    await writeText((await check()).map((line) => `${name}: ${words(line)}\n`).join(''));
    return 'right';
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    await writeText(`${name}: ${words(error.message)}\n`);
    return OF_CONTENT.includes(error.code) ? 'wrong' : 'unchecked';
  }
}

async function checkSparql(file: string, { limits }: LocalLimits['engine']): Promise<readonly string[]> {
  const { type } = await prepareSparql(await readFile(file, 'utf8'), limits);
  return [`a well-formed ${type}`];
}

/** How documents are read. */
type DocumentReading = LocalLimits['engine'] &
  Pick<WorldsEngineOptions, 'documentLoader'> & { readonly baseIri: string | undefined };

/** Imports a document into a temporary world, so that the messages are those of an import. */
async function checkRdf(
  { name, contentType, size, bytes }: RdfInput,
  { baseIri, ...options }: DocumentReading,
): Promise<readonly string[]> {
  const engine = await WorldsEngine.open({ textIndex: null, ...options });
  const progress = new ProgressBar(name, size);
  try {
    const source = await engine.createWorld({ slug: 'file' });
    const data = bytes((read) => progress.show(read));
    const { quads, notes } = await engine.import({ source, contentType, baseIri, data, decompress: false });
    return [`well-formed, ${quadsText(quads)}`, ...notes];
  } finally {
    progress.end();
    await engine.close();
  }
}
