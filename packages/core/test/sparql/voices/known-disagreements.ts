import type { Disagreement, Peer } from './voices.ts';

/** A known difference of other parsers from ours, decided by the text of the specification. */
export interface KnownDisagreement {
  readonly name: string;
  readonly peers: readonly Peer[];
  /**
   * Whose reading the specification supports. `theirs`: ours departs from the grammar on purpose.
   */
  readonly right: 'ours' | 'theirs' | 'open';
  readonly reason: string;
  /** Matches the error message of the parser that refuses the text. */
  readonly refusal: RegExp;
  /** Matches the texts that the row applies to, if the message alone does not tell. */
  readonly text?: RegExp;
  /** A text on which all `peers`, and no others, disagree with ours. */
  readonly example: string;
}

export const KNOWN_DISAGREEMENTS: readonly KnownDisagreement[] = [
  {
    name: 'duplicate variables in SELECT',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 18.2.4.4: "Let PV := {}, a set of variable names". A variable that is added twice is in the set once. Traqula and sparqljs refuse the query.',
    refusal: /used more than once in SELECT|resulting columns have the same name/,
    example: 'SELECT ?a ?a { ?a ?b ?c }',
  },
  {
    name: 'AS with a variable of the pattern',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 18.2.1: the variable of `(expr AS v)` must not be in scope already, and OPTIONAL, GRAPH and VALUES also bring variables into scope. Traqula and sparqljs accept the query in these cases.',
    refusal: /AS cannot assign \S+: the pattern already has/,
    example: 'SELECT (1 AS ?a) { OPTIONAL { ?a ?b ?c } }',
  },
  {
    name: 'AS with a variable of GROUP BY',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 18.2.1: GROUP BY brings its variables into scope, as the tests group-by-scope-bad-1 to -3 of the SPARQL 1.2 suite show. Traqula and sparqljs accept such queries.',
    refusal: /AS cannot assign \S+: GROUP BY/,
    example: 'SELECT (123 AS ?z) { } GROUP BY ?z',
  },
  {
    name: 'BIND of a variable already in use',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 10.1: "The variable introduced by the BIND clause must not have been used in the group graph pattern up to the point of use in BIND." A use in another BIND, a UNION or a SERVICE counts too. Traqula and sparqljs accept the query in these cases.',
    refusal: /(?:BIND|AS) cannot assign \S+: the preceding pattern already has/,
    example: 'SELECT * { BIND(1 AS ?a) BIND(2 AS ?a) }',
  },
  {
    name: 'variables projected with aggregates',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 11.4: "In a query level which uses aggregates, only expressions consisting of aggregates and constants may be projected, with one exception": the variables of GROUP BY. Traqula and sparqljs check this only in queries with GROUP BY.',
    refusal: /may have several values in a group/,
    example: 'SELECT ?b (COUNT(*) AS ?n) { ?a ?p ?b }',
  },
  {
    name: 'SELECT * with an aggregate',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'Section 11.4, quoted above: * projects variables, which are neither aggregates nor constants. Traqula and sparqljs accept the query.',
    refusal: /cannot be combined with groups/,
    example: 'SELECT * { } ORDER BY COUNT(*)',
  },
  {
    name: 'keywords without white space between them',
    peers: ['traqula', 'sparqljs'],
    right: 'open',
    reason:
      'Section 19.3: white space separates "two terminals which would otherwise be (mis-)recognized as one terminal". Ours reads a run of letters as one word. Traqula and sparqljs split some pairs of keywords but not others: sparqljs accepts DROPALL, but not INSERTDATA.',
    refusal: /found "?(?:ORDERBY|DROPALL|SELECTDISTINCT)|Expected an? (?:query|update operation)/,
    text: /\b(?:(?:DROP|CLEAR)(?:SILENT|ALL|DEFAULT|NAMED)|ORDERBY|SELECTDISTINCT)\b/,
    example: 'DROPALL',
  },
  {
    name: 'white space between NOT and EXISTS',
    peers: ['traqula'],
    right: 'ours',
    reason:
      "Rule 126: 'NOT' 'EXISTS' are two terminals, so any white space may separate them. Traqula accepts a single space only.",
    refusal: /unexpected character: ->N<-/,
    text: /NOT\s{2,}(?:EXISTS|IN)\b|NOT[\n\r\t](?:EXISTS|IN)\b/,
    example: 'SELECT * { FILTER NOT\nEXISTS { ?a ?b ?c } }',
  },
  {
    name: 'empty negated property sets',
    peers: ['traqula'],
    right: 'ours',
    reason:
      "Rule 95: PathNegatedPropertySet ::= ... | '(' ( PathOneInPropertySet ( '|' PathOneInPropertySet )* )? ')'. The set may be empty. Traqula refuses it.",
    refusal: /Parse error/,
    text: /!\s*\(\s*\)/,
    example: 'SELECT * { ?a !() ?b }',
  },
  {
    name: 'decimals without digits before the point',
    peers: ['traqula'],
    right: 'ours',
    reason: "Rule 147: DECIMAL ::= [0-9]* '.' [0-9]+. The digits before the point are optional. Traqula requires them.",
    refusal: /Parse error/,
    text: /[\s(,]\.\d/,
    example: 'SELECT * { ?a ?b .5 }',
  },
  {
    name: 'duplicate variables in VALUES',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'SPARQL 1.2: the test duplicated-values-variable of the suite refuses them. The grammar of SPARQL 1.1 does not, but a solution has only one value for a variable (section 18.1.8). Traqula and sparqljs accept them.',
    refusal: /VALUES names \S+ twice/,
    example: 'SELECT * WHERE { VALUES (?a ?a) { (1 1) } }',
  },
  {
    name: 'codepoint escapes in names',
    peers: ['traqula', 'sparqljs'],
    right: 'ours',
    reason:
      'SPARQL 1.1, section 19.2: escapes "can appear anywhere in the query string. They are processed before parsing". Traqula and sparqljs refuse them in names. SPARQL 1.2 permits them in IRIs and strings only, so the test codepoint-esc-03-bad of its suite is a known failure of ours.',
    refusal: /unexpected character: ->\\<-|Parse error.*\\u/s,
    text: /[?\w]\\[uU]/,
    example: 'SELECT * { ?\\u0061 ?b ?c }',
  },
  {
    name: 'codepoint escapes in IRIs',
    peers: ['sparqljs'],
    right: 'ours',
    reason: 'Section 19.2 permits them; its own example is `<ab\\u00E9xy>`. sparqljs refuses them.',
    refusal: /Parse error/,
    text: /<[^<>]*\\u/,
    example: 'SELECT * { <\\u0061> ?b ?c }',
  },
  {
    name: 'syntax that SPARQL 1.2 adds',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      "Rule 118 of SPARQL 1.1 does not permit '!' before another '!', and rule 145 has no base direction. SPARQL 1.2 has both, and ours accepts them. sparqljs refuses them.",
    refusal: /Parse error/,
    text: /!\s*!|"@[\w-]+--(?:ltr|rtl)/,
    example: 'SELECT * { FILTER(! ! true) }',
  },
  {
    name: 'a repeated VALUES keyword',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      "Rule 61: InlineData ::= 'VALUES' DataBlock. A data block begins with a variable or a list of variables. sparqljs accepts a second VALUES before it.",
    refusal: /after VALUES, but found "VALUES"/i,
    example: 'SELECT * { VALUES VALUES ?a { 1 } }',
  },
  {
    name: 'nested aggregates',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'SPARQL 1.2: the test nested-aggregate-functions of the suite refuses them, and the algebra of neither version gives them a meaning. sparqljs accepts them.',
    refusal: /nested in another aggregate/,
    example: 'SELECT (COUNT(SUM(?a)) AS ?x) { ?a ?b ?c }',
  },
  {
    name: 'aggregates in graph patterns',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'Section 19.8, notes of the grammar: aggregates may only be used in SELECT, HAVING and ORDER BY, since a pattern has no groups yet. sparqljs accepts them in patterns.',
    refusal: /aggregates belong in SELECT, HAVING and ORDER BY/,
    example: 'ASK { FILTER(COUNT(*) > 1) }',
  },
  {
    name: 'blank node labels in two basic graph patterns',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'Section 4.1.4: "The same blank node label cannot be used in two different basic graph patterns in the same query." sparqljs detects this in few places.',
    refusal: /is not allowed in two basic graph patterns/,
    example: 'SELECT * { { _:a ?b ?c } { _:a ?b ?d } }',
  },
  {
    name: 'wrong numbers of arguments',
    peers: ['sparqljs'],
    right: 'ours',
    reason:
      'Rules 121 to 124: REGEX and SUBSTR take two or three arguments, REPLACE takes three or four. sparqljs accepts other numbers.',
    refusal: /takes \d or \d arguments/,
    example: 'SELECT * { FILTER REGEX(1, 2, 3, 4) }',
  },
  {
    name: 'empty texts',
    peers: ['traqula', 'sparqljs'],
    right: 'theirs',
    reason:
      'Rule 29: Update ::= Prologue ( Update1 ... )? permits an empty text, which Traqula and sparqljs accept. Ours refuses it on purpose, since it is a mistake of the caller; a comment alone is an update without operations.',
    refusal: /text is empty/,
    example: ' ',
  },
];

/** Whether a row explains the disagreement of one peer. */
function explains({ peers, refusal, text }: KnownDisagreement, peer: Peer, disagreement: Disagreement): boolean {
  const message = disagreement.refusals.ours ?? disagreement.refusals[peer] ?? '';
  return peers.includes(peer) && refusal.test(message) && (text?.test(disagreement.text) ?? true);
}

/** The rows that explain a disagreement; undefined if none explains one of its peers. */
export function explanationOf(disagreement: Disagreement): ReadonlySet<KnownDisagreement> | undefined {
  const rows = disagreement.peers.map((peer) => KNOWN_DISAGREEMENTS.find((row) => explains(row, peer, disagreement)));
  return rows.every((row) => row !== undefined) ? new Set(rows) : undefined;
}
