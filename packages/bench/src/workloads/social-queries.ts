import { vocabularyPrefix } from './entity.ts';
import { workloadQueries } from './workload-queries.ts';

const NEAR = `${vocabularyPrefix('social')}near`;

/** What people see, what is recommended to them, and what their graph looks like. */
export const SOCIAL_QUERIES = workloadQueries('social', {
  '01-timeline': {
    sparql: `SELECT ?post ?created ?content { <person/5> :follows ?person . ?post :creator ?person ; :created ?created ;
      :content ?content } ORDER BY DESC(?created) ?post LIMIT 20`,
    tables: `SELECT iri('post', p.id) AS post, created, content FROM person_follows f JOIN post p ON p.creator = f.follows
      WHERE f.id = 5 ORDER BY p.created DESC, post LIMIT 20`,
    ids: `SELECT p.text AS post, t.text AS created, c.text AS content
      FROM {m follows f, p creator f, p created t, p content c} WHERE $m = id_of('person', 5)
      ORDER BY t.time DESC, post LIMIT 20`,
  },
  '02-recommend-people': {
    sparql: `SELECT ?person (COUNT(?friend) AS ?paths) { <person/5> :follows ?friend . ?friend :follows ?person
      FILTER(?person != <person/5>) FILTER NOT EXISTS { <person/5> :follows ?person } }
      GROUP BY ?person ORDER BY DESC(?paths) ?person LIMIT 10`,
    tables: `SELECT iri('person', b.follows) AS person, count(*) AS paths
      FROM person_follows a JOIN person_follows b ON b.id = a.follows
      WHERE a.id = 5 AND b.follows <> 5 AND NOT EXISTS (FROM person_follows c WHERE c.id = 5 AND c.follows = b.follows)
      GROUP BY b.follows ORDER BY paths DESC, person LIMIT 10`,
    ids: `SELECT any_value(p.text) AS person, count(*) AS paths FROM {m follows f, f follows p}
      WHERE $m = id_of('person', 5) AND $p <> $m AND NOT EXISTS (FROM follows c WHERE c.s = $m AND c.o = $p)
      GROUP BY $p ORDER BY paths DESC, person LIMIT 10`,
  },
  '03-trending-tags': {
    sparql: `SELECT ?tag (COUNT(?who) AS ?likes) { ?post :created ?created ; :tag ?tag . ?who :likes ?post
      FILTER(?created >= "2022-01-01T00:00:00Z"^^xsd:dateTime && ?created < "2022-02-01T00:00:00Z"^^xsd:dateTime) }
      GROUP BY ?tag ORDER BY DESC(?likes) ?tag LIMIT 10`,
    tables: `SELECT iri('tag', t.tag) AS tag, count(*) AS likes FROM post p JOIN post_tag t ON t.id = p.id
      JOIN person_likes l ON l.likes = p.id
      WHERE created >= TIMESTAMP '2022-01-01 00:00:00' AND created < TIMESTAMP '2022-02-01 00:00:00'
      GROUP BY t.tag ORDER BY likes DESC, tag LIMIT 10`,
    ids: `SELECT any_value(g.text) AS tag, count(*) AS likes FROM {p created t, p tag g, w likes p}
      WHERE t.time >= TIMESTAMP '2022-01-01 00:00:00' AND t.time < TIMESTAMP '2022-02-01 00:00:00'
      GROUP BY $g ORDER BY likes DESC, tag LIMIT 10`,
  },
  '04-posts-by-month': {
    sparql: `SELECT ?year ?month (COUNT(?post) AS ?posts) { ?post :created ?created
      BIND(YEAR(?created) AS ?year) BIND(MONTH(?created) AS ?month) } GROUP BY ?year ?month`,
    tables: `SELECT year(created) AS year, month(created) AS month, count(*) AS posts FROM post GROUP BY ALL`,
    ids: `SELECT year(t.time) AS year, month(t.time) AS month, count(*) AS posts FROM {p created t} GROUP BY ALL`,
  },
  '05-mutual': {
    sparql: `SELECT (COUNT(*) AS ?pairs) { ?a :follows ?b . ?b :follows ?a FILTER(STR(?a) < STR(?b)) }`,
    tables: `SELECT count(*) AS pairs FROM person_follows a JOIN person_follows b ON b.id = a.follows AND b.follows = a.id
      WHERE a.id < a.follows`,
    ids: `SELECT count(*) AS pairs FROM {a follows b, b follows a} WHERE $a < $b`,
  },
  '06-longest-threads': {
    sparql: `SELECT ?root (COUNT(?reply) AS ?replies) { ?reply :replyOf+ ?root
      FILTER NOT EXISTS { ?root :replyOf ?other } } GROUP BY ?root ORDER BY DESC(?replies) ?root LIMIT 10`,
    tables: `WITH RECURSIVE thread(root, id) AS (
        SELECT r.id, p.id FROM post p JOIN post r ON r.id = p.replyOf WHERE r.replyOf IS NULL
        UNION ALL SELECT root, p.id FROM thread t JOIN post p ON p.replyOf = t.id)
      SELECT iri('post', root) AS root, count(*) AS replies FROM thread t GROUP BY t.root
      ORDER BY replies DESC, root LIMIT 10`,
    ids: `WITH RECURSIVE thread(root, id) AS (
        SELECT o, s FROM replyOf r WHERE NOT EXISTS (FROM replyOf u WHERE u.s = r.o)
        UNION ALL SELECT root, p.s FROM thread t JOIN replyOf p ON p.o = t.id)
      SELECT any_value(x.text) AS root, count(*) AS replies FROM thread t JOIN terms x ON x.id = t.root GROUP BY t.root
      ORDER BY replies DESC, root LIMIT 10`,
  },
  '07-most-liked': {
    sparql: `SELECT ?post (COUNT(?who) AS ?likes) { ?who :likes ?post } GROUP BY ?post ORDER BY DESC(?likes) ?post LIMIT 10`,
    tables: `SELECT iri('post', l.likes) AS post, count(*) AS likes FROM person_likes l GROUP BY l.likes
      ORDER BY count(*) DESC, post LIMIT 10`,
    ids: `SELECT t.text AS post, n AS likes FROM (SELECT o, count(*) AS n FROM likes GROUP BY o) g
      JOIN terms t ON t.id = g.o ORDER BY n DESC, post LIMIT 10`,
  },
  '08-contains': {
    sparql: `SELECT ?post ?content { ?post :content ?content FILTER(CONTAINS(LCASE(?content), "keyboard")) }`,
    tables: `SELECT iri('post', id) AS post, content FROM post WHERE contains(lower(content), 'keyboard')`,
    ids: `SELECT p.text AS post, c.text AS content FROM {p content c} WHERE contains(lower(c.text), 'keyboard')`,
  },
  '09-regex': {
    sparql: `SELECT ?post { ?post :content ?content FILTER(REGEX(?content, "^(the|great|easy).*(week|price|good)\\\\.$", "i")) }`,
    tables: `SELECT iri('post', id) AS post FROM post WHERE regexp_matches(content, '^(the|great|easy).*(week|price|good)\\.$', 'i')`,
    ids: `SELECT p.text AS post FROM {p content c} WHERE regexp_matches(c.text, '^(the|great|easy).*(week|price|good)\\.$', 'i')`,
  },
  '10-silent': {
    sparql: `SELECT ?person ?title { ?person a :Person ; :title ?title FILTER NOT EXISTS { ?post :creator ?person } }`,
    tables: `SELECT iri('person', id) AS person, title FROM person p WHERE NOT EXISTS (FROM post WHERE creator = p.id)`,
    ids: `SELECT t.text AS person, n.text AS title FROM is_person p JOIN terms t ON t.id = p.s
      JOIN title l ON l.s = p.s JOIN terms n ON n.id = l.o WHERE NOT EXISTS (FROM creator c WHERE c.o = p.s)`,
  },
  '11-liked-together': {
    sparql: `SELECT ?other (COUNT(?post) AS ?common) { <person/5> :likes ?post . ?other :likes ?post
      FILTER(?other != <person/5>) } GROUP BY ?other ORDER BY DESC(?common) ?other LIMIT 10`,
    tables: `SELECT iri('person', b.id) AS other, count(*) AS common FROM person_likes a JOIN person_likes b ON b.likes = a.likes
      WHERE a.id = 5 AND b.id <> 5 GROUP BY b.id ORDER BY common DESC, other LIMIT 10`,
    ids: `SELECT any_value(w.text) AS other, count(*) AS common FROM {m likes p, w likes p}
      WHERE $m = id_of('person', 5) AND $w <> $m GROUP BY $w ORDER BY common DESC, other LIMIT 10`,
  },
  '12-recommend-posts': {
    sparql: `SELECT ?post (COUNT(?friend) AS ?friends) { <person/5> :follows ?friend . ?friend :likes ?post .
      ?post :created ?created FILTER(?created < "2022-07-01T00:00:00Z"^^xsd:dateTime)
      FILTER NOT EXISTS { <person/5> :likes ?post } } GROUP BY ?post ORDER BY DESC(?friends) ?post LIMIT 10`,
    tables: `SELECT iri('post', l.likes) AS post, count(*) AS friends FROM person_follows f
      JOIN person_likes l ON l.id = f.follows JOIN post p ON p.id = l.likes
      WHERE f.id = 5 AND created < TIMESTAMP '2022-07-01 00:00:00'
        AND NOT EXISTS (FROM person_likes m WHERE m.id = 5 AND m.likes = l.likes)
      GROUP BY l.likes ORDER BY friends DESC, post LIMIT 10`,
    ids: `SELECT any_value(p.text) AS post, count(*) AS friends FROM {m follows f, f likes p, p created t}
      WHERE $m = id_of('person', 5) AND t.time < TIMESTAMP '2022-07-01 00:00:00'
        AND NOT EXISTS (FROM likes k WHERE k.s = $m AND k.o = $p)
      GROUP BY $p ORDER BY friends DESC, post LIMIT 10`,
  },
  '13-tag-tree': {
    sparql: `SELECT (COUNT(DISTINCT ?post) AS ?posts) { ?tag :broader* <tag/1> . ?post :tag ?tag }`,
    tables: `WITH RECURSIVE below(id) AS (SELECT 1 UNION SELECT t.id FROM below b JOIN tag t ON t.broader = b.id)
      SELECT count(DISTINCT t.id) AS posts FROM below b JOIN post_tag t ON t.tag = b.id`,
    ids: `WITH RECURSIVE below(id) AS (SELECT id_of('tag', 1) UNION SELECT t.s FROM below b JOIN broader t ON t.o = b.id)
      SELECT count(DISTINCT t.s) AS posts FROM below b JOIN tag t ON t.o = b.id`,
  },
  '14-by-decade': {
    sparql: `SELECT ?decade (COUNT(?person) AS ?people) { ?person :born ?born
      BIND(FLOOR(YEAR(?born) / 10) * 10 AS ?decade) } GROUP BY ?decade`,
    tables: `SELECT year(born) // 10 * 10 AS decade, count(*) AS people FROM person GROUP BY decade`,
    ids: `SELECT year(b.time) // 10 * 10 AS decade, count(*) AS people FROM {p born b} GROUP BY decade`,
  },
  '15-construct-neighbours': {
    sparql: `CONSTRUCT { ?a :near ?b } { ?a :follows ?b ; :city ?city . ?b :city ?city }`,
    tables: `SELECT iri('person', a.id) AS subject, '${NEAR}' AS predicate, iri('person', b.id) AS object
      FROM person_follows f JOIN person a ON a.id = f.id JOIN person b ON b.id = f.follows AND b.city = a.city`,
    ids: `SELECT a.text AS subject, '${NEAR}' AS predicate, b.text AS object FROM {a follows b, a city c, b city c}`,
  },
  '16-most-followed': {
    sparql: `SELECT ?person ?title ?followers { ?person :title ?title
      { SELECT ?person (COUNT(?who) AS ?followers) { ?who :follows ?person } GROUP BY ?person } }
      ORDER BY DESC(?followers) ?person LIMIT 10`,
    tables: `SELECT iri('person', p.id) AS person, title, followers
      FROM (SELECT follows AS id, count(*) AS followers FROM person_follows GROUP BY follows) f JOIN person p ON p.id = f.id
      ORDER BY followers DESC, person LIMIT 10`,
    ids: `SELECT t.text AS person, n.text AS title, followers
      FROM (SELECT o, count(*) AS followers FROM follows GROUP BY o) f JOIN terms t ON t.id = f.o
      JOIN title l ON l.s = f.o JOIN terms n ON n.id = l.o ORDER BY followers DESC, person LIMIT 10`,
  },
  '17-tags-around': {
    sparql: `SELECT DISTINCT ?tag { <person/5> :follows ?person . ?post :creator ?person ; :tag ?tag }`,
    tables: `SELECT iri('tag', tag) AS tag FROM (SELECT DISTINCT t.tag FROM person_follows f
      JOIN post p ON p.creator = f.follows JOIN post_tag t ON t.id = p.id WHERE f.id = 5)`,
    ids: `SELECT t.text AS tag FROM (SELECT DISTINCT $g AS id FROM {m follows f, p creator f, p tag g}
      WHERE $m = id_of('person', 5)) d JOIN terms t ON t.id = d.id`,
  },
  '18-reach': {
    sparql: `SELECT (COUNT(?person) AS ?people) { <person/5> :follows+ ?person }`,
    tables: `WITH RECURSIVE reach(id) AS (SELECT follows FROM person_follows WHERE id = 5
        UNION SELECT f.follows FROM reach r JOIN person_follows f ON f.id = r.id)
      SELECT count(*) AS people FROM reach`,
    ids: `WITH RECURSIVE reach(id) AS (SELECT o FROM follows WHERE s = id_of('person', 5)
        UNION SELECT f.o FROM reach r JOIN follows f ON f.s = r.id)
      SELECT count(*) AS people FROM reach`,
  },
  '19-triangles': {
    sparql: `SELECT (COUNT(*) AS ?triangles) { ?a :city <city/3> ; :follows ?b . ?b :follows ?c . ?c :follows ?a }`,
    tables: `SELECT count(*) AS triangles FROM person p JOIN person_follows a ON a.id = p.id
      JOIN person_follows b ON b.id = a.follows JOIN person_follows c ON c.id = b.follows AND c.follows = p.id
      WHERE p.city = 3`,
    ids: `SELECT count(*) AS triangles FROM {a city y, a follows b, b follows c, c follows a} WHERE $y = id_of('city', 3)`,
  },
  '20-no-nickname': {
    sparql: `SELECT ?city (COUNT(?person) AS ?people) { ?person :city ?city
      OPTIONAL { ?person :nickname ?nickname } FILTER(!BOUND(?nickname)) } GROUP BY ?city`,
    tables: `SELECT iri('city', city) AS city, count(*) AS people FROM person p WHERE nickname IS NULL GROUP BY p.city`,
    ids: `SELECT any_value(c.text) AS city, count(*) AS people FROM {p city c, p nickname? n} WHERE $n IS NULL GROUP BY $c`,
  },
  '21-active': {
    sparql: `SELECT ?person (COUNT(?post) AS ?posts) (AVG(STRLEN(?content)) AS ?length) {
      ?post :creator ?person ; :content ?content } GROUP BY ?person HAVING(COUNT(?post) > 20)`,
    tables: `SELECT iri('person', creator) AS person, count(*) AS posts, avg(length(content)) AS length FROM post
      GROUP BY creator HAVING count(*) > 20`,
    ids: `SELECT any_value(w.text) AS person, count(*) AS posts, avg(length(c.text)) AS length
      FROM {p creator w, p content c} GROUP BY $w HAVING count(*) > 20`,
  },
  '22-likes-by-country': {
    sparql: `SELECT ?country (COUNT(*) AS ?likes) { ?who :likes ?post . ?post :creator ?author . ?author :city ?city .
      ?city :country ?country } GROUP BY ?country`,
    tables: `SELECT country, count(*) AS likes FROM person_likes l JOIN post p ON p.id = l.likes
      JOIN person a ON a.id = p.creator JOIN city c ON c.id = a.city GROUP BY country`,
    ids: `SELECT n.text AS country, count(*) AS likes FROM {w likes p, p creator a, a city c, c country n} GROUP BY n.text`,
  },
  '23-profile': {
    sparql: `SELECT ?title ?born ?city ?nickname { <person/5> :title ?title ; :born ?born ; :city/:title ?city
      OPTIONAL { <person/5> :nickname ?nickname } }`,
    tables: `SELECT p.title AS title, born, c.title AS city, nickname FROM person p JOIN city c ON c.id = p.city
      WHERE p.id = 5`,
    ids: `SELECT n.text AS title, b.text AS born, y.text AS city, k.text AS nickname
      FROM {p title n, p born b, p city c, c title y, p nickname? k} WHERE $p = id_of('person', 5)`,
  },
  '24-night-posts': {
    sparql: `SELECT ?hour (COUNT(*) AS ?posts) { ?post :created ?created ; :replyOf ?other
      BIND(HOURS(?created) AS ?hour) FILTER(?hour < 6) } GROUP BY ?hour`,
    tables: `SELECT hour(created) AS hour, count(*) AS posts FROM post WHERE replyOf IS NOT NULL AND hour(created) < 6
      GROUP BY hour`,
    ids: `SELECT hour(t.time) AS hour, count(*) AS posts FROM {p created t, p replyOf r} WHERE hour(t.time) < 6
      GROUP BY hour`,
  },
});
