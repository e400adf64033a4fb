import { mediaTypeOfFile } from '@rdf-worlds/core';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { rdfTypeOf } from './format-name.ts';
import { OUTPUT_OPTION, writeOutput } from './output.ts';
import { jsonRequest, type Service } from './service.ts';
import { type WorldName, worldPath } from './world-name.ts';

const DEFAULT_TYPE = 'application/n-quads';

export const EXPORT_OPTIONS: readonly Option[] = [
  new Option(
    '--format <FORMAT>',
    'such as nq, ttl, trig, jsonld; by the extension of the output, or nq, when not given',
  ),
  OUTPUT_OPTION,
];

/** The media type that is meant. Throws UsageError for an unknown format. */
export function exportType(given: Arguments): string {
  const format = given.text('format');
  return format === undefined ? (mediaTypeOfFile(given.text('output') ?? '') ?? DEFAULT_TYPE) : rdfTypeOf(format);
}

/** Writes a world as one document to where the command line says. */
export async function writeWorld(given: Arguments, service: Service, world: WorldName): Promise<void> {
  const request = jsonRequest('POST', { contentType: exportType(given) });
  await writeOutput(await service.send(`${worldPath(world)}/export`, request), given.text('output'));
}
