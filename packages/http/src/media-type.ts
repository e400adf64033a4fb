import { RDF_FORMATS, RESULT_FORMATS } from '@rdf-worlds/core';

/** A Content-Type: its media type in lower case, and its charset, if it names one. */
export interface MediaType {
  readonly type: string;
  readonly charset?: string;
}

export function parseMediaType(header: string): MediaType {
  const [type, ...parameters] = header.split(';');
  for (const parameter of parameters) {
    const match = /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter);
    if (match) return { type: type.trim().toLowerCase(), charset: match[1].toLowerCase() };
  }
  return { type: type.trim().toLowerCase() };
}

export const SPARQL_JSON = 'application/sparql-results+json';

/** What an export can be; the first is the default (INTERFACE, "Export response media types"). */
export const EXPORT_TYPES = [
  'application/n-quads',
  'text/turtle',
  'application/trig',
  'application/ld+json',
  'application/n-triples',
  'text/n3',
] as const;

/** What a service description can be (INTERFACE, "SPARQL"). */
export const DESCRIPTION_TYPES = [
  'text/turtle',
  'application/rdf+xml',
  'application/trig',
  'application/ld+json',
] as const;

/**
 * What triples can be: the answers of CONSTRUCT and DESCRIBE, and graphs of the Graph Store
 * Protocol.
 */
export const GRAPH_TYPES = withDefault(
  'text/turtle',
  RDF_FORMATS.filter(({ write }) => write).map(({ mediaType }) => mediaType),
);

/** What the solutions of a SELECT can be. */
export const SOLUTION_TYPES = withDefault(
  SPARQL_JSON,
  RESULT_FORMATS.map(({ mediaType }) => mediaType),
);

/** What the answer of an ASK can be. */
export const BOOLEAN_TYPES = withDefault(
  SPARQL_JSON,
  RESULT_FORMATS.filter(({ writeBoolean }) => writeBoolean).map(({ mediaType }) => mediaType),
);

function withDefault(first: string, all: readonly string[]): readonly string[] {
  return [first, ...all.filter((mediaType) => mediaType !== first)];
}

/**
 * As a header says it: CSV and TSV are not UTF-8 unless they say so (RFC 7111, RFC 6657); the types
 * of RDF and SPARQL always are.
 */
export function contentType(mediaType: string): string {
  return mediaType === 'text/csv' || mediaType === 'text/tab-separated-values'
    ? `${mediaType}; charset=utf-8`
    : mediaType;
}
