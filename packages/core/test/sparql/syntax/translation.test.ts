import { describe, expect, it } from 'vitest';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { operationText } from './algebra-text.ts';

/** What a text means, with `:` declared as `urn:`. */
const translated = (text: string) => operationText(prepareOperation(`PREFIX : <urn:> ${text}`));

type Table = readonly (readonly [text: string, algebra: string])[];

/** Patterns inside of `SELECT (1 AS ?_) { ... }`, so that the columns are out of the way. */
const PATTERNS: Readonly<Record<string, Table>> = {
  'basic graph patterns (section 18.2.2.5)': [
    ['', '{}'],
    ['{}', '{}'],
    ['{} {} { {} }', '{}'],
    ['?s ?p ?o', '{?s ?p ?o}'],
    ['?s ?p ?o .', '{?s ?p ?o}'],
    ['?s a :c ; :p 1 , 2 ;; :q 3 ; .', '{?s <rdf:type> :c . ?s :p 1 . ?s :p 2 . ?s :q 3}'],
    ['?s ?p ?o FILTER(?o) ?s :q ?z', '(filter {?s ?p ?o . ?s :q ?z} ?o)'],
    ['?s ?p ?o . FILTER(?o) . ?s :q ?z . FILTER(?z)', '(filter {?s ?p ?o . ?s :q ?z} (&& ?o ?z))'],
    ['?s ?p ?o . { ?s :q ?z }', '(join {?s ?p ?o} {?s :q ?z})'],
    ['?a ?b ?c { ?d ?e ?f { ?g ?h ?i } } ?j ?k ?l', '(join {?a ?b ?c} {?d ?e ?f} {?g ?h ?i} {?j ?k ?l})'],
  ],
  'blank nodes and lists': [
    ['_:x :p [] . _:x :q _:y', '{?.b_x :p ?.a0 . ?.b_x :q ?.b_y}'],
    ['[ :p 1 ]', '{?.a0 :p 1}'],
    ['[ :p [ :q 1 ; :r 2 ] ] :s 3', '{?.a1 :q 1 . ?.a1 :r 2 . ?.a0 :p ?.a1 . ?.a0 :s 3}'],
    ['[] :p 1', '{?.a0 :p 1}'],
    ['() :p ()', '{<rdf:nil> :p <rdf:nil>}'],
    ['(1 ?x)', '{?.a0 <rdf:first> 1 . ?.a0 <rdf:rest> ?.a1 . ?.a1 <rdf:first> ?x . ?.a1 <rdf:rest> <rdf:nil>}'],
    ['(()) :p 1', '{?.a0 <rdf:first> <rdf:nil> . ?.a0 <rdf:rest> <rdf:nil> . ?.a0 :p 1}'],
    ['_:x :p 1 FILTER(true) _:x :q 2', '(filter {?.b_x :p 1 . ?.b_x :q 2} true)'],
    ['_:x :p* 1 . _:x :q 2', '(join (path ?.b_x :p* 1) {?.b_x :q 2})'],
  ],
  'triple terms, reifiers and annotations (SPARQL 1.2)': [
    ['?s ?p <<( :a :b 1 )>>', '{?s ?p <<(:a :b 1)>>}'],
    ['?s ?p <<( ?a a <<( :a :b ?o )>> )>>', '{?s ?p <<?(?a <rdf:type> <<?(:a :b ?o)>>)>>}'],
    ['?s ?p <<( 1 :b [] )>>', '{?s ?p <<?(1 :b ?.a0)>>}'],
    ['<< ?s ?p ?o >>', '{?.a0 <rdf:reifies> <<?(?s ?p ?o)>>}'],
    ['<< :s :p :o ~ ?r >> :q 1', '{?r <rdf:reifies> <<(:s :p :o)>> . ?r :q 1}'],
    [
      '<< << :s :p :o ~ :r >> :p :o ~ >> :q 1',
      '{:r <rdf:reifies> <<(:s :p :o)>> . ?.a0 <rdf:reifies> <<(:r :p :o)>> . ?.a0 :q 1}',
    ],
    ['?s :p << :a :b [] ~ _:r >>', '{?.b_r <rdf:reifies> <<?(:a :b ?.a0)>> . ?s :p ?.b_r}'],
    ['?s :p ?o ~ :r', '{?s :p ?o . :r <rdf:reifies> <<?(?s :p ?o)>>}'],
    ['?s :p ?o {| :q 1 |}', '{?s :p ?o . ?.a0 <rdf:reifies> <<?(?s :p ?o)>> . ?.a0 :q 1}'],
    [
      '?s :p 1 ~ :r {| :q ?z ; a :c |} {| :q 2 |} ~ ~ :t, 3',
      '{?s :p 1 . :r <rdf:reifies> <<?(?s :p 1)>> . :r :q ?z . :r <rdf:type> :c . ?.a0 <rdf:reifies> <<?(?s :p 1)>> . ?.a0 :q 2 . ' +
        '?.a1 <rdf:reifies> <<?(?s :p 1)>> . :t <rdf:reifies> <<?(?s :p 1)>> . ?s :p 3}',
    ],
    ['?s ?p ?o {| :q/:r ?z |}', '{?s ?p ?o . ?.a0 <rdf:reifies> <<?(?s ?p ?o)>> . ?.a0 :q ?.p1 . ?.p1 :r ?z}'],
  ],
  'property paths (sections 18.2.2.3 and 18.2.2.4)': [
    ['?s :p ?o', '{?s :p ?o}'],
    ['?s (:p) ?o', '{?s :p ?o}'],
    ['?s ^:p ?o', '{?o :p ?s}'],
    ['?s :p/:q ?o', '{?s :p ?.p0 . ?.p0 :q ?o}'],
    ['?s ^(:p/:q) ?o', '{?o :p ?.p0 . ?.p0 :q ?s}'],
    ['?s :p/^:q/:r ?o', '{?s :p ?.p0 . ?.p1 :q ?.p0 . ?.p1 :r ?o}'],
    ['?x :a ?s . ?s :p/:q+/:r ?o', '(join {?x :a ?s . ?s :p ?.p0} (path ?.p0 :q+ ?.p1) {?.p1 :r ?o})'],
    ['?s :p|:q ?o', '(path ?s (:p|:q) ?o)'],
    ['?s (:p|^:q)/a ?o', '(join (path ?s (:p|^:q) ?.p0) {?.p0 <rdf:type> ?o})'],
    ['?s ^(:p|:q) ?o', '(path ?o (:p|:q) ?s)'],
    ['?s (:p/:q)* ?o', '(path ?s (:p/:q)* ?o)'],
    ['?s :p? ?o ; :q+ ?z', '(join (path ?s :p? ?o) (path ?s :q+ ?z))'],
    ['?s ^:p* ?o', '(path ?o :p* ?s)'],
    ['?s (^:p)* ?o', '(path ?s ^:p* ?o)'],
    ['?s !:p ?o', '(path ?s !(:p) ?o)'],
    ['?s !(:p|a) ?o', '(path ?s !(:p|<rdf:type>) ?o)'],
    ['?s !^:p ?o', '(path ?o !(:p) ?s)'],
    ['?s !(^:p|:q|^a) ?o', '(path ?s !(:q|^:p|^<rdf:type>) ?o)'],
    ['?s !() ?o', '(path ?s !() ?o)'],
    ['?s :p? ?o', '(path ?s :p? ?o)'],
    ['?s :p ?o . ?s :p +1', '{?s :p ?o . ?s :p +1}'],
    ['(1) :p+ 2', '(join {?.a0 <rdf:first> 1 . ?.a0 <rdf:rest> <rdf:nil>} (path ?.a0 :p+ 2))'],
  ],
  'groups (section 18.2.2.6)': [
    ['OPTIONAL { ?s ?p ?o }', '(left {} {?s ?p ?o})'],
    ['?a ?b ?c OPTIONAL { ?s ?p ?o FILTER(?c) FILTER(?o) }', '(left {?a ?b ?c} {?s ?p ?o} if (&& ?c ?o))'],
    ['OPTIONAL { { ?s ?p ?o FILTER(?c) } }', '(left {} (filter {?s ?p ?o} ?c))'],
    ['?a ?b ?c OPTIONAL { ?s ?p ?o } ?d ?e ?f', '(join (left {?a ?b ?c} {?s ?p ?o}) {?d ?e ?f})'],
    ['?a ?b ?c MINUS { ?s ?p ?o } . ?d ?e ?f', '(join (minus {?a ?b ?c} {?s ?p ?o}) {?d ?e ?f})'],
    ['{ ?a ?b ?c } UNION { ?d ?e ?f } UNION {}', '(union {?a ?b ?c} {?d ?e ?f} {})'],
    ['{ { ?a ?b ?c } UNION { ?d ?e ?f } } UNION { ?g ?h ?i }', '(union {?a ?b ?c} {?d ?e ?f} {?g ?h ?i})'],
    ['{ ?a ?b ?c FILTER(?a) } ?d ?e ?f', '(join (filter {?a ?b ?c} ?a) {?d ?e ?f})'],
    ['GRAPH :g {}', '(graph :g {})'],
    ['GRAPH ?g { ?a ?b ?c } ?d ?e ?f', '(join (graph ?g {?a ?b ?c}) {?d ?e ?f})'],
    ['?a ?b ?c BIND(?a AS ?x) ?d ?e ?x', '(join (extend {?a ?b ?c} ?x ?a) {?d ?e ?x})'],
    ['BIND(1 AS ?x) BIND(2 AS ?y)', '(extend (extend {} ?x 1) ?y 2)'],
    ['{ BIND(1 AS ?x) } BIND(2 AS ?y)', '(extend (extend {} ?x 1) ?y 2)'],
    ['?a ?b ?c VALUES ?x { 1 :y UNDEF "z"@en }', '(join {?a ?b ?c} (values [x] (1)(:y)(UNDEF)("z"@en)))'],
    [
      'VALUES (?x ?y) { (1 UNDEF) (<<( :a a <<( :b :c 1 )>> )>> true) }',
      '(values [x y] (1 UNDEF)(<<(:a <rdf:type> <<(:b :c 1)>>)>> true))',
    ],
    ['VALUES () { () ( ) }', '(values [] ()())'],
    ['VALUES ?x {}', '(values [x] )'],
    [
      'SERVICE SILENT :e { ?a ?b ?c FILTER(?c) }',
      '(service silent :e (filter {?a ?b ?c} ?c) "{ ?a ?b ?c FILTER(?c) }")',
    ],
    ['SERVICE ?e {}', '(service ?e {} "{}")'],
    ['{ SELECT ?s { ?s ?p ?o } } ?s :q ?z', '(join (project {?s ?p ?o} [s]) {?s :q ?z})'],
    ['{ SELECT DISTINCT * { ?s ?p _:b } LIMIT 2 }', '(slice (distinct (project {?s ?p ?.b_b} [s p])) 0 2)'],
    ['{ SELECT ?x {} VALUES ?x { 1 } }', '(project (values [x] (1)) [x])'],
  ],
  'operators and functions (section 17)': [
    ['FILTER(?a || ?b && ?c = ?d + ?e * !?f)', '(filter {} (|| ?a (&& ?b (= ?c (+ ?d (* ?e (! ?f)))))))'],
    ['FILTER(?a - ?b - ?c / ?d / ?e)', '(filter {} (- (- ?a ?b) (/ (/ ?c ?d) ?e)))'],
    ['FILTER(?x -1)', '(filter {} (- ?x 1))'],
    ['FILTER(2-1)', '(filter {} (- 2 1))'],
    ['FILTER(2 - -1)', '(filter {} (- 2 -1))'],
    ['FILTER(?x -1*2+3.5 *?y)', '(filter {} (+ (- ?x (* 1 2)) (* 3.5 ?y)))'],
    ['FILTER(-1 + +?x)', '(filter {} (+ -1 (unary+ ?x)))'],
    ['FILTER(-?x*--1)', '(filter {} (* (unary- ?x) (unary- -1)))'],
    ['FILTER(!!?x)', '(filter {} (! (! ?x)))'],
    ['FILTER(?a<?b)', '(filter {} (< ?a ?b))'],
    ['FILTER(?a<<urn:b>)', '(filter {} (< ?a :b))'],
    ['FILTER(?a<=?b)', '(filter {} (<= ?a ?b))'],
    ['FILTER(?a in (1, ?b) && ?c NoT iN ())', '(filter {} (&& (IN ?a 1 ?b) (NOT IN ?c)))'],
    ['FILTER(?a || ?b || ?c || ?d)', '(filter {} (|| (|| ?a ?b) (|| ?c ?d)))'],
    ['FILTER((?a || ?b) && (?c))', '(filter {} (&& (|| ?a ?b) ?c))'],
    ['FILTER regex(?x, "a", "i")', '(filter {} (REGEX ?x "a" "i"))'],
    ['FILTER :f(DISTINCT ?x, 1)', '(filter {} (:f DISTINCT ?x 1))'],
    ['FILTER :f()', '(filter {} (:f))'],
    ['FILTER(URI(?x) = :f && isURI(?x))', '(filter {} (&& (= (IRI ?x) :f) (ISIRI ?x)))'],
    [
      'FILTER(COALESCE() || CONCAT(?x) || BNODE() || BNODE(?x) || BOUND(?x) || RAND())',
      '(filter {} (|| (|| (COALESCE) (|| (CONCAT ?x) (BNODE))) (|| (BNODE ?x) (|| (BOUND ?x) (RAND)))))',
    ],
    ['FILTER EXISTS { ?a ?b ?c } FILTER NOT EXISTS {}', '(filter {} (&& (exists {?a ?b ?c}) (notExists {})))'],
    ['FILTER(1 = 1 && EXISTS { FILTER(?a) })', '(filter {} (&& (= 1 1) (exists (filter {} ?a))))'],
    [
      'FILTER(<<( ?a a "x" )>> = <<( :a :b <<( :a :b 1 )>> )>>)',
      '(filter {} (= (TRIPLE ?a <rdf:type> "x") <<(:a :b <<(:a :b 1)>>)>>))',
    ],
    [
      'FILTER(isTRIPLE(TRIPLE(?a, ?b, ?c)) || hasLANGDIR(STRLANGDIR("a", "en", "ltr")))',
      '(filter {} (|| (ISTRIPLE (TRIPLE ?a ?b ?c)) (HASLANGDIR (STRLANGDIR "a" "en" "ltr"))))',
    ],
  ],
};

