// A tour in one page: `npm run quickstart`, or with a file of your own:
// `npm run quickstart -- path/to/data.ttl`.
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { mediaTypeOfFile, WorldsEngine } from '@rdf-worlds/core';
import { minisearchIndex } from '@rdf-worlds/index-minisearch';
import { textTable } from './text-table.mjs';

const PREFIXES = `
PREFIX : <https://example.org/vocab#>
PREFIX graph: <https://example.org/graph/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>`;

const METALS = `${PREFIXES}
SELECT ?metal ?symbol ?meltsAtKelvin ?discovered WHERE {
  ?element a :TransitionMetal ;
    rdfs:label ?metal ;
    :symbol ?symbol ;
    :meltingPointKelvin ?meltsAtKelvin .
  FILTER (lang(?metal) = "en")
  GRAPH graph:element-discovery { ?element :discoveryYear ?discovered }
}
ORDER BY DESC(?meltsAtKelvin) LIMIT 5`;

const NAMESAKES = `${PREFIXES}
SELECT ?element ?discovered ?namedAfter (COUNT(?mission) AS ?missionsThere) (MIN(?launched) AS ?firstLaunch) WHERE {
  GRAPH graph:element-names { ?e :namedAfter ?body }
  ?e rdfs:label ?element .
  ?body rdfs:label ?namedAfter .
  FILTER (lang(?element) = "en" && lang(?namedAfter) = "en")
  GRAPH graph:element-discovery { ?e :discoveryYear ?discovered }
  GRAPH graph:missions { ?mission :target ?body ; :launched ?launched }
}
GROUP BY ?element ?discovered ?namedAfter
ORDER BY DESC(?missionsThere) ?element`;

const everywhere = (pattern) => `{ ${pattern} } UNION { GRAPH ?graph { ${pattern} } }`;

const CLASSES = `SELECT ?class (COUNT(DISTINCT ?s) AS ?instances) WHERE { ${everywhere('?s a ?class')} }
GROUP BY ?class ORDER BY DESC(?instances) ?class LIMIT 10`;

const PREDICATES = `SELECT ?predicate (COUNT(*) AS ?quads) WHERE { ${everywhere('?s ?predicate ?o')} }
GROUP BY ?predicate ORDER BY DESC(?quads) ?predicate LIMIT 10`;

const TEXTS = `SELECT ?text WHERE { ${everywhere('?s ?p ?text')} FILTER (isLiteral(?text) && !isNumeric(?text)) } LIMIT 500`;

const dataFile = (name) => fileURLToPath(new URL(`./data/${name}`, import.meta.url));

function heading(text) {
  console.log(`\n${text}\n`);
}

/** Reads a file into a world of its own; the ending of its name tells the format. */
async function importFile(engine, slug, file) {
  const contentType = mediaTypeOfFile(file);
  if (!contentType)
    throw new Error(`The format of ${basename(file)} is unknown: name it .ttl, .nt, .nq, .trig, .jsonld, .rdf or .n3.`);
  const data = await readFile(file).catch((cause) => {
    throw new Error(`${file} cannot be read: ${cause.message}`, { cause });
  });
  await engine.createWorld({ slug });
  const result = await engine.import({ source: slug, data, contentType, baseIri: pathToFileURL(file).href });
  return [slug, basename(file), contentType, result.quads, result.inserted, result.revision];
}

async function printQuery(engine, title, query, sources) {
  const result = await engine.select({ query, sources });
  const rows = [];
  for await (const row of result) rows.push(result.variables.map((name) => row.get(name)?.value));
  heading(`${title} (SPARQL over ${sources.join(' and ')})`);
  console.log(textTable(result.variables, rows));
}

async function printSearch(engine, query, sources) {
  const hits = await engine.search({ query, sources, limit: 6 });
  heading(`The best hits for "${query}" (search over ${sources.join(' and ')})`);
  console.log(
    textTable(
      ['rank', 'score', 'text rank', 'world', 'subject', 'object'],
      hits.map((hit, i) => [
        i + 1,
        hit.score.toFixed(4),
        hit.ftsRank,
        hit.world.slug,
        hit.subject.replace('https://example.org/', ''),
        hit.object,
      ]),
    ),
  );
}

async function printExports(engine, source) {
  for (const contentType of ['application/n-quads', 'text/turtle']) {
    const bytes = await engine.export({ source, contentType });
    heading(`${source} as ${contentType}: ${bytes.length.toLocaleString('en')} bytes, beginning with`);
    const lines = new TextDecoder().decode(bytes).split('\n').slice(0, 4);
    for (const line of lines) console.log(`  ${line.length > 116 ? `${line.slice(0, 115)}…` : line}`);
  }
}

/**
 * The most frequent longer word among the first texts of a world: something that a search will
 * find.
 */
async function frequentWord(engine, source) {
  const counts = new Map();
  for await (const row of await engine.select({ query: TEXTS, sources: [source] }))
    for (const word of row
      .get('text')
      .value.toLowerCase()
      .match(/\p{L}{5,}/gu) ?? [])
      counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

async function tourOfExamples(engine) {
  await printQuery(engine, 'The metals hardest to melt', METALS, ['elements']);
  await printQuery(engine, 'Elements named after places that were visited', NAMESAKES, ['elements', 'space']);
  await printSearch(engine, 'ion engine xenon', ['elements', 'space']);
  await printExports(engine, 'elements');
}

async function tourOfFile(engine, source) {
  await printQuery(engine, 'Classes', CLASSES, [source]);
  await printQuery(engine, 'Predicates', PREDICATES, [source]);
  const word = await frequentWord(engine, source);
  if (word) await printSearch(engine, word, [source]);
  else heading('There is no text to search in.');
  await printExports(engine, source);
}

async function main(file) {
  const engine = await WorldsEngine.open({ textIndex: minisearchIndex() });
  try {
    const imports = [
      await importFile(engine, 'elements', dataFile('elements.trig')),
      await importFile(engine, 'space', dataFile('space.trig')),
    ];
    if (file) imports.push(await importFile(engine, 'mine', file));
    heading('Imported');
    console.log(textTable(['world', 'file', 'format', 'quads', 'inserted', 'revision'], imports));
    await (file ? tourOfFile(engine, 'mine') : tourOfExamples(engine));
  } finally {
    await engine.close();
  }
}

try {
  await main(process.argv[2]);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
