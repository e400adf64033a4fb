import { writeCsvBindings } from './csv-results.ts';
import { writeJsonBindings, writeJsonBoolean, writeJsonQuads } from './json-results.ts';
import type { ResultFormat } from './result-format.ts';
import { writeTsvBindings } from './tsv-results.ts';
import { writeXmlBindings, writeXmlBoolean } from './xml-results.ts';

/** All result formats that the library writes, default first. To add one, add a row. */
export const RESULT_FORMATS: readonly ResultFormat[] = [
  {
    mediaType: 'application/sparql-results+json',
    aliases: ['application/json'],
    name: 'SPARQL Results JSON',
    extensions: ['srj', 'json'],
    formatIri: 'http://www.w3.org/ns/formats/SPARQL_Results_JSON',
    writeBindings: writeJsonBindings,
    writeBoolean: writeJsonBoolean,
    writeQuads: writeJsonQuads,
  },
  {
    mediaType: 'application/sparql-results+xml',
    aliases: ['application/xml', 'text/xml'],
    name: 'SPARQL Results XML',
    extensions: ['srx', 'xml'],
    formatIri: 'http://www.w3.org/ns/formats/SPARQL_Results_XML',
    writeBindings: writeXmlBindings,
    writeBoolean: writeXmlBoolean,
  },
  {
    mediaType: 'text/csv',
    aliases: [],
    charset: 'utf-8',
    name: 'CSV',
    extensions: ['csv'],
    formatIri: 'http://www.w3.org/ns/formats/SPARQL_Results_CSV',
    writeBindings: writeCsvBindings,
  },
  {
    mediaType: 'text/tab-separated-values',
    aliases: [],
    charset: 'utf-8',
    name: 'TSV',
    extensions: ['tsv'],
    formatIri: 'http://www.w3.org/ns/formats/SPARQL_Results_TSV',
    writeBindings: writeTsvBindings,
  },
];

const BY_MEDIA_TYPE = new Map(
  RESULT_FORMATS.flatMap((format) => [format.mediaType, ...format.aliases].map((mediaType) => [mediaType, format])),
);

/** Returns the format for a media type; ignores letter case and parameters (`; charset=utf-8`). */
export function findResultFormat(mediaType: string): ResultFormat | undefined {
  return BY_MEDIA_TYPE.get(mediaType.split(';', 1)[0].trim().toLowerCase());
}
