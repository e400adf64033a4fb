const QUERY = "query: 'SELECT * { ?s ?p ?o }'";
const SOURCE = "source: 'people'";
const SOURCES = "sources: ['people']";

/** A valid request for each method, for messages to callers that pass something else. */
const EXAMPLES: Readonly<Record<string, string>> = {
  createWorld: "{ slug: 'people' }",
  updateWorld: `{ ${SOURCE}, label: 'People' }`,
  listWorlds: "{ namespace: 'acme' }",
  worlds: "{ namespace: 'acme' }",
  getNamespace: "{ namespace: 'acme' }",
  deleteNamespace: "{ namespace: 'acme' }",
  import: `{ ${SOURCE}, data, contentType: 'text/turtle' }`,
  importAll: `{ ${SOURCE}, documents: [{ data, contentType: 'text/turtle' }] }`,
  export: `{ ${SOURCE}, contentType: 'text/turtle' }`,
  exportStream: `{ ${SOURCE}, contentType: 'text/turtle' }`,
  write: `{ ${SOURCE}, insert: [quad] }`,
  fork: `{ ${SOURCE}, slug: 'plan' }`,
  hasGraph: `{ ${SOURCE}, graph: 'https://example.org/g' }`,
  deleteGraph: `{ ${SOURCE}, graph: 'https://example.org/g' }`,
  getEntity: `{ ${SOURCE}, entity: 'https://example.org/ada' }`,
  sparql: `{ ${SOURCES}, ${QUERY} }`,
  query: `{ ${SOURCES}, ${QUERY} }`,
  select: `{ ${SOURCES}, ${QUERY} }`,
  ask: `{ ${SOURCES}, query: 'ASK { ?s ?p ?o }' }`,
  construct: `{ ${SOURCES}, query: 'CONSTRUCT WHERE { ?s ?p ?o }' }`,
  update: `{ ${SOURCES}, query: 'INSERT DATA { ... }' }`,
  explain: `{ ${SOURCES}, ${QUERY} }`,
  prepare: `{ ${QUERY} }`,
  validate: `{ ${QUERY} }`,
  search: `{ ${SOURCES}, query: 'light bulb' }`,
  searchFacets: `{ ${SOURCES}, query: 'light bulb' }`,
  backup: '{ since: token }',
  changes: "{ namespace: 'acme' }",
  flush: "{ namespace: 'acme' }",
  check: "{ namespace: 'acme' }",
  salvage: "{ namespace: 'acme' }",
  stats: "{ namespace: 'acme' }",
  checkpoint: "{ namespace: 'acme' }",
  compact: "{ namespace: 'acme' }",
  serviceDescription: "{ endpointUrl: 'https://example.org/sparql' }",
};

/** Returns a valid call of a method. */
export function exampleCall(operation: string): string {
  return `${operation}(${EXAMPLES[operation] ?? `{ ${SOURCE} }`})`;
}

/** Returns a valid call of a method of a world, which names no world. */
export function exampleOfWorld(operation: string): string {
  const example = EXAMPLES[operation] ?? '{}';
  return `world.${operation}(${example.replace(`${SOURCE}, `, '').replace(`${SOURCES}, `, '')})`;
}
