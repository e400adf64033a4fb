import { graphStoreTest } from './graph-store-tests.ts';
import { fromRdfNegative, fromRdfRoundTrip, toRdfEvaluation, toRdfNegative, toRdfSyntax } from './json-ld-tests.ts';
import { protocolTest } from './protocol-tests.ts';
import { queryEvaluation } from './query-tests.ts';
import { rdfRunners } from './rdf-tests.ts';
import { serviceDescriptionTest } from './service-description-tests.ts';
import { sparqlNegativeSyntax, sparqlPositiveSyntax } from './sparql-syntax-tests.ts';
import type { TestRunner } from './test-runner.ts';
import { updateEvaluation } from './update-tests.ts';
import { JLD, JSON_LD_API, MF, RDF_TESTS } from './vocabulary.ts';

/** A row of the report: the tests of a manifest whose types it has runners for. */
export interface Category {
  readonly name: string;
  readonly manifest: string;
  /**
   * How many tests that is in the published suite: tests that get lost on the way are an error, not
   * a smaller number.
   */
  readonly total: number;
  /** Test type IRI to runner. */
  readonly runners: ReadonlyMap<string, TestRunner>;
}

const rdf = (name: string, folder: string, total: number, syntax: string): Category => ({
  name,
  manifest: `${RDF_TESTS}rdf/rdf11/${folder}/manifest.ttl`,
  total,
  runners: rdfRunners(syntax),
});

const sparql = (name: string, part: string, total: number, runners: readonly [string, TestRunner][]): Category => ({
  name,
  manifest: `${RDF_TESTS}sparql/sparql11/manifest-sparql11-${part}.ttl`,
  total,
  runners: new Map(runners.map(([type, runner]) => [MF + type, runner])),
});

const http = (name: string, folder: string, total: number, type: string, runner: TestRunner): Category => ({
  name,
  manifest: `${RDF_TESTS}sparql/sparql11/${folder}/manifest.ttl`,
  total,
  runners: new Map([[MF + type, runner]]),
});

const jsonLd = (name: string, manifest: string, total: number, runners: readonly [string, TestRunner][]): Category => ({
  name,
  manifest: `${JSON_LD_API}tests/${manifest}-manifest.jsonld`,
  total,
  runners: new Map(runners.map(([type, runner]) => [JLD + type, runner])),
});

const rdf12 = (name: string, folder: string, total: number, syntax: string): Category => ({
  name,
  manifest: `${RDF_TESTS}rdf/rdf12/${folder}/manifest.ttl`,
  total,
  runners: rdfRunners(syntax),
});

const sparql12 = (name: string, total: number, runners: readonly [string, TestRunner][]): Category => ({
  name,
  manifest: `${RDF_TESTS}sparql/sparql12/manifest.ttl`,
  total,
  runners: new Map(runners.map(([type, runner]) => [MF + type, runner])),
});

export const CATEGORIES: readonly Category[] = [
  rdf('RDF 1.1 Turtle', 'rdf-turtle', 313, 'Turtle'),
  rdf('RDF 1.1 TriG', 'rdf-trig', 356, 'Trig'),
  rdf('RDF 1.1 N-Triples', 'rdf-n-triples', 70, 'NTriples'),
  rdf('RDF 1.1 N-Quads', 'rdf-n-quads', 87, 'NQuads'),
  rdf('RDF 1.1 XML', 'rdf-xml', 166, 'XML'),
  jsonLd('JSON-LD 1.1 toRdf', 'toRdf', 345, [['PositiveEvaluationTest', toRdfEvaluation]]),
  jsonLd('JSON-LD 1.1 toRdf errors and syntax', 'toRdf', 122, [
    ['NegativeEvaluationTest', toRdfNegative],
    ['PositiveSyntaxTest', toRdfSyntax],
  ]),
  jsonLd('JSON-LD 1.1 fromRdf round trip', 'fromRdf', 54, [
    ['PositiveEvaluationTest', fromRdfRoundTrip],
    ['NegativeEvaluationTest', fromRdfNegative],
  ]),
  rdf12('RDF 1.2 Turtle', 'rdf-turtle/eval', 29, 'Turtle'),
  rdf12('RDF 1.2 Turtle syntax', 'rdf-turtle/syntax', 74, 'Turtle'),
  rdf12('RDF 1.2 TriG', 'rdf-trig/eval', 25, 'Trig'),
  rdf12('RDF 1.2 TriG syntax', 'rdf-trig/syntax', 35, 'Trig'),
  rdf12('RDF 1.2 N-Triples', 'rdf-n-triples/syntax', 29, 'NTriples'),
  rdf12('RDF 1.2 N-Quads', 'rdf-n-quads/syntax', 27, 'NQuads'),
  rdf12('RDF 1.2 N-Triples canonical form', 'rdf-n-triples/c14n', 41, 'NTriples'),
  rdf12('RDF 1.2 N-Quads canonical form', 'rdf-n-quads/c14n', 41, 'NQuads'),
  rdf12('RDF 1.2 XML', 'rdf-xml/eval', 31, 'XML'),
  sparql('SPARQL 1.1 query evaluation', 'query', 225, [['QueryEvaluationTest', queryEvaluation]]),
  sparql('SPARQL 1.1 query syntax', 'query', 103, [
    ['PositiveSyntaxTest11', sparqlPositiveSyntax],
    ['NegativeSyntaxTest11', sparqlNegativeSyntax],
  ]),
  sparql('SPARQL 1.1 update evaluation', 'update', 94, [['UpdateEvaluationTest', updateEvaluation]]),
  sparql('SPARQL 1.1 update syntax', 'update', 63, [
    ['PositiveUpdateSyntaxTest11', sparqlPositiveSyntax],
    ['NegativeUpdateSyntaxTest11', sparqlNegativeSyntax],
    // The suite types the negative tests of delete-insert so, though their requests are updates.
    ['NegativeSyntaxTest11', sparqlNegativeSyntax],
  ]),
  sparql('SPARQL 1.1 result formats', 'results', 10, [
    ['QueryEvaluationTest', queryEvaluation],
    ['CSVResultFormatTest', queryEvaluation],
  ]),
  sparql('SPARQL 1.1 federation', 'fed', 10, [
    ['QueryEvaluationTest', queryEvaluation],
    ['PositiveSyntaxTest11', sparqlPositiveSyntax],
  ]),
  sparql12('SPARQL 1.2 query evaluation', 63, [['QueryEvaluationTest', queryEvaluation]]),
  sparql12('SPARQL 1.2 update evaluation', 3, [['UpdateEvaluationTest', updateEvaluation]]),
  sparql12('SPARQL 1.2 syntax', 203, [
    ['PositiveSyntaxTest', sparqlPositiveSyntax],
    ['PositiveUpdateSyntaxTest', sparqlPositiveSyntax],
    ['NegativeSyntaxTest', sparqlNegativeSyntax],
    ['NegativeUpdateSyntaxTest', sparqlNegativeSyntax],
  ]),
  http('SPARQL 1.1 protocol', 'protocol', 34, 'ProtocolTest', protocolTest),
  http('SPARQL 1.1 service description', 'service-description', 3, 'ServiceDescriptionTest', serviceDescriptionTest),
  http('SPARQL 1.1 graph store protocol', 'graph-store-protocol', 13, 'GraphStoreProtocolTest', graphStoreTest),
];
