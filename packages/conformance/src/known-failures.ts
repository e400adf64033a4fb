const TO_RDF = 'https://w3c.github.io/json-ld-api/tests/toRdf-manifest#';

const FROM_RDF = 'https://w3c.github.io/json-ld-api/tests/fromRdf-manifest#';

const CODEPOINT_ESCAPES = 'https://w3c.github.io/rdf-tests/sparql/sparql12/codepoint-escapes/manifest#';

const RELATIVE_IRI =
  'the document has a relative IRI that nothing resolves; expected is that its triple is dropped in silence, the engine refuses the document (decision 0002)';
const MALFORMED_IRI =
  'the document has a malformed IRI; expected is that its triple is dropped in silence, the engine refuses the document (decision 0002)';
const MALFORMED_TAG =
  'the document has a malformed language tag; expected is that its triple is dropped in silence, the engine refuses the document (decision 0002)';
const TWO_FRAGMENTS =
  'expected is that the triple is dropped whose IRI has two "#"; the engine keeps it, as the IRIREF production of Turtle, N-Quads and SPARQL allows it (decision 0002)';

const ESCAPED_NAME =
  'the query has a codepoint escape in a name; the draft of SPARQL 1.2 refuses that, SPARQL 1.1 section 19.2 allows it anywhere, and texts of the Recommendation stay readable';

const ILL_TYPED_JSON =
  'the data has a literal of datatype rdf:JSON that is not JSON; expected is an error, the export keeps its lexical form, so that nothing is lost';

const rows = (base: string, ids: string, reason: string): [string, string][] =>
  ids.split(' ').map((id) => [base + id, reason]);

/**
 * Tests that fail, and why: test IRI to reason. They stay failures in the table of the report. An
 * entry that passes is an error of the run, so that this table stays true.
 */
export const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map([
  ...rows(TO_RDF, 'te060 tli14', RELATIVE_IRI),
  ...rows(TO_RDF, 'tli12 twf01 twf03 twf04 twf07', MALFORMED_IRI),
  ...rows(TO_RDF, 'twf05', MALFORMED_TAG),
  ...rows(TO_RDF, 'te111 te112', TWO_FRAGMENTS),
  ...rows(CODEPOINT_ESCAPES, 'codepoint-esc-03-bad', ESCAPED_NAME),
  ...rows(FROM_RDF, 'tjs08 tjs09', ILL_TYPED_JSON),
]);
