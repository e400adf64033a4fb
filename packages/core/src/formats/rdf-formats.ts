import { FORMAT_NAMES, type FormatName, formatNameOfFile } from './format-names.ts';
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

/** The reader and the writer of each row of {@link FORMAT_NAMES}. */
const CODECS: Readonly<Record<FormatName['mediaType'], Pick<RdfFormat, 'read' | 'write'>>> = {
  'application/n-quads': { read: readNQuads, write: writeNQuads },
  'application/n-triples': { read: readNTriples, write: writeNTriples },
  'text/turtle': { read: readTurtle, write: writeTurtle },
  'application/trig': { read: readTrig, write: writeTrig },
  'text/n3': {
    read: readN3,
    // Turtle is a subset of Notation3.
    write: writeTurtle,
  },
  'application/ld+json': { read: readJsonLd, write: writeJsonLd },
  'application/rdf+xml': { read: readRdfXml, write: writeRdfXml },
  'application/rdf-patch': { read: readRdfPatch },
};

/**
 * Every RDF serialization that the library supports. To add one, add a row to `FORMAT_NAMES`, and
 * its reader and writer here.
 */
export const RDF_FORMATS: readonly RdfFormat[] = FORMAT_NAMES.map((name) => ({ ...name, ...CODECS[name.mediaType] }));

const BY_MEDIA_TYPE = new Map(
  RDF_FORMATS.flatMap((format) => [format.mediaType, ...format.aliases].map((mediaType) => [mediaType, format])),
);

/** Returns the format for a media type; ignores letter case and parameters (`; charset=utf-8`). */
export function findFormat(mediaType: string): RdfFormat | undefined {
  return BY_MEDIA_TYPE.get(mediaType.split(';', 1)[0].trim().toLowerCase());
}

/** Returns the media type of a file by its extension; undefined for unknown extensions. */
export function mediaTypeOfFile(name: string): string | undefined {
  return formatNameOfFile(name)?.mediaType;
}
