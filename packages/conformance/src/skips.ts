const TO_RDF = 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest#';
const FROM_RDF = 'https://w3c.github.io/json-ld-api/tests/fromRdf-manifest#';
const C14N_TRIPLES = 'https://w3c.github.io/rdf-tests/rdf/rdf12/rdf-n-triples/c14n#';
const C14N_QUADS = 'https://w3c.github.io/rdf-tests/rdf/rdf12/rdf-n-quads/c14n#';
const SERVICE = 'http://www.w3.org/2009/sparql/docs/tests/data-sparql11/service/manifest#';
const SYNTAX_FED = 'http://www.w3.org/2009/sparql/docs/tests/data-sparql11/syntax-fed/manifest#';

const JSON_LD_10 =
  'asks for JSON-LD 1.0 behaviour (specVersion json-ld-1.0) that 1.1 changed; the engine is a 1.1 processor';
const MODE_10 = 'asks for processingMode json-ld-1.0; the engine reads JSON-LD 1.1 and has no option for the mode';
const GENERALIZED =
  'asks for generalized RDF (blank nodes as predicates), which JSON-LD 1.1 deprecates and no RDF dataset holds';
const NODE_IN_TERM =
  'has a blank node in a triple term, for which no specification defines canonical labels; the test expects the label of the input';
const NATIVE_TYPES = 'tests the shape made by the option useNativeTypes; export has no options of shape';
const RDF_TYPE = 'tests the shape made by the option useRdfType; export has no options of shape';
const REMOTE =
  'queries remote endpoints; SERVICE is refused unless the host passes a fetcher, and the suite runs without a network';
const FEDERATED_SYNTAX =
  'SERVICE syntax: the engine refuses SERVICE without a fetcher, so that acceptance does not show';

const rows = (base: string, ids: string, reason: string): [string, string][] =>
  ids.split(' ').map((id) => [base + id, reason]);

/** Tests that are not run: test IRI to the reason. */
export const SKIPS: ReadonlyMap<string, string> = new Map([
  ...rows(TO_RDF, 't0118', `${JSON_LD_10}; ${GENERALIZED}`),
  ...rows(TO_RDF, 'te014 te026 te038 te071 te115 te116 ter02 ter03 ter24 ter32', JSON_LD_10),
  ...rows(TO_RDF, 'te075', `${MODE_10}; ${GENERALIZED}`),
  ...rows(TO_RDF, 'tc029 tep02 ter21 ter42 tpi01 tso01 ttn01', MODE_10),
  ...rows(C14N_TRIPLES, 'triple-term-02', NODE_IN_TERM),
  ...rows(C14N_QUADS, 'triple-term-02', NODE_IN_TERM),
  ...rows(FROM_RDF, 't0018 t0027 t0028', NATIVE_TYPES),
  ...rows(FROM_RDF, 't0019', RDF_TYPE),
  ...rows(SERVICE, 'service1 service2 service3 service4a service5 service6 service7', REMOTE),
  ...rows(SYNTAX_FED, 'test_1 test_2 test_3', FEDERATED_SYNTAX),
]);

/** Manifests of the SPARQL 1.1 suite that no category reads: folder to the reason. */
export const MANIFESTS_NOT_RUN: ReadonlyMap<string, string> = new Map([
  ['entailment', 'RDFS, OWL and RIF entailment regimes: the engine answers under simple entailment'],
  ['http-rdf-update', 'deprecated by the suite itself in favour of graph-store-protocol, which is run'],
]);