/** Whole operations. */
const OPERATIONS: Readonly<Record<string, Table>> = {
  'SELECT (sections 18.2.4 and 18.2.5)': [
    ['SELECT ?x ?x { ?x ?y ?z }', '(project {?x ?y ?z} [x])'],
    [
      'SELECT * { ?x ?y _:b OPTIONAL { ?w ?y ?v } MINUS { ?n ?y ?x } FILTER EXISTS { ?n ?y ?x } }',
      '(project (filter (minus (left {?x ?y ?.b_b} {?w ?y ?v}) {?n ?y ?x}) (exists {?n ?y ?x})) [x y w v])',
    ],
    [
      'SELECT * { { SELECT (1 AS ?b) ?a { ?a ?c ?d } } GRAPH ?g { BIND(2 AS ?e) } VALUES ?f {} }',
      '(project (join (project (extend {?a ?c ?d} ?b 1) [b a]) (graph ?g (extend {} ?e 2)) (values [f] )) [b a g e f])',
    ],
    [
      'SELECT * { ?s ?p <<( ?a ?b ?c )>> } VALUES ?v { 1 }',
      '(project (join {?s ?p <<?(?a ?b ?c)>>} (values [v] (1))) [s p a b c v])',
    ],
    ['SELECT (1 AS ?a) (?a + 1 AS ?b) ?c {}', '(project (extend (extend {} ?a 1) ?b (+ ?a 1)) [a b c])'],
    [
      'SELECT DISTINCT ?s { ?s ?p ?o } ORDER BY ?o DESC(?s) ASC(?p) STR(?o) (?o) LIMIT 3 OFFSET 4',
      '(slice (distinct (project (order {?s ?p ?o} ?o, desc ?s, ?p, (STR ?o), ?o) [s])) 4 3)',
    ],
    ['SELECT REDUCED ?s {} OFFSET 4', '(slice (reduced (project {} [s])) 4 all)'],
    [
      'SELECT ?s FROM :g FROM NAMED :h FROM :i WHERE {} LIMIT 0',
      '(slice (project {} [s]) 0 0) from [urn:g,urn:i] named [urn:h]',
    ],
    ['SELECT ?s {} HAVING(?s > 1) (?s < 2)', '(project (filter {} (&& (> ?s 1) (< ?s 2))) [s])'],
  ],
  'groups and aggregates (section 18.2.4.1)': [
    [
      'SELECT (COUNT(*) AS ?n) { ?s ?p ?o }',
      '(project (extend (group {?s ?p ?o} [] [?.agg0=COUNT(*)]) ?n ?.agg0) [n])',
    ],
    ['SELECT ?s { ?s ?p ?o } GROUP BY ?s ?s', '(project (group {?s ?p ?o} [?s] []) [s])'],
    [
      'SELECT (AVG(DISTINCT ?x) + SUM(?x*2) AS ?n) {}',
      '(project (extend (group {} [] [?.agg0=AVG(DISTINCT ?x) ?.agg1=SUM((* ?x 2))]) ?n (+ ?.agg0 ?.agg1)) [n])',
    ],
    [
      'SELECT (GROUP_CONCAT(?x) AS ?a) (GROUP_CONCAT(DISTINCT ?x ; SEPARATOR = ", ") AS ?b) {}',
      '(project (extend (extend (group {} [] [?.agg0=GROUP_CONCAT(?x " ") ?.agg1=GROUP_CONCAT(DISTINCT ?x ", ")]) ?a ?.agg0) ?b ?.agg1) [a b])',
    ],
    // An aggregate that is repeated is one.
    [
      'SELECT ?s (COUNT(?o) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING(COUNT(?o) > 1) ORDER BY DESC(COUNT(?o))',
      '(project (order (extend (filter (group {?s ?p ?o} [?s] [?.agg0=COUNT(?o)]) (> ?.agg0 1)) ?n ?.agg0) desc ?.agg0) [s n])',
    ],
    [
      'SELECT ?k { ?s ?p ?o } GROUP BY (STR(?o) AS ?k) STR(?p) (?s)',
      '(project (group (extend {?s ?p ?o} ?k (STR ?o)) [?k ?.key0=(STR ?p) ?s] []) [k])',
    ],
    [
      'SELECT ?k (COUNT(?k) AS ?n) { ?s ?p ?o } GROUP BY (?o AS ?k)',
      '(project (extend (group (extend {?s ?p ?o} ?k ?o) [?k] [?.agg0=COUNT(?k)]) ?n ?.agg0) [k n])',
    ],
    [
      'SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING(?o > 1 && ?s = 2) ORDER BY ?p ?s',
      '(project (order (filter (group {?s ?p ?o} [?s] [?.agg0=SAMPLE(?o) ?.agg1=SAMPLE(?p)]) (&& (> ?.agg0 1) (= ?s 2))) ?.agg1, ?s) [s])',
    ],
    [
      'SELECT (MAX(?o) AS ?m) (?m + 1 AS ?k) { ?s ?p ?o } ORDER BY ?k',
      '(project (order (extend (extend (group {?s ?p ?o} [] [?.agg0=MAX(?o)]) ?m ?.agg0) ?k (+ ?m 1)) ?k) [m k])',
    ],
    [
      'SELECT ?s { ?s ?p ?o } GROUP BY ?s VALUES ?s { 1 }',
      '(project (join (group {?s ?p ?o} [?s] []) (values [s] (1))) [s])',
    ],
    [
      'SELECT (SUM(IF(EXISTS { SELECT (MIN(?z) AS ?m) { ?x ?y ?z } }, 1, 0)) AS ?n) {}',
      '(project (extend (group {} [] [?.agg1=SUM((IF (exists (project (extend (group {?x ?y ?z} [] [?.agg0=MIN(?z)]) ?m ?.agg0) [m])) 1 0))]) ?n ?.agg1) [n])',
    ],
    [
      'ASK { ?s ?p ?o } GROUP BY ?s HAVING(COUNT(*) > 1)',
      '(ask (filter (group {?s ?p ?o} [?s] [?.agg0=COUNT(*)]) (> ?.agg0 1)))',
    ],
  ],
  'ASK, CONSTRUCT and DESCRIBE': [
    ['ASK WHERE { ?s ?p ?o } OFFSET 1', '(ask (slice {?s ?p ?o} 1 all))'],
    ['ASK FROM :g {}', '(ask {}) from [urn:g] named []'],
    [
      'CONSTRUCT { ?s :p _:x . _:x :q [] , (1) } WHERE { ?s ?p _:x }',
      '(construct {?s :p _:x . _:x :q _:.a0 . _:.a1 <rdf:first> 1 . _:.a1 <rdf:rest> <rdf:nil> . _:x :q _:.a1} {?s ?p ?.b_x})',
    ],
    ['CONSTRUCT {} FROM :g { ?s ?p ?o } LIMIT 1', '(construct {} (slice {?s ?p ?o} 0 1)) from [urn:g] named []'],
    [
      'CONSTRUCT { ?s ?p ?o ~ ?r {| :q _:b |} } {}',
      '(construct {?s ?p ?o . ?r <rdf:reifies> <<?(?s ?p ?o)>> . ?r :q _:b} {})',
    ],
    [
      'CONSTRUCT WHERE { ?s :p _:x . _:x :q [] }',
      '(construct {?s :p _:.b_x . _:.b_x :q _:.a0} {?s :p ?.b_x . ?.b_x :q ?.a0})',
    ],
    ['CONSTRUCT FROM :g WHERE {} VALUES ?x { 1 }', '(construct {} (values [x] (1))) from [urn:g] named []'],
    ['DESCRIBE :a', '(describe :a)'],
    ['DESCRIBE :a ?x { ?x ?y ?z }', '(describe :a ?x {?x ?y ?z})'],
    ['DESCRIBE * { ?x ?y [] }', '(describe ?x ?y {?x ?y ?.a0})'],
    ['DESCRIBE ?x VALUES ?x { :a }', '(describe ?x (values [x] (:a)))'],
    ['DESCRIBE ?x', '(describe ?x {})'],
    ['DESCRIBE * { ?x ?y ?z } GROUP BY ?y STR(?z)', '(describe ?y (group {?x ?y ?z} [?y ?.key0=(STR ?z)] []))'],
  ],
  updates: [
    ['', ''],
    ['# nothing', ''],
    ['INSERT DATA {}', '(insertData {})'],
    [
      'INSERT DATA { :a :p _:x , _:x GRAPH :g { _:x :q 1 } . :b :r <<( _:x :p 1 )>> } ;',
      '(insertData {:a :p _:x . :a :p _:x . _:x :q 1 @ :g . :b :r <<?(_:x :p 1)>>})',
    ],
    ['DELETE DATA { :a :p 1 . GRAPH :g {} GRAPH :h { :a :p 2 } }', '(deleteData {:a :p 1 . :a :p 2 @ :h})'],
    [
      'DELETE WHERE { ?s ?p ?o GRAPH ?g { ?s ?p ?z . ?z ?p 1 } ?z :p ?s }',
      '(modify - {?s ?p ?o . ?s ?p ?z @ ?g . ?z ?p 1 @ ?g . ?z :p ?s} + {} (join {?s ?p ?o} (graph ?g {?s ?p ?z . ?z ?p 1}) {?z :p ?s}))',
    ],
    [
      'WITH :g DELETE { ?s ?p ?o } INSERT { ?s ?p _:x GRAPH ?h { ?s ?p _:x } } USING :i USING NAMED :j WHERE { ?s ?p _:x }',
      '(modify with urn:g - {?s ?p ?o} + {?s ?p _:x . ?s ?p _:x @ ?h} {?s ?p ?.b_x}) from [urn:i] named [urn:j]',
    ],
    [
      'INSERT { << ?s ?p ?o >> :p 1 } WHERE {} ; DELETE { << ?s ?p ?o ~ ?r >> :p 1 } WHERE {}',
      '(modify - {} + {_:.a0 <rdf:reifies> <<?(?s ?p ?o)>> . _:.a0 :p 1} {}) ; (modify - {?r <rdf:reifies> <<?(?s ?p ?o)>> . ?r :p 1} + {} {})',
    ],
    ['LOAD :d ; LOAD SILENT :d INTO GRAPH :g', '(load {"iri":"urn:d"}) ; (load silent {"iri":"urn:d","into":"urn:g"})'],
    [
      'CLEAR ALL ; CLEAR SILENT NAMED ; DROP DEFAULT ; DROP GRAPH :g',
      '(clear {"target":"all"}) ; (clear silent {"target":"named"}) ; (drop {"target":"default"}) ; (drop {"target":{"iri":"urn:g"}})',
    ],
    ['CREATE GRAPH :g ; CREATE SILENT GRAPH :g', '(create {"iri":"urn:g"}) ; (create silent {"iri":"urn:g"})'],
    [
      'ADD :a TO :b ; MOVE DEFAULT TO GRAPH :b ; COPY SILENT GRAPH :a TO DEFAULT',
      '(add {"from":{"iri":"urn:a"},"to":{"iri":"urn:b"}}) ; (move {"from":"default","to":{"iri":"urn:b"}}) ; (copy silent {"from":{"iri":"urn:a"},"to":"default"})',
    ],
    // A label may come again in other templates, and in the patterns of the same operation (section
    // 19.6).
    [
      'INSERT { _:x :p 1 } WHERE { _:x :q 2 } ; INSERT { _:x :p 1 } WHERE {} ; INSERT DATA { _:x :p 1 }',
      '(modify - {} + {_:x :p 1} {?.b_x :q 2}) ; (modify - {} + {_:x :p 1} {}) ; (insertData {_:x :p 1})',
    ],
    [
      'DROP ALL ; PREFIX : <urn:other:> PREFIX x: <urn:x:> CREATE GRAPH :g ; CREATE GRAPH x:g',
      '(drop {"target":"all"}) ; (create {"iri":"urn:other:g"}) ; (create {"iri":"urn:x:g"})',
    ],
  ],
};

