import { readFile } from 'node:fs/promises';
import { mediaTypeOfFile, RDF_DIRECTIONS } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { rdfTypeOf } from './format-name.ts';
import { OUTPUT_OPTION, writeOutput } from './output.ts';
import { jsonRequest, type Service } from './service.ts';
import { UsageError } from './usage-error.ts';
import { type WorldName, worldPath } from './world-name.ts';

const DEFAULT_TYPE = 'application/n-quads';

export const EXPORT_OPTIONS: readonly Option[] = [
  new Option('--format <FORMAT>', 'such as nq, ttl, trig, jsonld (default: by the extension of the output, else nq)'),
  OUTPUT_OPTION,
];

export const RDF_DIRECTION_OPTION = new Option(
  '--rdf-direction <FORM>',
  'JSON-LD only: how @direction is represented in RDF',
).choices(RDF_DIRECTIONS);

export const JSON_LD_EXPORT_OPTIONS: readonly Option[] = [
  new Option('--context <FILE>', 'JSON-LD only: compact with the context in this JSON file'),
  RDF_DIRECTION_OPTION,
];

/** Returns the media type of the export. Throws `UsageError` for an unknown format. */
export function exportType(given: Arguments): string {
  const format = given.text('format');
  if (format !== undefined) return rdfTypeOf(format);
  const isJsonLd = given.knows('context') && given.text('context') !== undefined;
  return mediaTypeOfFile(given.text('output') ?? '') ?? (isJsonLd ? 'application/ld+json' : DEFAULT_TYPE);
}

/**
 * Returns the JSON-LD options of a command that has them. Throws `UsageError` for a context file
 * that is not JSON, and the system's errors.
 */
export async function jsonLdOptions(given: Arguments): Promise<object> {
  if (!given.knows('context')) return {};
  const file = given.text('context');
  const rdfDirection = given.text('rdf-direction');
  if (file === undefined) return { rdfDirection };
  const text = await readFile(file, 'utf8');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`--context ${file}: it is not valid JSON: ${(cause as Error).message}`, { cause });
  }
  return { context: parsed, rdfDirection };
}

/** Writes a world as one document to the output that the arguments name. */
export async function writeWorld(
  given: Arguments,
  service: Service,
  world: WorldName,
  options: object = {},
): Promise<void> {
  const request = jsonRequest('POST', { contentType: exportType(given), ...options });
  await writeOutput(await service.send(`${worldPath(world)}/export`, request), given.text('output'));
}
