import { findFormat, findResultFormat, RDF_FORMATS, RESULT_FORMATS } from '@rdf-worlds/core';
import { UsageError } from './usage-error.ts';

interface NamedFormat {
  readonly mediaType: string;
  readonly name: string;
  readonly extensions: readonly string[];
}

/**
 * Returns the media type of an RDF format given any of its names: `ttl`, `turtle`, `text/turtle`.
 * Throws `UsageError` if it is unknown.
 */
export function rdfTypeOf(format: string): string {
  return find(RDF_FORMATS, findFormat, format) ?? unknown(format, [RDF_FORMATS]);
}

/**
 * Returns the media types that a format name stands for in a query's answer: `csv` for solutions,
 * `ttl` for triples, `json` and `xml` one of each. Throws `UsageError` for an unknown name.
 */
export function answerTypesOf(format: string): readonly string[] {
  const types = [find(RESULT_FORMATS, findResultFormat, format), find(RDF_FORMATS, findFormat, format)];
  const known = types.filter((mediaType) => mediaType !== undefined);
  return known.length > 0 ? known : unknown(format, [RESULT_FORMATS, RDF_FORMATS]);
}

function find<Format extends NamedFormat>(
  formats: readonly Format[],
  byMediaType: (mediaType: string) => Format | undefined,
  name: string,
): string | undefined {
  const lower = name.toLowerCase();
  const fits = (format: Format) => format.extensions.includes(lower) || format.name.toLowerCase() === lower;
  return (byMediaType(name) ?? formats.find(fits))?.mediaType;
}

function unknown(format: string, tables: readonly (readonly NamedFormat[])[]): never {
  const names = new Set(tables.flatMap((table) => table.flatMap(({ extensions }) => extensions)));
  throw new UsageError(
    `--format ${JSON.stringify(format)} is not a known format; use one of ${[...names].join(', ')}.`,
  );
}
