/** A format of documents or results, as people choose it. */
export interface Format {
  readonly mediaType: string;
  readonly name: string;
  /** With its dot. */
  readonly extension: string;
}

/** Formats that a world can be exported in. */
export const EXPORT_FORMATS: readonly Format[] = [
  { mediaType: 'application/n-quads', name: 'N-Quads', extension: '.nq' },
  { mediaType: 'application/trig', name: 'TriG', extension: '.trig' },
  { mediaType: 'text/turtle', name: 'Turtle', extension: '.ttl' },
  { mediaType: 'application/n-triples', name: 'N-Triples', extension: '.nt' },
  { mediaType: 'application/ld+json', name: 'JSON-LD', extension: '.jsonld' },
  { mediaType: 'application/rdf+xml', name: 'RDF/XML', extension: '.rdf' },
  { mediaType: 'text/n3', name: 'Notation3', extension: '.n3' },
];

/** Formats without named graphs: an export has the default graph alone. */
export const TRIPLE_FORMATS = new Set(['text/turtle', 'application/n-triples', 'application/rdf+xml', 'text/n3']);

/** Formats that an import reads. */
export const IMPORT_FORMATS: readonly Format[] = [
  ...EXPORT_FORMATS,
  { mediaType: 'application/rdf-patch', name: 'RDF Patch', extension: '.rdfp' },
];

/** Formats of the rows of a SELECT, or the answer of an ASK. */
export const ROW_FORMATS: readonly Format[] = [
  { mediaType: 'text/csv', name: 'CSV', extension: '.csv' },
  { mediaType: 'text/tab-separated-values', name: 'TSV', extension: '.tsv' },
  { mediaType: 'application/sparql-results+json', name: 'SPARQL JSON', extension: '.srj' },
  { mediaType: 'application/sparql-results+xml', name: 'SPARQL XML', extension: '.srx' },
];

/** Formats of which each line is one quad, so that lines can be counted. */
const LINE_FORMATS = new Set(['application/n-quads', 'application/n-triples']);
export const isLineFormat = (mediaType: string): boolean => LINE_FORMATS.has(mediaType);

const MORE_EXTENSIONS = new Map([
  ['.json', 'application/ld+json'],
  ['.owl', 'application/rdf+xml'],
  ['.xml', 'application/rdf+xml'],
  ['.rdfs', 'application/rdf+xml'],
  ['.turtle', 'text/turtle'],
  ['.patch', 'application/rdf-patch'],
]);

/**
 * Returns the media type of a file by its name, without `.gz`; undefined if the name tells none.
 */
export function formatOfName(name: string): string | undefined {
  const extension = /\.[^.]+$/.exec(name.toLowerCase().replace(/\.gz$/, ''))?.[0];
  if (extension === undefined) return undefined;
  return IMPORT_FORMATS.find((format) => format.extension === extension)?.mediaType ?? MORE_EXTENSIONS.get(extension);
}

/** Recognises the format of a text by its beginning. Turtle is the most likely of what is left. */
export function formatOfText(text: string): string | undefined {
  const start = text
    .slice(0, 20_000)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (start === '') return undefined;
  if (/^[[{]/.test(start) && /"@(?:context|id|graph|type|value)"|^\[\s*\]|^\{\s*\}/.test(start))
    return 'application/ld+json';
  if (/^<\?xml|^<!DOCTYPE\s+rdf|^<rdf:RDF/i.test(start)) return 'application/rdf+xml';
  if (/^(?:H |TX\s*\.|PA |A |D )/m.test(start.split('\n', 1)[0]!)) return 'application/rdf-patch';
  const lines = start.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const term = String.raw`(?:<[^<>"{}|^\x60\\\s]*>|_:\S+|"(?:[^"\\\n]|\\.)*"(?:@[\w-]+|\^\^<[^>\s]*>)?)`;
  const complete = lines.length > 1 && text.length > 20_000 ? lines.slice(0, -1) : lines;
  const quad = new RegExp(String.raw`^\s*(?:${term}\s*){4}\.\s*(?:#.*)?$`);
  const triple = new RegExp(String.raw`^\s*(?:${term}\s*){3}\.\s*(?:#.*)?$`);
  if (complete.length > 0 && complete.every((line) => triple.test(line) || quad.test(line)))
    return complete.some((line) => quad.test(line)) ? 'application/n-quads' : 'application/n-triples';
  return /(?:^|[\s.])(?:GRAPH\s+)?(?:<[^<>\s]*>|[\w-]*:[\w-]*)\s*\{/m.test(start) ? 'application/trig' : 'text/turtle';
}
