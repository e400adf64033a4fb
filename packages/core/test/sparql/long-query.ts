/** A query that has about everything that the grammar has. */
export const LONG_QUERY = `BASE <http://base/> PREFIX : <urn:> PREFIX x: <urn:x#>
# A comment
SELECT DISTINCT ?s (COUNT(DISTINCT ?o) AS ?n) (GROUP_CONCAT(?o; SEPARATOR=", ") AS ?all) (IF(BOUND(?s), 1e0, -2.5) AS ?i)
FROM <graph> FROM NAMED :g0
WHERE {
  ?s :p0 ?o , [ x:a "a\\tb"@en-GB ; a x:b\\-c ] ; ^:p1|!(:p2|^a)/(:p0+/:p1*)? ( 1 2.0 'three'^^x:d """fo"ur""" '''5''' ) .
  << :a :b ?t ~ :r >> :c <<( :a :b "x"@en--ltr )>> {| :d true |} .
  OPTIONAL { ?o :p1 _:blank . FILTER(?o != ?s && REGEX(STR(?o), "^u(r|n)+", "i") || !(?o IN (1, "2", :c))) }
  { ?s ?p <urn:\\u0075> } UNION { GRAPH ?g { ?s ?p ?z } MINUS { ?s :p9 ?z } }
  BIND(COALESCE(?u + 1 * 2 / 3 - 4, URI("rel"), x:f(DISTINCT ?s)) AS ?c)
  VALUES (?v ?w) { (UNDEF :x) ("1"^^<http://www.w3.org/2001/XMLSchema#byte> -.5) }
  FILTER NOT EXISTS { SELECT * { ?s :none ?y } ORDER BY DESC(?y) ASC(STRLEN(?s)) LIMIT 5 OFFSET 2 }
}
GROUP BY ?s (STR(?v) AS ?k) HAVING (SUM(?n0) > 3) (MIN(?o) <= "z") ORDER BY DESC(?n) ?s LIMIT 10 OFFSET 0
VALUES ?s { :s0 UNDEF }`;
