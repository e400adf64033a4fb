import type * as RDF from '@rdfjs/types';
import { RDF_FORMATS } from '../formats/rdf-formats.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';
import { RESULT_FORMATS } from '../sparql/results/result-formats.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const VOID = 'http://rdfs.org/ns/void#';
const FORMATS = 'http://www.w3.org/ns/formats/';

/** Names of our formats in the W3C's list (https://www.w3.org/ns/formats/), by media type. */
const FORMAT_NAMES: Readonly<Record<string, string>> = {
  'application/n-quads': 'N-Quads',
  'application/n-triples': 'N-Triples',
  'text/turtle': 'Turtle',
  'application/trig': 'TriG',
  'text/n3': 'N3',
  'application/ld+json': 'JSON-LD',
  'application/rdf+xml': 'RDF_XML',
  'application/sparql-results+json': 'SPARQL_Results_JSON',
  'application/sparql-results+xml': 'SPARQL_Results_XML',
  'text/csv': 'SPARQL_Results_CSV',
  'text/tab-separated-values': 'SPARQL_Results_TSV',
};

/** A graph of the described dataset with its number of triples. */
export interface DescribedGraph {
  /** Name of a named graph; undefined for the default graph. */
  readonly name?: RDF.NamedNode | RDF.BlankNode;
  readonly triples: number;
}

export const SERVICE_DESCRIPTION_PREFIXES = { sd: SD, void: VOID, formats: FORMATS };

/**
 * Yields the service description (SPARQL 1.1 Service Description sections 2 and 3) of an endpoint
 * and its dataset.
 */
export function* describeService(endpointUrl: string, graphs: readonly DescribedGraph[]): Generator<RDF.Quad> {
  const { namedNode, blankNode, literal, quad } = dataFactory;
  const type = namedNode(RDF_TYPE);
  const sd = (name: string) => namedNode(SD + name);
  const service = blankNode('service');
  const dataset = blankNode('dataset');
  yield quad(service, type, sd('Service'));
  yield quad(service, sd('endpoint'), namedNode(endpointUrl));
  for (const language of ['SPARQL11Query', 'SPARQL11Update'])
    yield quad(service, sd('supportedLanguage'), sd(language));
  for (const format of RDF_FORMATS) {
    // RDF Patch is not in the W3C's list.
    if (!(format.mediaType in FORMAT_NAMES)) continue;
    const name = namedNode(FORMATS + FORMAT_NAMES[format.mediaType]);
    if (format.read) yield quad(service, sd('inputFormat'), name);
    if (format.write) yield quad(service, sd('resultFormat'), name);
  }
  for (const { mediaType } of RESULT_FORMATS) {
    yield quad(service, sd('resultFormat'), namedNode(FORMATS + FORMAT_NAMES[mediaType]));
  }
  yield quad(service, sd('feature'), sd('EmptyGraphs'));
  yield quad(service, sd('defaultDataset'), dataset);
  yield quad(dataset, type, sd('Dataset'));
  let number = 0;
  for (const { name, triples } of graphs) {
    const graph = blankNode(`graph${number}`);
    if (name) {
      const entry = blankNode(`named${number}`);
      yield quad(dataset, sd('namedGraph'), entry);
      yield quad(entry, type, sd('NamedGraph'));
      yield quad(entry, sd('name'), name);
      yield quad(entry, sd('graph'), graph);
    } else {
      yield quad(dataset, sd('defaultGraph'), graph);
    }
    yield quad(graph, type, sd('Graph'));
    const integer = namedNode('http://www.w3.org/2001/XMLSchema#integer');
    yield quad(graph, namedNode(`${VOID}triples`), literal(String(triples), integer));
    number++;
  }
}
