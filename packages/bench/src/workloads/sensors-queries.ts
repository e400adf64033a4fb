import { vocabularyPrefix } from './entity.ts';
import { workloadQueries } from './workload-queries.ts';

const ALARM = `${vocabularyPrefix('sensors')}alarm`;

/** Ranges, aggregates and arithmetic over values that are nearly all distinct. */
export const SENSORS_QUERIES = workloadQueries('sensors', {
  '01-narrow-range': {
    sparql: `SELECT ?observation ?reading { ?observation :reading ?reading FILTER(?reading >= 500 && ?reading < 505.5) }`,
    tables: `SELECT iri('observation', id) AS observation, reading FROM observation
      WHERE reading >= 500 AND reading < 505.5`,
    ids: `SELECT b.text AS observation, r.text AS reading FROM {b reading r} WHERE r.number >= 500 AND r.number < 505.5`,
  },
  '02-wide-range': {
    sparql: `SELECT (COUNT(*) AS ?count) { ?observation :reading ?reading FILTER(?reading > 200.5 && ?reading < 400.25) }`,
    tables: `SELECT count(*) AS count FROM observation WHERE reading > 200.5 AND reading < 400.25`,
    ids: `SELECT count(*) AS count FROM {b reading r} WHERE r.number > 200.5 AND r.number < 400.25`,
  },
  '03-time-window': {
    sparql: `SELECT ?observation ?reading ?time { ?observation :observed ?time ; :reading ?reading
      FILTER(?time >= "2024-01-03T00:00:00Z"^^xsd:dateTime && ?time < "2024-01-04T12:00:00Z"^^xsd:dateTime) }`,
    tables: `SELECT iri('observation', id) AS observation, reading, observed AS time FROM observation
      WHERE observed >= TIMESTAMP '2024-01-03 00:00:00' AND observed < TIMESTAMP '2024-01-04 12:00:00'`,
    ids: `SELECT b.text AS observation, r.text AS reading, t.text AS time FROM {b observed t, b reading r}
      WHERE t.time >= TIMESTAMP '2024-01-03 00:00:00' AND t.time < TIMESTAMP '2024-01-04 12:00:00'`,
  },
  '04-statistics': {
    sparql: `SELECT (COUNT(?reading) AS ?count) (SUM(?reading) AS ?sum) (AVG(?reading) AS ?mean)
      (MIN(?reading) AS ?lowest) (MAX(?reading) AS ?highest) { ?observation :reading ?reading }`,
    tables: `SELECT count(reading) AS count, sum(reading) AS sum, avg(reading) AS mean, min(reading) AS lowest,
      max(reading) AS highest FROM observation`,
    ids: `SELECT count(*) AS count, sum(r.number) AS sum, avg(r.number) AS mean, min(r.number) AS lowest,
      max(r.number) AS highest FROM {b reading r}`,
  },
  '05-mean-by-sensor': {
    sparql: `SELECT ?sensor (AVG(?reading) AS ?mean) { ?observation :sensor ?sensor ; :reading ?reading } GROUP BY ?sensor`,
    tables: `SELECT iri('sensor', sensor) AS sensor, avg(reading) AS mean FROM observation o GROUP BY o.sensor`,
    ids: `SELECT any_value(s.text) AS sensor, avg(r.number) AS mean FROM {b sensor s, b reading r} GROUP BY $s`,
  },
  '06-highest-by-room': {
    sparql: `SELECT ?title (MAX(?reading) AS ?highest) { ?observation :sensor ?sensor ; :reading ?reading .
      ?sensor :room ?room ; :measures "noise" . ?room :title ?title } GROUP BY ?title`,
    tables: `SELECT title, max(reading) AS highest FROM observation o JOIN sensor s ON s.id = o.sensor
      JOIN room r ON r.id = s.room WHERE measures = 'noise' GROUP BY title`,
    ids: `SELECT n.text AS title, max(r.number) AS highest
      FROM {b sensor s, b reading r, s room m, s measures k, m title n} WHERE k.text = 'noise' GROUP BY n.text`,
  },
  '07-highest-readings': {
    sparql: `SELECT ?observation ?reading { ?observation :reading ?reading } ORDER BY DESC(?reading) LIMIT 10`,
    tables: `SELECT iri('observation', id) AS observation, reading FROM observation o ORDER BY o.reading DESC LIMIT 10`,
    ids: `SELECT b.text AS observation, r.text AS reading FROM {b reading r} ORDER BY r.number DESC LIMIT 10`,
  },
  '08-latest-of-a-sensor': {
    sparql: `SELECT ?time ?reading { ?observation :sensor <sensor/3> ; :observed ?time ; :reading ?reading }
      ORDER BY DESC(?time) LIMIT 5`,
    tables: `SELECT observed AS time, reading FROM observation o WHERE sensor = 3 ORDER BY o.observed DESC LIMIT 5`,
    ids: `SELECT t.text AS time, r.text AS reading FROM {b sensor s, b observed t, b reading r}
      WHERE $s = id_of('sensor', 3) ORDER BY t.time DESC LIMIT 5`,
  },
  '09-converted': {
    sparql: `SELECT ?observation ?fahrenheit { ?observation :reading ?reading
      BIND(?reading * 1.8 + 32 AS ?fahrenheit) FILTER(?fahrenheit > 1750) }`,
    tables: `SELECT iri('observation', id) AS observation, reading * 1.8 + 32 AS fahrenheit FROM observation
      WHERE reading * 1.8 + 32 > 1750`,
    ids: `SELECT b.text AS observation, r.number * 1.8 + 32 AS fahrenheit FROM {b reading r}
      WHERE r.number * 1.8 + 32 > 1750`,
  },
  '10-by-hour': {
    sparql: `SELECT ?hour (COUNT(*) AS ?count) (AVG(?reading) AS ?mean) {
      ?observation :observed ?time ; :reading ?reading BIND(HOURS(?time) AS ?hour) } GROUP BY ?hour`,
    tables: `SELECT hour(observed) AS hour, count(*) AS count, avg(reading) AS mean FROM observation GROUP BY hour`,
    ids: `SELECT hour(t.time) AS hour, count(*) AS count, avg(r.number) AS mean FROM {b observed t, b reading r}
      GROUP BY hour`,
  },
  '11-by-month-and-kind': {
    sparql: `SELECT ?kind ?month (AVG(?reading) AS ?mean) {
      ?observation :observed ?time ; :reading ?reading ; :sensor/:measures ?kind BIND(MONTH(?time) AS ?month) }
      GROUP BY ?kind ?month`,
    tables: `SELECT measures AS kind, month(observed) AS month, avg(reading) AS mean
      FROM observation o JOIN sensor s ON s.id = o.sensor GROUP BY ALL`,
    ids: `SELECT k.text AS kind, month(t.time) AS month, avg(r.number) AS mean
      FROM {b observed t, b reading r, b sensor s, s measures k} GROUP BY ALL`,
  },
  '12-above-threshold': {
    sparql: `SELECT ?sensor (COUNT(*) AS ?count) { ?sensor :threshold ?threshold .
      ?observation :sensor ?sensor ; :reading ?reading FILTER(?reading > ?threshold) } GROUP BY ?sensor`,
    tables: `SELECT iri('sensor', s.id) AS sensor, count(*) AS count FROM sensor s
      JOIN observation o ON o.sensor = s.id AND reading > threshold GROUP BY s.id`,
    ids: `SELECT any_value(s.text) AS sensor, count(*) AS count FROM {s threshold h, b sensor s, b reading r}
      WHERE r.number > h.number GROUP BY $s`,
  },
  '13-unrated': {
    sparql: `SELECT ?sensor (COUNT(*) AS ?count) {
      ?observation :sensor ?sensor FILTER NOT EXISTS { ?observation :quality ?quality } }
      GROUP BY ?sensor ORDER BY DESC(?count) ?sensor LIMIT 10`,
    tables: `SELECT iri('sensor', sensor) AS sensor, count(*) AS count FROM observation o
      WHERE quality IS NULL GROUP BY o.sensor ORDER BY count DESC, sensor LIMIT 10`,
    ids: `SELECT any_value(s.text) AS sensor, count(*) AS count FROM {b sensor s}
      WHERE NOT EXISTS (FROM quality q WHERE q.s = $b) GROUP BY $s ORDER BY count DESC, sensor LIMIT 10`,
  },
  '14-rooms-reached': {
    sparql: `SELECT ?room (COUNT(?sensor) AS ?sensors) { <room/0> :opensTo* ?room . ?sensor :room ?room } GROUP BY ?room`,
    tables: `WITH RECURSIVE reached(id) AS (SELECT 0 UNION SELECT d.opensTo FROM reached r JOIN room_opensTo d ON d.id = r.id)
      SELECT iri('room', r.id) AS room, count(*) AS sensors FROM reached r JOIN sensor s ON s.room = r.id GROUP BY r.id`,
    ids: `WITH RECURSIVE reached(id) AS (SELECT id_of('room', 0) UNION
        SELECT d.o FROM reached r JOIN opensTo d ON d.s = r.id)
      SELECT t.text AS room, sensors FROM (SELECT r.id, count(*) AS sensors FROM reached r
        JOIN room s ON s.o = r.id GROUP BY r.id) g JOIN terms t ON t.id = g.id`,
  },
  '15-high-mean': {
    sparql: `SELECT ?sensor (AVG(?reading) AS ?mean) (COUNT(*) AS ?count) {
      ?observation :sensor ?sensor ; :reading ?reading } GROUP BY ?sensor HAVING(AVG(?reading) > 515)`,
    tables: `SELECT iri('sensor', sensor) AS sensor, avg(reading) AS mean, count(*) AS count FROM observation o
      GROUP BY o.sensor HAVING avg(reading) > 515`,
    ids: `SELECT any_value(s.text) AS sensor, avg(r.number) AS mean, count(*) AS count FROM {b sensor s, b reading r}
      GROUP BY $s HAVING avg(r.number) > 515`,
  },
  '16-optional-quality': {
    sparql: `SELECT ?grade (COUNT(*) AS ?count) { ?observation a :Observation OPTIONAL { ?observation :quality ?quality }
      BIND(COALESCE(?quality, -1) AS ?grade) } GROUP BY ?grade`,
    tables: `SELECT coalesce(quality, -1) AS grade, count(*) AS count FROM observation GROUP BY grade`,
    ids: `SELECT coalesce(t.number, -1) AS grade, count(*) AS count FROM is_observation b
      LEFT JOIN quality q ON q.s = b.s LEFT JOIN terms t ON t.id = q.o GROUP BY grade`,
  },
  '17-construct-alarms': {
    sparql: `CONSTRUCT { ?sensor :alarm ?time } { ?observation :sensor ?sensor ; :observed ?time ; :reading ?reading
      FILTER(?reading > 990) }`,
    tables: `SELECT iri('sensor', sensor) AS subject, '${ALARM}' AS predicate, observed AS object FROM observation
      WHERE reading > 990`,
    ids: `SELECT s.text AS subject, '${ALARM}' AS predicate, t.text AS object
      FROM {b sensor s, b observed t, b reading r} WHERE r.number > 990`,
  },
  '18-by-day': {
    sparql: `SELECT ?day (COUNT(*) AS ?count) (MIN(?reading) AS ?lowest) { ?observation :observed ?time ; :reading ?reading
      BIND(SUBSTR(STR(?time), 1, 10) AS ?day) } GROUP BY ?day`,
    tables: `SELECT observed::DATE AS day, count(*) AS count, min(reading) AS lowest FROM observation GROUP BY day`,
    ids: `SELECT t.time::DATE AS day, count(*) AS count, min(r.number) AS lowest FROM {b observed t, b reading r}
      GROUP BY day`,
  },
  '19-corrected-sum': {
    sparql: `SELECT ?kind (SUM(?reading * (1 + ?drift)) AS ?sum) {
      ?observation :reading ?reading ; :sensor ?sensor . ?sensor :drift ?drift ; :measures ?kind } GROUP BY ?kind`,
    tables: `SELECT measures AS kind, sum(reading * (1 + drift)) AS sum FROM observation o
      JOIN sensor s ON s.id = o.sensor GROUP BY measures`,
    ids: `SELECT k.text AS kind, sum(r.number * (1 + d.number)) AS sum
      FROM {b reading r, b sensor s, s drift d, s measures k} GROUP BY k.text`,
  },
  '20-histogram': {
    sparql: `SELECT ?bucket (COUNT(*) AS ?count) { ?observation :reading ?reading
      BIND(FLOOR(?reading / 50) AS ?bucket) } GROUP BY ?bucket ORDER BY ?bucket`,
    tables: `SELECT floor(reading / 50) AS bucket, count(*) AS count FROM observation GROUP BY bucket ORDER BY bucket`,
    ids: `SELECT floor(r.number / 50) AS bucket, count(*) AS count FROM {b reading r} GROUP BY bucket ORDER BY bucket`,
  },
});
