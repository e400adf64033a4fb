import { readFile } from 'node:fs/promises';
import { mediaTypeOfFile, RDF_DIRECTIONS } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { rdfTypeOf } from './format-name.ts';
import { OUTPUT_OPTION, writeOutput } from './output.ts';
import { jsonQuery, type Service } from './service.ts';
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
  new Option('--frame <FILE>', 'JSON-LD only: select and nest nodes by the frame in this JSON file'),
  RDF_DIRECTION_OPTION,
];

/** Returns the media type of the export. Throws `UsageError` for an unknown format. */
export function exportType(given: Arguments): string {
  const format = given.text('format');
  if (format !== undefined) return rdfTypeOf(format);
  const isJsonLd = given.knows('context') && (given.text('context') ?? given.text('frame')) !== undefined;
  return (
    mediaTypeOfFile((given.text('output') ?? '').replace(/\.gz$/i, '')) ??
    (isJsonLd ? 'application/ld+json' : DEFAULT_TYPE)
  );
}

/**
 * Returns the JSON-LD options of a command that has them. Throws `UsageError` for a file that is
 * not JSON, and the system's errors.
 */
export async function jsonLdOptions(given: Arguments): Promise<object> {
  if (!given.knows('context')) return {};
  const [context, frame] = [await jsonFile(given, 'context'), await jsonFile(given, 'frame')];
  return { context, frame, rdfDirection: given.text('rdf-direction') };
}

/**
 * Returns the content of the JSON file that an option names; undefined if it is not given. Throws
 * `UsageError` for a file that is not JSON, and the system's errors.
 */
export async function jsonFile(given: Arguments, option: string): Promise<unknown> {
  const file = given.text(option);
  if (file === undefined) return undefined;
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`--${option} ${file}: it is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Writes a world as one document to the output that the arguments name. */
export async function writeWorld(
  given: Arguments,
  service: Service,
  world: WorldName,
  options: object = {},
): Promise<void> {
  const output = given.text('output');
  const name = output?.replace(/\.gz$/i, '');
  // A name without an extension says nothing about the format.
  if (name !== undefined && given.text('format') === undefined && /\.\w+$/.test(name) && !mediaTypeOfFile(name))
    process.stderr.write(
      `rdf-worlds: ${output}: written as ${exportType(given)}, since its extension is not that of an RDF format.\n`,
    );
  const request = jsonQuery({ contentType: exportType(given), ...options });
  await writeOutput(await service.send(`${worldPath(world)}/export`, request), given.text('output'));
}
