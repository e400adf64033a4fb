import { readJsonLd } from './jsonld-reader.ts';
import { writeJsonLd } from './jsonld-writer.ts';
import { readNQuads, readNTriples } from './n-quads-reader.ts';
import { writeNQuads, writeNTriples } from './n-quads-writer.ts';
import { readN3, readTrig, readTurtle } from './n3-reader.ts';
import type { RdfFormat } from './rdf-format.ts';
import { readRdfPatch } from './rdf-patch-reader.ts';
import { readRdfXml } from './rdfxml-reader.ts';
import { writeRdfXml } from './rdfxml-writer.ts';
import { writeTrig, writeTurtle } from './turtle-writer.ts';

/** Every RDF serialization that the library supports. To add one, add a row. */
export const RDF_FORMATS: readonly RdfFormat[] = [
  {
    mediaType: 'application/n-quads',
    aliases: ['text/x-nquads', 'text/nquads', 'application/x-nquads'],
    name: 'N-Quads',
    extensions: ['nq'],
    formatIri: 'http://www.w3.org/ns/formats/N-Quads',
    namedGraphs: true,
    read: readNQuads,
    write: writeNQuads,
  },
  {
    mediaType: 'application/n-triples',
    aliases: ['text/ntriples', 'application/x-ntriples'],
    name: 'N-Triples',
    extensions: ['nt'],
    formatIri: 'http://www.w3.org/ns/formats/N-Triples',
    namedGraphs: false,
    read: readNTriples,
    write: writeNTriples,
  },
  {
    mediaType: 'text/turtle',
    aliases: ['application/x-turtle', 'application/turtle'],
    name: 'Turtle',
    extensions: ['ttl'],
    formatIri: 'http://www.w3.org/ns/formats/Turtle',
    namedGraphs: false,
    read: readTurtle,
    write: writeTurtle,
  },
  {
    mediaType: 'application/trig',
    aliases: ['application/x-trig', 'text/trig'],
    name: 'TriG',
    extensions: ['trig'],
    formatIri: 'http://www.w3.org/ns/formats/TriG',
    namedGraphs: true,
    read: readTrig,
    write: writeTrig,
  },
  {
    mediaType: 'text/n3',
    aliases: ['text/rdf+n3', 'application/n3'],
    name: 'Notation3',
    extensions: ['n3'],
    formatIri: 'http://www.w3.org/ns/formats/N3',
    namedGraphs: false,
    read: readN3,
    // Turtle is a subset of Notation3.
    write: writeTurtle,
  },
  {
    mediaType: 'application/ld+json',
    // Plain application/json is not an alias: content of that type is rarely meant as RDF.
    aliases: ['application/x-ld+json'],
    name: 'JSON-LD',
    extensions: ['jsonld', 'json'],
    formatIri: 'http://www.w3.org/ns/formats/JSON-LD',
    namedGraphs: true,
    read: readJsonLd,
    write: writeJsonLd,
  },
  {
    mediaType: 'application/rdf+xml',
    aliases: ['text/rdf+xml'],
    name: 'RDF/XML',
    extensions: ['rdf', 'owl', 'xml'],
    formatIri: 'http://www.w3.org/ns/formats/RDF_XML',
    namedGraphs: false,
    read: readRdfXml,
    write: writeRdfXml,
  },
  {
    mediaType: 'application/rdf-patch',
    aliases: ['text/rdf-patch'],
    name: 'RDF Patch',
    extensions: ['rdfp'],
    namedGraphs: true,
    read: readRdfPatch,
  },
];

const BY_MEDIA_TYPE = new Map(
  RDF_FORMATS.flatMap((format) => [format.mediaType, ...format.aliases].map((mediaType) => [mediaType, format])),
);
const BY_EXTENSION = new Map(
  RDF_FORMATS.flatMap((format) => format.extensions.map((extension) => [extension, format])),
);

/** Returns the format for a media type; ignores letter case and parameters (`; charset=utf-8`). */
export function findFormat(mediaType: string): RdfFormat | undefined {
  return BY_MEDIA_TYPE.get(mediaType.split(';', 1)[0].trim().toLowerCase());
}

/**
 * Returns the format of a file by its extension, ignoring letter case; undefined for compressed
 * files, which must be decompressed first.
 */
export function formatOfFile(name: string): RdfFormat | undefined {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1).toLowerCase());
}

/** Returns the media type of a file by its extension; undefined for unknown extensions. */
export function mediaTypeOfFile(name: string): string | undefined {
  return formatOfFile(name)?.mediaType;
}