describe('prepareOperation translates', () => {
  for (const [name, table] of Object.entries(PATTERNS)) {
    it.each(table.map((row) => [...row]))(`${name}: %s`, (pattern, algebra) => {
      expect(translated(`SELECT (1 AS ?_) { ${pattern} }`)).toBe(`(project (extend ${algebra} ?_ 1) [_])`);
    });
  }
  for (const [name, table] of Object.entries(OPERATIONS)) {
    it.each(table.map((row) => [...row]))(`${name}: %s`, (text, algebra) => {
      expect(translated(text)).toBe(algebra);
    });
  }
});

describe('names of JavaScript', () => {
  it('are names like others', () => {
    const text =
      'PREFIX constructor: <urn:c:> SELECT * { ?__proto__ constructor:__proto__ ?constructor . _:__proto__ a constructor:x }';
    expect(operationText(prepareOperation(text))).toBe(
      '(project {?__proto__ :c:__proto__ ?constructor . ?.b___proto__ <rdf:type> :c:x} [__proto__ constructor])',
    );
    expect(() => prepareOperation('SELECT * { ?s constructor:p ?o }')).toThrow(
      'The prefix "constructor:" is not declared',
    );
    expect(() => prepareOperation('SELECT (toString(?x) AS ?y) {}')).toThrow(
      'Expected an expression, but found "toString"',
    );
  });
});

