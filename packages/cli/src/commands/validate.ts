import { readFile } from 'node:fs/promises';
import { WorldsEngine, WorldsError } from '@rdf-worlds/core';
import { Option } from 'commander';
import { quadsText } from '../changes-text.ts';
import type { Command } from '../command.ts';
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
    ...DOCUMENT_LIMIT_OPTIONS,
  ],
  notes: ['All files are checked. The exit code is 1 if one of them is not well-formed.'],
  async run(given) {
    const documents = given.operands.filter((file) => !SPARQL_FILE.test(file));
    const { engine: limits } = localLimits(given);
    const inputs = await rdfInputs(documents, { format: given.text('format'), limits: limits.limits });
    let wrong = 0;
    for (const file of given.operands) {
      const check = SPARQL_FILE.test(file) ? () => checkSparql(file, limits) : () => checkRdf(inputs.shift()!, limits);
      if (!(await tell(file === '-' ? 'standard input' : file, check))) wrong++;
    }
    if (wrong > 0)
      throw new Error(`${wrong} of ${given.operands.length} files ${wrong === 1 ? 'is' : 'are'} not well-formed.`);
  },
};

/**
 * Prints the result of a check and returns true if the file is valid. Rethrows errors that are not
 * about the content of the file.
 */
async function tell(name: string, check: () => Promise<readonly string[]>): Promise<boolean> {
  try {
    await writeText((await check()).map((line) => `${name}: ${line}\n`).join(''));
    return true;
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    await writeText(`${name}: ${error.message}\n`);
    return false;
  }
}

async function checkSparql(file: string, { limits }: LocalLimits['engine']): Promise<readonly string[]> {
  const { type } = await prepareSparql(await readFile(file, 'utf8'), limits);
  return [`a well-formed ${type}`];
}

/** Imports a document into a temporary world, so that the messages are those of an import. */
async function checkRdf(
  { name, contentType, size, bytes }: RdfInput,
  limits: LocalLimits['engine'],
): Promise<readonly string[]> {
  const engine = await WorldsEngine.open({ textIndex: null, ...limits });
  const progress = new ProgressBar(name, size);
  try {
    const source = await engine.createWorld({ slug: 'file' });
    const data = bytes((read) => progress.show(read));
    const { quads, notes } = await engine.import({ source, contentType, data, decompress: false });
    return [`well-formed, ${quadsText(quads)}`, ...notes];
  } finally {
    progress.end();
    await engine.close();
  }
}
