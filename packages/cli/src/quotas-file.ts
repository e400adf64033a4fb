import { readFile } from 'node:fs/promises';
import type { QuotaTable } from '@rdf-worlds/core';
import { UsageError } from './usage-error.ts';

/**
 * Reads quotas from a JSON file; the engine validates the fields. Throws `UsageError` for invalid
 * JSON, and the errors of reading the file.
 */
export async function quotasFile(path: string): Promise<QuotaTable> {
  const content = await readFile(path, 'utf8');
  try {
    return JSON.parse(content) as QuotaTable;
  } catch (cause) {
    throw new UsageError(`--quotas: ${path} is not valid JSON: ${(cause as Error).message}.`);
  }
}
