import { readFile } from 'node:fs/promises';
import type { QuotaTable } from '@rdf-worlds/core';
import { UsageError } from './usage-error.ts';

/**
 * The quotas of a JSON file; the engine checks their fields. Throws UsageError for what is not
 * JSON, and what reading the file throws.
 */
export async function quotasFile(path: string): Promise<QuotaTable> {
  const content = await readFile(path, 'utf8');
  try {
    return JSON.parse(content) as QuotaTable;
  } catch (cause) {
    throw new UsageError(`--quotas: ${path} is not valid JSON: ${(cause as Error).message}.`);
  }
}
