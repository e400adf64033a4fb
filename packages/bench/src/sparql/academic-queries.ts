import { ACADEMIC } from '../academic-data.ts';
import type { NamedQuery } from './named-query.ts';

/** The first resources of the data, present in every document. */
const UNIVERSITY = 'https://data.example/university/0';
const DEPARTMENT = `${UNIVERSITY}/department/0`;

const PREFIX = `PREFIX : <${ACADEMIC}>\n`;

/**
 * Queries over the academic data: one of each kind in the shared folder of LUBM queries, with the
 * same numbers.
 */
export const ACADEMIC_QUERIES: readonly NamedQuery[] = Object.entries({
  '01-point': `SELECT ?property ?value { <${DEPARTMENT}/professor/0> ?property ?value }`,
  '02-star-selective': `SELECT * {
    ?professor :worksFor <${DEPARTMENT}> ; a :Professor ; :name ?name ; :email ?email ; :interest ?interest ; :degreeFrom ?from }`,
  '03-star-broad': `SELECT * {
    ?student a :Student ; :name ?name ; :email ?email ; :memberOf ?department ; :advisor ?advisor }`,
  '04-chain': `SELECT ?student ?university {
    ?student :advisor ?professor . ?professor :worksFor ?department . ?department :partOf ?home . ?home :name ?university }`,
  '05-triangle-typed': `SELECT ?newest ?middle ?oldest {
    ?newest a :Publication . ?middle a :Publication . ?oldest a :Publication .
    ?newest :cites ?middle . ?middle :cites ?oldest . ?newest :cites ?oldest }`,
  '06-triangle': `SELECT ?student ?professor ?course {
    ?student :advisor ?professor . ?course :taughtBy ?professor . ?student :takes ?course }`,
  '07-contains-scan': `SELECT ?person ?email { ?person :email ?email FILTER(CONTAINS(?email, "rossi.9")) }`,
  '08-regex-scan': `SELECT ?person ?name { ?person :name ?name FILTER(REGEX(?name, "^[g-l].*a (c|d).*o$", "i")) }`,
  '09-optional': `SELECT ?student ?paper ?advisor {
    ?student a :Student OPTIONAL { ?paper :author ?student } OPTIONAL { ?student :advisor ?advisor } }`,
  '10-union': `SELECT ?thing ?name {
    { ?thing a :Professor } UNION { ?thing a :Department } UNION { ?thing a :University } ?thing :name ?name }`,
  '11-group-count': `SELECT ?course (COUNT(?student) AS ?students) { ?student :takes ?course } GROUP BY ?course`,
  '12-type-histogram': `SELECT ?type (COUNT(*) AS ?things) { ?thing a ?type } GROUP BY ?type ORDER BY DESC(?things)`,
  '13-join-group-distinct': `SELECT ?department (COUNT(DISTINCT ?course) AS ?courses) {
    ?student :memberOf ?department . ?student :takes ?course } GROUP BY ?department`,
  '14-distinct-join': `SELECT DISTINCT ?department ?course { ?student :memberOf ?department . ?student :takes ?course }`,
  '15-path-plus': `SELECT ?newer ?older { ?newer :cites+ ?older }`,
  '16-path-sequence-star': `SELECT ?person { ?person (:memberOf|:worksFor)/:partOf* <${UNIVERSITY}> }`,
  '17-construct': `CONSTRUCT { ?professor :teaches ?student } {
    ?course :taughtBy ?professor . ?student :takes ?course }`,
  '18-large-select': `SELECT ?student ?course ?name { ?student :takes ?course . ?student :name ?name }`,
  // ASCII strings: Comunica sorts é with e, whereas SPARQL 1.1 section 15.1 requires code point
  // order.
  '19-order-limit': `SELECT ?professor ?interest { ?professor :interest ?interest } ORDER BY ?interest ?professor LIMIT 10`,
  '20-limit-join': `SELECT ?student ?course ?name { ?student :takes ?course . ?student :name ?name } LIMIT 10`,
  '21-ask': `ASK { ?student :takes <${DEPARTMENT}/course/1> ; a :Student }`,
  '22-count-all': `SELECT (COUNT(*) AS ?quads) { ?subject ?property ?value }`,
  '23-not-exists': `SELECT ?student { ?student a :Student FILTER NOT EXISTS { ?paper :author ?student } }`,
}).map(([name, text]) => ({ name, text: `${PREFIX}${text}\n` }));
