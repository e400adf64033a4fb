/** The vocabularies of the test manifests. */
export const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
export const QT = 'http://www.w3.org/2001/sw/DataAccess/tests/test-query#';
export const UT = 'http://www.w3.org/2009/sparql/tests/test-update#';
export const RS = 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#';
export const RDFT = 'http://www.w3.org/ns/rdftest#';
export const JLD = 'https://w3c.github.io/json-ld-api/tests/vocab#';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';

/**
 * Where the suites are published: a test's base IRI is the IRI that its file has there, not its
 * place on this disk.
 */
export const RDF_TESTS = 'https://w3c.github.io/rdf-tests/';
export const JSON_LD_API = 'https://w3c.github.io/json-ld-api/';