describe('the base IRI', () => {
  const iris = (text: string, baseIri?: string) => JSON.stringify(prepareOperation(text, { baseIri }));

  it('comes from the caller, and BASE may be relative to it', () => {
    expect(iris('SELECT * { <> <b?q> <#c> }', 'http://x/d/a')).toMatch(
      /"http:\/\/x\/d\/a".*"http:\/\/x\/d\/b\?q".*"http:\/\/x\/d\/a#c"/,
    );
    expect(iris('BASE <e/> BASE <f/> PREFIX p: <g#> SELECT * { <../h> p:i <//y/> }', 'http://x/d/a')).toMatch(
      /"http:\/\/x\/d\/e\/h".*"http:\/\/x\/d\/e\/f\/g#i".*"http:\/\/y\/"/,
    );
  });

  it('is kept for IRI()', () => {
    expect(prepareOperation('ASK {}', { baseIri: 'http://x/' })).toMatchObject({ baseIri: 'http://x/' });
    expect(prepareOperation('BASE <urn:a> ASK {}', { baseIri: 'http://x/' })).toMatchObject({ baseIri: 'urn:a' });
    expect(prepareOperation('BASE <urn:a> DELETE {} WHERE {} ; BASE <urn:b> INSERT {} WHERE {}')).toMatchObject({
      operations: [{ baseIri: 'urn:a' }, { baseIri: 'urn:b' }],
    });
  });
});
