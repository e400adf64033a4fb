import { vocabularyPrefix } from './entity.ts';
import { workloadQueries } from './workload-queries.ts';

const OFFER = `${vocabularyPrefix('commerce')}sells`;
const COST = `${vocabularyPrefix('commerce')}costs`;

/** What visitors of a shop ask for, and what its owners do. */
export const COMMERCE_QUERIES = workloadQueries('commerce', {
  '01-details': {
    sparql: `SELECT ?label ?maker ?weight ?height ?comment {
      <product/3> :label ?label ; :maker/:title ?maker ; :weight ?weight ; :height ?height
      OPTIONAL { <product/3> :comment ?comment } }`,
    tables: `SELECT label, title AS maker, weight, height, comment
      FROM product p JOIN vendor v ON v.id = p.maker WHERE p.id = 3`,
    ids: `SELECT l.text AS label, n.text AS maker, w.text AS weight, h.text AS height, c.text AS comment
      FROM {p label l, p maker m, m title n, p weight w, p height h, p comment? c} WHERE $p = id_of('product', 3)`,
  },
  '02-two-features': {
    sparql: `SELECT ?product ?label ?weight {
      ?product :feature <feature/0>, <feature/1> ; :label ?label ; :weight ?weight FILTER(?weight > 20) }
      ORDER BY ?weight ?product LIMIT 10`,
    tables: `SELECT iri('product', p.id) AS product, label, weight FROM product p
      JOIN product_feature a ON a.id = p.id AND a.feature = 0 JOIN product_feature b ON b.id = p.id AND b.feature = 1
      WHERE weight > 20 ORDER BY weight, product LIMIT 10`,
    ids: `SELECT p.text AS product, l.text AS label, w.text AS weight
      FROM {p feature a, p feature b, p label l, p weight w}
      WHERE $a = id_of('feature', 0) AND $b = id_of('feature', 1) AND w.number > 20
      ORDER BY w.number, product LIMIT 10`,
  },
  '03-optional-comment': {
    sparql: `SELECT ?product ?weight ?comment { ?product :category <category/5> ; :weight ?weight
      OPTIONAL { ?product :comment ?comment FILTER(LANGMATCHES(LANG(?comment), "en")) } }`,
    tables: `SELECT iri('product', id) AS product, weight, CASE commentLanguage WHEN 'en' THEN comment END AS comment
      FROM product WHERE category = 5`,
    ids: `SELECT p.text AS product, w.text AS weight, CASE c.language WHEN 'en' THEN c.text END AS comment
      FROM {p category k, p weight w, p comment? c} WHERE $k = id_of('category', 5)`,
  },
  '04-without-feature': {
    sparql: `SELECT ?product { ?product :feature <feature/1> FILTER NOT EXISTS { ?product :feature <feature/0> } }`,
    tables: `SELECT iri('product', id) AS product FROM product_feature a
      WHERE feature = 1 AND NOT EXISTS (FROM product_feature b WHERE b.id = a.id AND b.feature = 0)`,
    ids: `SELECT p.text AS product FROM {p feature f} WHERE $f = id_of('feature', 1)
      AND NOT EXISTS (FROM feature b WHERE b.s = $p AND b.o = id_of('feature', 0))`,
  },
  '05-union': {
    sparql: `SELECT ?product ?height {
      { ?product :feature <feature/3> ; :height ?height FILTER(?height > 400) } UNION
      { ?product :feature <feature/4> ; :height ?height FILTER(?height < 20) } }`,
    tables: `SELECT iri('product', p.id) AS product, height FROM product p JOIN product_feature f ON f.id = p.id
      WHERE (feature = 3 AND height > 400) OR (feature = 4 AND height < 20)`,
    ids: `SELECT p.text AS product, h.text AS height FROM {p feature f, p height h}
      WHERE ($f = id_of('feature', 3) AND h.number > 400) OR ($f = id_of('feature', 4) AND h.number < 20)`,
  },
  '06-similar': {
    sparql: `SELECT DISTINCT ?product ?weight {
      <product/7> :feature ?feature ; :weight ?weight7 ; :height ?height7 .
      ?product :feature ?feature ; :weight ?weight ; :height ?height
      FILTER(?product != <product/7> && ?weight < ?weight7 + 8 && ?weight > ?weight7 - 8
        && ?height < ?height7 + 90 && ?height > ?height7 - 90) }
      ORDER BY ?weight ?product LIMIT 5`,
    tables: `SELECT DISTINCT iri('product', p.id) AS product, p.weight AS weight
      FROM product q JOIN product_feature g ON g.id = q.id JOIN product_feature f ON f.feature = g.feature
      JOIN product p ON p.id = f.id
      WHERE q.id = 7 AND p.id <> 7 AND p.weight < q.weight + 8 AND p.weight > q.weight - 8
        AND p.height < q.height + 90 AND p.height > q.height - 90
      ORDER BY weight, product LIMIT 5`,
    ids: `SELECT DISTINCT p.text AS product, w.number AS weight
      FROM {q feature f, q weight u, q height g, p feature f, p weight w, p height h}
      WHERE $q = id_of('product', 7) AND $p <> $q AND w.number < u.number + 8 AND w.number > u.number - 8
        AND h.number < g.number + 90 AND h.number > g.number - 90
      ORDER BY weight, product LIMIT 5`,
  },
  '07-label-regex': {
    sparql: `SELECT ?product ?label { ?product :category ?category ; :label ?label
      FILTER(REGEX(?label, "(quality|good|gut).*(of|das|the)", "i")) }`,
    tables: `SELECT iri('product', id) AS product, label FROM product
      WHERE regexp_matches(label, '(quality|good|gut).*(of|das|the)', 'i')`,
    ids: `SELECT p.text AS product, l.text AS label FROM {p category c, p label l}
      WHERE regexp_matches(l.text, '(quality|good|gut).*(of|das|the)', 'i')`,
  },
  '08-offers-and-reviews': {
    sparql: `SELECT ?offer ?price ?review ?heading ?rating { <product/100> :label ?label
      OPTIONAL { ?offer :product <product/100> ; :price ?price ; :vendor/:country "US" }
      OPTIONAL { ?review :about <product/100> ; :heading ?heading OPTIONAL { ?review :rating ?rating } } }`,
    tables: `SELECT iri('offer', o.id) AS offer, o.price AS price, iri('review', r.id) AS review, heading, rating
      FROM product p
      LEFT JOIN (SELECT offer.* FROM offer JOIN vendor v ON v.id = vendor WHERE country = 'US') o ON o.product = p.id
      LEFT JOIN review r ON r.about = p.id WHERE p.id = 100`,
    ids: `SELECT o.offer, o.price, r.text AS review, h.text AS heading, g.text AS rating
      FROM {p label l, r about? p, r heading? h, r rating? g}
      LEFT JOIN (SELECT po.o AS product, ot.text AS offer, pt.text AS price
        FROM product po JOIN price pr ON pr.s = po.s JOIN terms pt ON pt.id = pr.o JOIN terms ot ON ot.id = po.s
        JOIN vendor ve ON ve.s = po.s JOIN country co ON co.s = ve.o JOIN terms ct ON ct.id = co.o AND ct.text = 'US') o
        ON o.product = $p
      WHERE $p = id_of('product', 100)`,
  },
  '09-recent-english': {
    sparql: `SELECT ?review ?heading ?body ?written ?reviewer {
      ?review :about <product/3> ; :heading ?heading ; :body ?body ; :written ?written ; :reviewer/:title ?reviewer
      FILTER(LANGMATCHES(LANG(?body), "en")) } ORDER BY DESC(?written) ?review LIMIT 20`,
    tables: `SELECT iri('review', r.id) AS review, heading, body, written, title AS reviewer
      FROM review r JOIN person p ON p.id = r.reviewer WHERE about = 3 AND bodyLanguage = 'en'
      ORDER BY r.written DESC, review LIMIT 20`,
    ids: `SELECT r.text AS review, h.text AS heading, b.text AS body, w.text AS written, n.text AS reviewer
      FROM {r about p, r heading h, r body b, r written w, r reviewer v, v title n}
      WHERE $p = id_of('product', 3) AND b.language = 'en' ORDER BY w.time DESC, review LIMIT 20`,
  },
  '10-cheapest-now': {
    sparql: `SELECT ?offer ?price ?vendor {
      ?offer :product <product/0> ; :price ?price ; :deliveryDays ?days ; :validFrom ?from ; :validTo ?to ; :vendor ?vendor
      FILTER(?days <= 7 && ?from <= "2023-06-01"^^xsd:date && ?to >= "2023-06-01"^^xsd:date) }
      ORDER BY ?price ?offer LIMIT 10`,
    tables: `SELECT iri('offer', id) AS offer, price, iri('vendor', vendor) AS vendor FROM offer
      WHERE product = 0 AND deliveryDays <= 7 AND validFrom <= DATE '2023-06-01' AND validTo >= DATE '2023-06-01'
      ORDER BY price, offer LIMIT 10`,
    ids: `SELECT f.text AS offer, p.text AS price, v.text AS vendor
      FROM {f product x, f price p, f deliveryDays d, f validFrom a, f validTo b, f vendor v}
      WHERE $x = id_of('product', 0) AND d.number <= 7 AND a.time <= DATE '2023-06-01' AND b.time >= DATE '2023-06-01'
      ORDER BY p.number, offer LIMIT 10`,
  },
  '11-price-range': {
    sparql: `SELECT ?offer ?price { ?offer :price ?price FILTER(?price >= 20 && ?price < 25.50) }`,
    tables: `SELECT iri('offer', id) AS offer, price FROM offer WHERE price >= 20 AND price < 25.50`,
    ids: `SELECT f.text AS offer, p.text AS price FROM {f price p} WHERE p.number >= 20 AND p.number < 25.50`,
  },
  '12-valid-on-a-day': {
    sparql: `SELECT (COUNT(*) AS ?offers) { ?offer :validFrom ?from ; :validTo ?to
      FILTER(?from <= "2023-06-01"^^xsd:date && ?to >= "2023-06-01"^^xsd:date) }`,
    tables: `SELECT count(*) AS offers FROM offer WHERE validFrom <= DATE '2023-06-01' AND validTo >= DATE '2023-06-01'`,
    ids: `SELECT count(*) AS offers FROM {f validFrom a, f validTo b}
      WHERE a.time <= DATE '2023-06-01' AND b.time >= DATE '2023-06-01'`,
  },
  '13-prices-by-country': {
    sparql: `SELECT ?country (AVG(?price) AS ?mean) (COUNT(?offer) AS ?offers) {
      ?offer :price ?price ; :vendor ?vendor . ?vendor :country ?country } GROUP BY ?country`,
    tables: `SELECT country, avg(price) AS mean, count(*) AS offers FROM offer o JOIN vendor v ON v.id = o.vendor
      GROUP BY country`,
    ids: `SELECT c.text AS country, avg(p.number) AS mean, count(*) AS offers FROM {f price p, f vendor v, v country c}
      GROUP BY country`,
  },
  '14-most-reviewed': {
    sparql: `SELECT ?product (COUNT(?review) AS ?reviews) { ?review :about ?product }
      GROUP BY ?product ORDER BY DESC(?reviews) ?product LIMIT 10`,
    tables: `SELECT iri('product', about) AS product, count(*) AS reviews FROM review
      GROUP BY about ORDER BY reviews DESC, product LIMIT 10`,
    ids: `SELECT p.text AS product, reviews FROM (SELECT o, count(*) AS reviews FROM about GROUP BY o) a
      JOIN terms p ON p.id = a.o ORDER BY reviews DESC, product LIMIT 10`,
  },
  '15-category-tree': {
    sparql: `SELECT ?top (COUNT(?offer) AS ?offers) (MAX(?price) AS ?highest) {
      ?top :parent <category/0> . ?category :parent* ?top . ?product :category ?category .
      ?offer :product ?product ; :price ?price } GROUP BY ?top`,
    tables: `WITH RECURSIVE below(top, id) AS (SELECT id, id FROM category WHERE parent = 0
        UNION SELECT top, c.id FROM below b JOIN category c ON c.parent = b.id)
      SELECT iri('category', top) AS top, count(*) AS offers, max(price) AS highest
      FROM below b JOIN product p ON p.category = b.id JOIN offer o ON o.product = p.id GROUP BY b.top`,
    ids: `WITH RECURSIVE below(top, id) AS (SELECT s, s FROM parent WHERE o = id_of('category', 0)
        UNION SELECT top, c.s FROM below b JOIN parent c ON c.o = b.id)
      SELECT any_value(t.text) AS top, count(*) AS offers, max(v.number) AS highest
      FROM {p category k, f product p, f price v} JOIN below b ON b.id = $k JOIN terms t ON t.id = b.top
      GROUP BY b.top`,
  },
  '16-contains': {
    sparql: `SELECT ?review { ?review :body ?body FILTER(CONTAINS(LCASE(?body), "waterproof")) }`,
    tables: `SELECT iri('review', id) AS review FROM review WHERE contains(lower(body), 'waterproof')`,
    ids: `SELECT r.text AS review FROM {r body b} WHERE contains(lower(b.text), 'waterproof')`,
  },
  '17-body-regex': {
    sparql: `SELECT ?review { ?review :body ?body FILTER(REGEX(?body, "(naïve|refund) .{0,12} (works|broke)", "i")) }`,
    tables: `SELECT iri('review', id) AS review FROM review
      WHERE regexp_matches(body, '(naïve|refund) .{0,12} (works|broke)', 'i')`,
    ids: `SELECT r.text AS review FROM {r body b} WHERE regexp_matches(b.text, '(naïve|refund) .{0,12} (works|broke)', 'i')`,
  },
  '18-ratings-by-month': {
    sparql: `SELECT ?year ?month (COUNT(*) AS ?reviews) (AVG(?rating) AS ?mean) {
      ?review :written ?written ; :rating ?rating BIND(YEAR(?written) AS ?year) BIND(MONTH(?written) AS ?month) }
      GROUP BY ?year ?month`,
    tables: `SELECT year(written) AS year, month(written) AS month, count(*) AS reviews, avg(rating) AS mean
      FROM review WHERE rating IS NOT NULL GROUP BY ALL`,
    ids: `SELECT year(w.time) AS year, month(w.time) AS month, count(*) AS reviews, avg(g.number) AS mean
      FROM {r written w, r rating g} GROUP BY ALL`,
  },
  '19-gross-price': {
    sparql: `SELECT ?offer ?gross { ?offer :price ?price BIND(?price * 1.19 AS ?gross) FILTER(?gross > 1000) }`,
    tables: `SELECT iri('offer', id) AS offer, price * 1.19 AS gross FROM offer WHERE price * 1.19 > 1000`,
    ids: `SELECT f.text AS offer, p.number * 1.19 AS gross FROM {f price p} WHERE p.number * 1.19 > 1000`,
  },
  '20-highest-price': {
    sparql: `SELECT ?offer ?price { ?offer :price ?price } ORDER BY DESC(?price) ?offer LIMIT 10`,
    tables: `SELECT iri('offer', id) AS offer, price FROM offer ORDER BY offer.price DESC, offer LIMIT 10`,
    ids: `SELECT f.text AS offer, p.text AS price FROM {f price p} ORDER BY p.number DESC, offer LIMIT 10`,
  },
  '21-distinct': {
    sparql: `SELECT DISTINCT ?vendor ?category { ?offer :vendor ?vendor ; :product/:category ?category }`,
    tables: `SELECT iri('vendor', vendor) AS vendor, iri('category', category) AS category
      FROM (SELECT DISTINCT vendor, category FROM offer o JOIN product p ON p.id = o.product)`,
    ids: `SELECT v.text AS vendor, c.text AS category
      FROM (SELECT DISTINCT $v AS vendor, $c AS category FROM {f vendor v, f product p, p category c})
      JOIN terms v ON v.id = vendor JOIN terms c ON c.id = category`,
  },
  '22-never-reviewed': {
    sparql: `SELECT ?product { ?product a :Product FILTER NOT EXISTS { ?review :about ?product } }`,
    tables: `SELECT iri('product', id) AS product FROM product p
      WHERE NOT EXISTS (FROM review WHERE about = p.id)`,
    ids: `SELECT t.text AS product FROM is_product p JOIN terms t ON t.id = p.s
      WHERE NOT EXISTS (FROM about a WHERE a.o = p.s)`,
  },
  '23-lowest-by-product': {
    sparql: `SELECT ?product (MIN(?price) AS ?lowest) { ?offer :product ?product ; :price ?price }
      GROUP BY ?product HAVING(COUNT(?offer) > 4)`,
    tables: `SELECT iri('product', product) AS product, min(price) AS lowest FROM offer o
      GROUP BY o.product HAVING count(*) > 4`,
    ids: `SELECT any_value(x.text) AS product, min(p.number) AS lowest FROM {f product x, f price p}
      GROUP BY $x HAVING count(*) > 4`,
  },
  '24-construct': {
    sparql: `CONSTRUCT { ?vendor :sells ?product . ?offer :costs ?price } {
      ?offer :product ?product ; :vendor ?vendor ; :price ?price ; :deliveryDays ?days FILTER(?days <= 10) }`,
    tables: `SELECT DISTINCT iri('vendor', vendor) AS subject, '${OFFER}' AS predicate, iri('product', product) AS object
      FROM offer WHERE deliveryDays <= 10
      UNION ALL SELECT iri('offer', id), '${COST}', price::VARCHAR FROM offer WHERE deliveryDays <= 10`,
    ids: `WITH few AS (SELECT $f AS f, $x AS x, $v AS v, p.text AS price
        FROM {f product x, f vendor v, f price p, f deliveryDays d} WHERE d.number <= 10)
      SELECT v.text AS subject, '${OFFER}' AS predicate, x.text AS object FROM (SELECT DISTINCT v, x FROM few) pairs
        JOIN terms v ON v.id = pairs.v JOIN terms x ON x.id = pairs.x
      UNION ALL SELECT f.text, '${COST}', price FROM few JOIN terms f ON f.id = few.f`,
  },
  '25-languages': {
    sparql: `SELECT ?language (COUNT(*) AS ?reviews) (AVG(STRLEN(?body)) AS ?length) {
      ?review :body ?body BIND(LANG(?body) AS ?language) } GROUP BY ?language`,
    tables: `SELECT bodyLanguage AS language, count(*) AS reviews, avg(length(body)) AS length FROM review GROUP BY language`,
    ids: `SELECT b.language AS language, count(*) AS reviews, avg(length(b.text)) AS length FROM {r body b}
      GROUP BY b.language`,
  },
  '26-useful': {
    sparql: `SELECT (COUNT(*) AS ?reviews) (SUM(?usefulness) AS ?total) {
      ?review :rating ?rating ; :usefulness ?usefulness FILTER(?rating >= 8) }`,
    tables: `SELECT count(*) AS reviews, sum(usefulness) AS total FROM review WHERE rating >= 8 AND usefulness IS NOT NULL`,
    ids: `SELECT count(*) AS reviews, sum(u.number) AS total FROM {r rating g, r usefulness u} WHERE g.number >= 8`,
  },
  '27-vendor-page': {
    sparql: `SELECT ?offer ?label ?price { ?offer :vendor <vendor/7> ; :product ?product ; :price ?price .
      ?product :label ?label }`,
    tables: `SELECT iri('offer', o.id) AS offer, label, price FROM offer o JOIN product p ON p.id = o.product
      WHERE vendor = 7`,
    ids: `SELECT f.text AS offer, l.text AS label, c.text AS price FROM {f vendor v, f product p, f price c, p label l}
      WHERE $v = id_of('vendor', 7)`,
  },
});
