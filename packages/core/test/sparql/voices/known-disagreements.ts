import type { Disagreement, Peer } from './voices.ts';

/**
 * Something in which another parser differs from ours, decided by the text of the specification.
 */
export interface KnownDisagreement {
  readonly name: string;
  readonly peers: readonly Peer[];
  /** `theirs` where ours does on purpose what the grammar does not say. */
  readonly right: 'ours' | 'theirs' | 'open';
  readonly reason: string;
  /** What the parser that refuses says. */
  readonly refusal: RegExp;
  /** Told from other texts that are refused so. */
  readonly text?: RegExp;
  /** One that shows it, of which all `peers` think otherwise than ours. */
  readonly example: string;
}

export const KNOWN_DISAGREEMENTS: readonly KnownDisagreement[] = [
  {
    name: 'a variable selected twice',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason: 'Section 18.2.4.4: "Let PV := {}, a set of variable names". A variable that is added twice is in the set.',
    refusal: /used more than once in SELECT|resulting columns have the same name/,
    example: 'SELECT ?a ?a { ?a ?b ?c }',
  },
  {
    name: 'AS gives a value to a variable of the pattern',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 18.2.1: the variable of (expr AS v) must not be in scope before; OPTIONAL, GRAPH and VALUES bring variables into scope too.',
    refusal: /AS cannot assign \S+: the pattern already has/,
    example: 'SELECT (1 AS ?a) { OPTIONAL { ?a ?b ?c } }',
  },
  {
    name: 'AS gives a value to a variable of GROUP BY',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason: 'Section 18.2.1: GROUP BY brings its variables into scope; group-by-scope-bad-1 to -3 of the 1.2 suite.',
    refusal: /AS cannot assign \S+: GROUP BY/,
    example: 'SELECT (123 AS ?z) { } GROUP BY ?z',
  },
  {
    name: 'BIND of a variable that the group has',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 10.1: "The variable introduced by the BIND clause must not have been used in the group graph pattern up to the point of use in BIND." Another BIND, a UNION or a SERVICE uses it too.',
    refusal: /(?:BIND|AS) cannot assign \S+: the preceding pattern already has/,
    example: 'SELECT * { BIND(1 AS ?a) BIND(2 AS ?a) }',
  },
  {
    name: 'a variable beside aggregates',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 11.4: "In a query level which uses aggregates, only expressions consisting of aggregates and constants may be projected, with one exception": the variables of GROUP BY. They test it only where there is a GROUP BY.',
    refusal: /may have several values in a group/,
    example: 'SELECT ?b (COUNT(*) AS ?n) { ?a ?p ?b }',
  },
  {
    name: 'SELECT * with an aggregate',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason: 'Section 11.4, as above: * projects variables, which are neither aggregates nor constants.',
    refusal: /cannot be combined with groups/,
    example: 'SELECT * { } ORDER BY COUNT(*)',
  },
  {
    name: 'words without white space between',
    peers: ['traqula', 'sparqljs'],
    right: 'open',
    reason:
      'Section 19.3: white space separates "two terminals which would otherwise be (mis-)recognized as one terminal". Ours takes a run of letters for one word; they know some pairs of words, and not others (sparqljs knows DROPALL and not INSERTDATA).',
    refusal: /found "?(?:ORDERBY|DROPALL|SELECTDISTINCT)|Expected an? (?:query|update operation)/,
    text: /\b(?:(?:DROP|CLEAR)(?:SILENT|ALL|DEFAULT|NAMED)|ORDERBY|SELECTDISTINCT)\b/,
    example: 'DROPALL',
  },
  {
    name: 'NOT and EXISTS apart',
    peers: ['traqula'],
    right: 'ours',
    reason:
      "Rule 126: 'NOT' 'EXISTS' are two terminals, and any white space may stand between; Traqula takes one space only.",
    refusal: /unexpected character: ->N<-/,
    text: /NOT\s{2,}(?:EXISTS|IN)\b|NOT[\n\r\t](?:EXISTS|IN)\b/,
    example: 'SELECT * { FILTER NOT\nEXISTS { ?a ?b ?c } }',
  },
  {
    name: 'an empty negated property set',
    peers: ['traqula'],
    right: 'ours',
    reason:
      "Rule 95: PathNegatedPropertySet ::= ... | '(' ( PathOneInPropertySet ( '|' PathOneInPropertySet )* )? ')'.",
    refusal: /Parse error/,
    text: /!\s*\(\s*\)/,
    example: 'SELECT * { ?a !() ?b }',
  },
  {
    name: 'a decimal without digits before the point',
    peers: ['traqula'],
    right: 'ours',
    reason: "Rule 147: DECIMAL ::= [0-9]* '.' [0-9]+.",
    refusal: /Parse error/,
    text: /[\s(,]\.\d/,
    example: 'SELECT * { ?a ?b .5 }',
  },
  {
    name: 'a variable twice in VALUES',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'SPARQL 1.2: duplicated-values-variable of the suite. The grammar of SPARQL 1.1 says nothing, and a solution has one value for a variable (section 18.1.8).',
    refusal: /VALUES names \S+ twice/,
    example: 'SELECT * WHERE { VALUES (?a ?a) { (1 1) } }',
  },
  {
    name: 'a codepoint escape in a name',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'SPARQL 1.1, section 19.2: escapes "can appear anywhere in the query string. They are processed before parsing". SPARQL 1.2 has them in IRIs and strings alone: codepoint-esc-03-bad is a known failure of the suite.',
    refusal: /unexpected character: ->\\<-|Parse error.*\\u/s,
    text: /[?\w]\\[uU]/,
    example: 'SELECT * { ?\\u0061 ?b ?c }',
  },
  {
    name: 'a codepoint escape in an IRI',
    peers: ['sparqljs'],
    right: 'ours',
    reason: 'Section 19.2, whose own example is <ab\\u00E9xy>.',
    refusal: /Parse error/,
    text: /<[^<>]*\\u/,
    example: 'SELECT * { <\\u0061> ?b ?c }',
  },
  {
    name: 'what SPARQL 1.2 adds',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      "Rule 118 of SPARQL 1.1 has no '!' of a '!', and rule 145 no base direction; SPARQL 1.2 has both, and ours knows it.",
    refusal: /Parse error/,
    text: /!\s*!|"@[\w-]+--(?:ltr|rtl)/,
    example: 'SELECT * { FILTER(! ! true) }',
  },
  {
    name: 'a second VALUES',
    peers: ['sparqljs'],
    right: 'ours',
    reason: "Rule 61: InlineData ::= 'VALUES' DataBlock; a block begins with a variable or a list of them.",
    refusal: /after VALUES, but found "VALUES"/i,
    example: 'SELECT * { VALUES VALUES ?a { 1 } }',
  },
  {
    name: 'aggregates in aggregates',
    peers: ['sparqljs'],
    right: 'ours',
    reason: 'SPARQL 1.2, nested-aggregate-functions of the suite; the algebra of both versions has no meaning for it.',
    refusal: /nested in another aggregate/,
    example: 'SELECT (COUNT(SUM(?a)) AS ?x) { ?a ?b ?c }',
  },
  {
    name: 'aggregates in a pattern',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'Section 19.8, notes of the grammar: aggregates stand in SELECT, HAVING and ORDER BY alone; a pattern has no groups yet.',
    refusal: /aggregates belong in SELECT, HAVING and ORDER BY/,
    example: 'ASK { FILTER(COUNT(*) > 1) }',
  },
  {
    name: 'a blank node in two basic graph patterns',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'Section 4.1.4: "The same blank node label cannot be used in two different basic graph patterns in the same query." sparqljs sees it in few places.',
    refusal: /is not allowed in two basic graph patterns/,
    example: 'SELECT * { { _:a ?b ?c } { _:a ?b ?d } }',
  },
  {
    name: 'too many or few arguments of a function',
    peers: ['sparqljs'],
    right: 'ours',
    reason: 'Rules 121 to 124: REGEX and SUBSTR have two or three arguments, REPLACE has three or four.',
    refusal: /takes \d or \d arguments/,
    example: 'SELECT * { FILTER REGEX(1, 2, 3, 4) }',
  },
  {
    name: 'a text of nothing',
    peers: ['traqula', 'sparqljs'],
    right: 'theirs',
    reason:
      'Rule 29: Update ::= Prologue ( Update1 ... )? takes an empty text. Ours refuses it on purpose, since it is a mistake of the caller; a comment alone is an update of no operations.',
    refusal: /text is empty/,
    example: ' ',
  },
];

/** Whether a row explains what one of the peers sees otherwise. */
function explains({ peers, refusal, text }: KnownDisagreement, peer: Peer, disagreement: Disagreement): boolean {
  const message = disagreement.refusals.ours ?? disagreement.refusals[peer] ?? '';
  return peers.includes(peer) && refusal.test(message) && (text?.test(disagreement.text) ?? true);
}

/** The rows that explain a disagreement; undefined where one of its peers is unexplained. */
export function explanationOf(disagreement: Disagreement): ReadonlySet<KnownDisagreement> | undefined {
  const rows = disagreement.peers.map((peer) => KNOWN_DISAGREEMENTS.find((row) => explains(row, peer, disagreement)));
  return rows.every((row) => row !== undefined) ? new Set(rows) : undefined;
}
