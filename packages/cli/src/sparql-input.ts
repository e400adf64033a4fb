import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { UsageError } from './usage-error.ts';

export const FILE_OPTION = new Option('--file <FILE>', 'read the text from a file, - for standard input');

/**
 * Returns the text of a query or update: the operand, or the content of `--file`. Throws
 * `UsageError` unless exactly one is given.
 */
export async function sparqlInput(given: Arguments): Promise<string> {
  const [operand] = given.operands;
  const file = given.text('file');
  if ((operand === undefined) === (file === undefined)) {
    throw new UsageError('pass the text either as an argument, or in a file with --file FILE.');
  }
  if (file === '-' && given.texts('load').includes('-')) throw new UsageError('standard input can be read only once.');
  if (file === undefined) {
    if (/^\S+\.(?:rq|ru|sparql)$/i.test(operand))
      throw new UsageError(`${operand} is the name of a file; pass --file ${operand}.`);
    return operand;
  }
  return file === '-' ? text(process.stdin) : readFile(file, 'utf8');
}
