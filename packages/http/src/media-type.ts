import { RDF_FORMATS, RESULT_FORMATS } from '@rdf-worlds/core';

/** A parsed Content-Type: its media type in lower case, and its charset if it has one. */
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

/**
 * Media types of an export (docs/reference/http.md); the first is the default.
 */
export const EXPORT_TYPES = [
  'application/n-quads',
  'text/turtle',
  'application/trig',
  'application/ld+json',
  'application/n-triples',
  'text/n3',
] as const;

/** Media types of a service description; the first is the default. */
export const DESCRIPTION_TYPES = [
  'text/turtle',
  'application/rdf+xml',
  'application/trig',
  'application/ld+json',
] as const;

/**
 * Media types of triples: results of CONSTRUCT and DESCRIBE, and graphs of the Graph Store
 * Protocol.
 */
export const GRAPH_TYPES = withDefault(
  'text/turtle',
  RDF_FORMATS.filter(({ write }) => write).map(({ mediaType }) => mediaType),
);

/** Media types of SELECT results. */
export const SOLUTION_TYPES = withDefault(
  SPARQL_JSON,
  RESULT_FORMATS.map(({ mediaType }) => mediaType),
);

/** Media types of ASK results. */
export const BOOLEAN_TYPES = withDefault(
  SPARQL_JSON,
  RESULT_FORMATS.filter(({ writeBoolean }) => writeBoolean).map(({ mediaType }) => mediaType),
);

function withDefault(first: string, all: readonly string[]): readonly string[] {
  return [first, ...all.filter((mediaType) => mediaType !== first)];
}

const WITH_CHARSET = new Map(
  RESULT_FORMATS.filter(({ charset }) => charset).map(({ mediaType, charset }) => [
    mediaType,
    `${mediaType}; charset=${charset}`,
  ]),
);

/** Returns the Content-Type of a media type, with a charset for the formats that need one. */
export function contentType(mediaType: string): string {
  return WITH_CHARSET.get(mediaType) ?? mediaType;
}
