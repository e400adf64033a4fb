import type { RdfFormat } from './rdf-format.ts';

type Names = Omit<RdfFormat, 'read' | 'write'>;

const ROWS = [
  {
    mediaType: 'application/n-quads',
    aliases: ['text/x-nquads', 'text/nquads', 'application/x-nquads'],
    name: 'N-Quads',
    extensions: ['nq'],
    formatIri: 'http://www.w3.org/ns/formats/N-Quads',
    namedGraphs: true,
  },
  {
    mediaType: 'application/n-triples',
    aliases: ['text/ntriples', 'application/x-ntriples'],
    name: 'N-Triples',
    extensions: ['nt'],
    formatIri: 'http://www.w3.org/ns/formats/N-Triples',
    namedGraphs: false,
  },
  {
    mediaType: 'text/turtle',
    aliases: ['application/x-turtle', 'application/turtle'],
    name: 'Turtle',
    extensions: ['ttl'],
    formatIri: 'http://www.w3.org/ns/formats/Turtle',
    namedGraphs: false,
  },
  {
    mediaType: 'application/trig',
    aliases: ['application/x-trig', 'text/trig'],
    name: 'TriG',
    extensions: ['trig'],
    formatIri: 'http://www.w3.org/ns/formats/TriG',
    namedGraphs: true,
  },
  {
    mediaType: 'text/n3',
    aliases: ['text/rdf+n3', 'application/n3'],
    name: 'Notation3',
    extensions: ['n3'],
    formatIri: 'http://www.w3.org/ns/formats/N3',
    namedGraphs: false,
  },
  {
    mediaType: 'application/ld+json',
    // Plain application/json is not an alias: content of that type is rarely meant as RDF.
    aliases: ['application/x-ld+json'],
    name: 'JSON-LD',
    extensions: ['jsonld', 'json'],
    formatIri: 'http://www.w3.org/ns/formats/JSON-LD',
    namedGraphs: true,
  },
  {
    mediaType: 'application/rdf+xml',
    aliases: ['text/rdf+xml'],
    name: 'RDF/XML',
    extensions: ['rdf', 'owl', 'xml'],
    formatIri: 'http://www.w3.org/ns/formats/RDF_XML',
    namedGraphs: false,
  },
  {
    mediaType: 'application/rdf-patch',
    aliases: ['text/rdf-patch'],
    name: 'RDF Patch',
    extensions: ['rdfp'],
    namedGraphs: true,
  },
] as const satisfies readonly Names[];

/** The names of a format, without its reader and writer. */
export type FormatName = Names & { readonly mediaType: (typeof ROWS)[number]['mediaType'] };

/**
 * The names of all formats. Apart from their readers and writers in `rdf-formats.ts`, so that code
 * that only tells formats apart does not load those.
 */
export const FORMAT_NAMES: readonly FormatName[] = ROWS;

const BY_MEDIA_TYPE = new Map(
  FORMAT_NAMES.flatMap((format) => [format.mediaType, ...format.aliases].map((mediaType) => [mediaType, format])),
);
const BY_EXTENSION = new Map(
  FORMAT_NAMES.flatMap((format) => format.extensions.map((extension) => [extension, format])),
);

/** Returns the names of the format of a media type; ignores letter case and parameters. */
export function findFormatName(mediaType: string): FormatName | undefined {
  return BY_MEDIA_TYPE.get(mediaType.split(';', 1)[0].trim().toLowerCase());
}

/**
 * Returns the names of the format of a file by its extension, ignoring letter case; undefined for
 * compressed files, which must be decompressed first.
 */
export function formatNameOfFile(name: string): FormatName | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1).toLowerCase());
}
