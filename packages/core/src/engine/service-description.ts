import type * as RDF from '@rdfjs/types';
import { RDF_FORMATS } from '../formats/rdf-formats.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';
import { RESULT_FORMATS } from '../sparql/results/result-formats.ts';

const SD = 'http://www.w3.org/ns/sparql-service-description#';
const VOID = 'http://rdfs.org/ns/void#';

/** A graph of the described dataset with its number of triples. */
export interface DescribedGraph {
  /** Name of a named graph; undefined for the default graph. */
  readonly name?: RDF.NamedNode | RDF.BlankNode;
  readonly triples: number;
}

export const SERVICE_DESCRIPTION_PREFIXES = { sd: SD, void: VOID, formats: 'http://www.w3.org/ns/formats/' };

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
  for (const { formatIri, read, write } of RDF_FORMATS) {
    if (formatIri === undefined) continue;
    if (read) yield quad(service, sd('inputFormat'), namedNode(formatIri));
    if (write) yield quad(service, sd('resultFormat'), namedNode(formatIri));
  }
  for (const { formatIri } of RESULT_FORMATS) {
    if (formatIri !== undefined) yield quad(service, sd('resultFormat'), namedNode(formatIri));
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
