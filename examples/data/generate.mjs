// Writes elements.trig and space.trig from the tables beside it: `node examples/data/generate.mjs`.
// With `--check` it writes nothing and fails when a file does not match its tables.
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const HOME = 'https://example.org/';
const PREFIXES = {
  '': `${HOME}vocab#`,
  body: `${HOME}body/`,
  element: `${HOME}element/`,
  graph: `${HOME}graph/`,
  mission: `${HOME}mission/`,
  org: `${HOME}organization/`,
  person: `${HOME}person/`,
  place: `${HOME}place/`,
  dcterms: 'http://purl.org/dc/terms/',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  schema: 'https://schema.org/',
  void: 'http://rdfs.org/ns/void#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** The rows of a table as objects; the first line names the columns. */
function table(name) {
  const lines = readFileSync(new URL(`./tables/${name}.psv`, import.meta.url), 'utf8').trimEnd().split('\n');
  const columns = lines[0].split('|');
  return lines.slice(1).map((line) => {
    const cells = line.split('|');
    if (cells.length !== columns.length) throw new Error(`${name}.psv: "${line}" has ${cells.length} cells`);
    return Object.fromEntries(columns.map((column, i) => [column, cells[i]]));
  });
}

// Every writer of a term gives undefined for an empty cell, and `node` leaves such statements out.
const filled = (write) => (cell) => (cell === '' || cell === undefined ? undefined : write(cell));
const text = filled((cell) => JSON.stringify(cell));
const english = filled((cell) => `${JSON.stringify(cell)}@en`);
const german = filled((cell) => `${JSON.stringify(cell)}@de`);
const integer = filled((cell) => cell);
const decimal = filled((cell) => (cell.includes('.') ? cell : `${cell}.0`));
const double = filled((cell) => Number(cell).toExponential().replace('e+', 'E').replace('e', 'E'));
const year = filled((cell) => `"${cell}"^^xsd:gYear`);
const date = filled((cell) => `"${cell}"^^xsd:date`);
const name = (prefix) => filled((cell) => (cell.includes(':') ? cell : `${prefix}:${cell}`));
const names = (prefix) => (cell) => (cell ? cell.split(';').map(name(prefix)) : []);
const camelCase = (id) => id.replace(/(^|-)([a-z])/g, (_, __, letter) => letter.toUpperCase());

/** The statements about one subject, as `{ text, triples }`. */
function node(subject, statements) {
  const lines = [];
  let triples = 0;
  for (const [predicate, value] of statements) {
    const objects = (Array.isArray(value) ? value : [value]).filter((object) => object !== undefined);
    if (objects.length === 0) continue;
    lines.push(`${predicate} ${objects.join(', ')}`);
    triples += objects.length;
  }
  return { text: lines.length === 0 ? '' : `${subject} ${lines.join(' ;\n  ')} .\n`, triples };
}

const person = (row) =>
  node(`person:${row.id}`, [
    ['a', ':Person'],
    ['rdfs:label', text(row.name)],
    [':birthYear', year(row.born)],
    [':deathYear', year(row.died)],
  ]);

const labelled = (prefix, type) => (row) =>
  node(`${prefix}:${row.id}`, [
    ['a', type],
    ['rdfs:label', [english(row.label), german(row.german)]],
    [':country', row.country && [english(row.country)]],
  ]);

const subclasses = (rows) =>
  rows.map(([id, parent, label]) =>
    node(`:${id}`, [
      ['a', 'rdfs:Class'],
      ['rdfs:subClassOf', parent && `:${parent}`],
      ['rdfs:label', english(label)],
    ]),
  );

function elements() {
  const rows = table('elements');
  return {
    title: 'Chemical elements',
    graphs: [
      {
        id: undefined,
        description: 'The elements, their properties and their categories.',
        nodes: [
          ...rows.map((row) =>
            node(`element:${row.name}`, [
              ['a', [':Element', ...(row.category ? [`:${camelCase(row.category)}`] : [])]],
              ['rdfs:label', [english(row.name), german(row.german)]],
              ['schema:description', english(row.description)],
              [':symbol', text(row.symbol)],
              [':atomicNumber', integer(row.number)],
              [':standardAtomicWeight', decimal(row.weight)],
              [':group', integer(row.group)],
              [':period', integer(row.period)],
              [':block', text(row.block)],
              [':phaseAtRoomTemperature', text(row.phase)],
              [':electronegativity', decimal(row.electronegativity)],
              [':meltingPointKelvin', double(row.meltingPoint)],
              [':radioactive', isRadioactive(Number(row.number)) ? 'true' : 'false'],
            ]),
          ),
          ...table('categories').map((row) =>
            node(`:${camelCase(row.id)}`, [
              ['a', 'rdfs:Class'],
              ['rdfs:subClassOf', row.parent ? `:${camelCase(row.parent)}` : ':Element'],
              ['rdfs:label', [english(row.label), german(row.german)]],
              ['schema:description', english(row.description)],
            ]),
          ),
        ],
      },
      {
        id: 'element-discovery',
        description: 'Who discovered an element, and when. Elements known since antiquity have no year.',
        nodes: [
          ...rows.map((row) =>
            node(`element:${row.name}`, [
              [':discoveryYear', year(row.year)],
              [':discoverer', names('person')(row.discoverers)],
            ]),
          ),
          ...table('element-people').map(person),
          ...table('element-laboratories').map(labelled('org', ':Laboratory')),
        ],
      },
      {
        id: 'element-names',
        description: 'The places, people and celestial bodies that elements are named after.',
        nodes: [
          ...rows.map((row) => node(`element:${row.name}`, [[':namedAfter', names('place')(row.namesakes)]])),
          ...table('element-places').map(labelled('place', ':Place')),
        ],
      },
    ],
  };
}

/**
 * Elements without an isotope that is stable for good: technetium, promethium and everything from
 * bismuth on.
 */
const isRadioactive = (number) => number === 43 || number === 61 || number >= 83;

function space() {
  const bodies = table('bodies');
  const when = (cell) => (cell.length === 4 ? year(cell) : date(cell));
  return {
    title: 'Solar System and spaceflight',
    graphs: [
      {
        id: undefined,
        description: 'The Sun, planets, moons and small bodies.',
        nodes: [
          ...bodies.map((row) =>
            node(`body:${row.id}`, [
              ['a', [':CelestialBody', `:${row.kind}`]],
              ['rdfs:label', [english(row.name), german(row.german)]],
              ['schema:description', english(row.description)],
              [':orbits', name('body')(row.parent)],
              [':meanRadiusKm', decimal(row.radiusKm)],
              [':massKg', double(row.massKg)],
              [':semiMajorAxisKm', integer(row.semiMajorAxisKm)],
              [':semiMajorAxisAu', decimal(row.semiMajorAxisAu)],
              [':orbitalPeriodDays', decimal(row.periodDays)],
              [':containsElement', names('element')(row.elements)],
            ]),
          ),
          ...subclasses([
            ['Star', 'CelestialBody', 'star'],
            ['Planet', 'CelestialBody', 'planet'],
            ['Moon', 'CelestialBody', 'moon'],
            ['MinorPlanet', 'CelestialBody', 'minor planet'],
            ['DwarfPlanet', 'MinorPlanet', 'dwarf planet'],
            ['Asteroid', 'MinorPlanet', 'asteroid'],
            ['Comet', 'CelestialBody', 'comet'],
          ]),
        ],
      },
      {
        id: 'body-discovery',
        description: 'Who discovered a body, and when. Bodies known since antiquity have no date.',
        nodes: [
          ...bodies.map((row) =>
            node(`body:${row.id}`, [
              [':discovered', when(row.discovered)],
              [':discoverer', names('person')(row.discoverers)],
            ]),
          ),
          ...table('space-people').map(person),
        ],
      },
      {
        id: 'missions',
        description: 'Space missions, their targets and the elements that made them work. Launch dates are in UTC.',
        nodes: [
          ...table('missions').map((row) =>
            node(`mission:${row.id}`, [
              ['a', [':Mission', `:${row.kind}`]],
              ['rdfs:label', english(row.name)],
              ['schema:description', english(row.description)],
              [':agency', names('org')(row.agencies)],
              [':launched', date(row.launched)],
              [':ended', date(row.ended)],
              [':target', names('body')(row.targets)],
              [':usesElement', names('element')(row.elements)],
            ]),
          ),
          ...table('agencies').map(labelled('org', ':SpaceAgency')),
          ...subclasses([
            ['Flyby', 'Mission', 'flyby'],
            ['Orbiter', 'Mission', 'orbiter'],
            ['Lander', 'Mission', 'lander'],
            ['Rover', 'Lander', 'rover'],
            ['Impactor', 'Mission', 'impactor'],
            ['AtmosphericProbe', 'Mission', 'atmospheric probe'],
            ['SampleReturn', 'Mission', 'sample return'],
            ['CrewedMission', 'Mission', 'crewed mission'],
            ['SpaceTelescope', 'Mission', 'space telescope'],
          ]),
        ],
      },
    ],
  };
}

/** One document: the graphs, and a graph of their provenance. */
function trig({ title, graphs }, file) {
  const provenance = {
    id: `${file}-provenance`,
    nodes: [
      node(`<${HOME}dataset/${file}>`, [
        ['a', 'void:Dataset'],
        ['dcterms:title', english(title)],
        ['dcterms:license', '<https://creativecommons.org/publicdomain/zero/1.0/>'],
        ['dcterms:publisher', text('RDF Worlds')],
        ['dcterms:modified', date('2026-11-20')],
        ['void:subset', graphs.filter(({ id }) => id).map(({ id }) => `graph:${id}`)],
      ]),
      ...graphs.map(({ id, description, nodes }) =>
        node(id ? `graph:${id}` : `<${HOME}dataset/${file}#default-graph>`, [
          ['dcterms:description', english(description)],
          ['void:triples', nodes.reduce((sum, { triples }) => sum + triples, 0)],
        ]),
      ),
    ],
  };
  const blocks = [...graphs, provenance].map(({ id, nodes }) => {
    const body = nodes.map((each) => each.text).join('');
    return id ? `graph:${id} {\n${body}}\n` : body;
  });
  const prefixes = Object.entries(PREFIXES).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`);
  return `# ${title}. Public domain (CC0); made by generate.mjs, do not edit.\n${prefixes.join('')}\n${blocks.join('\n')}`;
}

/** File name to text. */
export const documents = new Map([
  ['elements.trig', trig(elements(), 'elements')],
  ['space.trig', trig(space(), 'space')],
]);

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const [file, content] of documents) {
    const path = new URL(file, import.meta.url);
    if (!process.argv.includes('--check')) writeFileSync(path, content);
    else if (readFileSync(path, 'utf8') !== content)
      throw new Error(`${file} does not match its tables: run node examples/data/generate.mjs`);
  }
}
