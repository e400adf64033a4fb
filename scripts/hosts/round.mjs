/**
 * Exercises what every host must support, given the modules that its own loader returned: reading
 * each format (which loads another library on first use), queries, search by words and by vectors,
 * export, HTTP requests, errors with codes and, given a path, durable writes and reopening. Throws
 * at the first wrong answer. Its source is copied into the hosts' programs, so it uses only its
 * arguments and universally available globals.
 */
export async function round({ core, embedders, storageFile, http, express }, path) {
  const must = (claim, what) => {
    if (!claim) throw new Error(`In this host ${what}.`);
  };
  const documents = [
    ['text/turtle', '<urn:ada> <urn:made> "the analytical engines"@en .'],
    ['application/n-quads', '<urn:ada> <urn:knew> <urn:mary> <urn:g> .\n'],
    ['application/ld+json', '{ "@id": "urn:mary", "urn:name": "Mary Somerville" }'],
    [
      'application/rdf+xml',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description rdf:about="urn:mary"><u:born>1780</u:born></rdf:Description></rdf:RDF>',
    ],
  ];
  const query = 'SELECT ?name { ?s <urn:name> ?name ; <urn:born> ?year FILTER(STRLEN(?year) = 4) }';
  const tryHttp = async (engine) => {
    const token = 'a-token-of-the-round';
    const handler = http.createWorldsHandler(engine, {
      authenticate: http.staticTokens([{ token, namespace: 'default' }]),
      baseUrl: 'http://localhost/',
    });
    const ask = (authorization) =>
      handler(
        new Request('http://localhost/worlds/people/sparql', {
          method: 'POST',
          headers: { 'content-type': 'application/sparql-query', ...(authorization && { authorization }) },
          body: query,
        }),
      );
    const answer = await ask(`Bearer ${token}`);
    must(answer.status === 200, `a query over HTTP is ${answer.status}`);
    const { results } = await answer.json();
    must(results.bindings[0]?.name.value === 'Mary Somerville', 'a query over HTTP gets a wrong answer');
    must((await ask()).status === 401, 'a request without a token is not refused');
  };
  const use = async (options) => {
    const engine = await core.WorldsEngine.open({ ...options, embedder: embedders.lsaEmbedder() });
    await engine.createWorld({ slug: 'people', namespace: 'default' });
    for (const [contentType, data] of documents) await engine.import({ source: 'people', contentType, data });
    const rows = await (await engine.select({ sources: ['people'], query })).objects();
    must(rows.length === 1 && rows[0].name === 'Mary Somerville', 'a query gets a wrong answer');
    const [hit] = await engine.search({ sources: ['people'], query: 'engine' });
    must(hit?.object === 'the analytical engines', 'a search finds nothing; was the stemmer of English loaded?');
    for (const contentType of ['text/turtle', 'application/ld+json', 'application/n-quads']) {
      const bytes = await engine.export({ source: 'people', contentType });
      must(new TextDecoder().decode(bytes).includes('Mary Somerville'), `an export of ${contentType} is incomplete`);
    }
    const wrong = await engine.select({ sources: ['nobody'], query: 'SELECT * {}' }).catch((error) => error);
    must(wrong instanceof core.WorldsError && wrong.code === 'NOT_FOUND', `a missing world is not NOT_FOUND: ${wrong}`);
    if (http) await tryHttp(engine);
    await engine.close();
  };
  await use({});
  if (!path) return 'in memory';
  must(typeof express.worldsRouter === 'function', 'the router for Express is not loaded');
  await use({ storage: storageFile.fileStorage({ path }) });
  const again = await core.WorldsEngine.open({ storage: storageFile.fileStorage({ path }) });
  must(await again.ask({ sources: ['people'], query: 'ASK { <urn:mary> <urn:born> "1780" }' }), 'data are not durable');
  must((await again.search({ sources: ['people'], query: 'engine' })).length === 1, 'durable data are not searched');
  await again.close();
  return 'in memory, durable';
}

const PACKAGES = {
  core: '@rdf-worlds/core',
  embedders: '@rdf-worlds/core/embedders',
  storageFile: '@rdf-worlds/storage-file',
  http: '@rdf-worlds/http',
  express: '@rdf-worlds/http/express',
};
const BUILT_IN = { fs: 'node:fs/promises', os: 'node:os', path: 'node:path' };
/**
 * Statements that load a module, by kind of program. `dynamic` is CommonJS that imports the
 * packages.
 */
const LOADING = {
  esm: (name, specifier) => `import * as ${name} from '${specifier}';`,
  cjs: (name, specifier) => `const ${name} = require('${specifier}');`,
  dynamic: (name, specifier) => `  const ${name} = await import('${specifier}');`,
};

/**
 * Returns the source of a function `run` that does the round in a temporary directory: `esm`, `cjs`
 * or `dynamic`.
 */
export function roundSource(kind) {
  const load = (modules, how) => Object.entries(modules).map(([name, specifier]) => LOADING[how](name, specifier));
  const inside = kind === 'dynamic' ? load(PACKAGES, kind) : [];
  const outside = load(BUILT_IN, kind === 'esm' ? 'esm' : 'cjs').concat(kind === 'dynamic' ? [] : load(PACKAGES, kind));
  return `${outside.join('\n')}
${round}
async function run() {
${inside.join('\n')}
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'rdf-worlds-host-'));
  try {
    return await round({ ${Object.keys(PACKAGES).join(', ')} }, path.join(folder, 'data'));
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}
`;
}

/** Printed by a program after a complete round; a host that prints nothing has checked nothing. */
export const DONE = 'The round is complete: in memory, durable';

/** Returns a single-file program that does the round and prints {@link DONE}: `esm` or `cjs`. */
export const roundProgram = (kind) =>
  `${roundSource(kind)}run().then((how) => console.log('The round is complete: ' + how));\n`;

/** The round in memory for browsers, as a module that exports `run`. */
export const roundModule = `${LOADING.esm('core', PACKAGES.core)}
${LOADING.esm('embedders', PACKAGES.embedders)}
${round}
export const run = () => round({ core, embedders });
`;

/** The round in memory, as a Worker that answers with the result. */
export const roundWorker = `${LOADING.esm('core', PACKAGES.core)}
${LOADING.esm('embedders', PACKAGES.embedders)}
${LOADING.esm('http', PACKAGES.http)}
${round}
export default {
  async fetch() {
    try {
      return new Response('The round is complete: ' + (await round({ core, embedders, http })));
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  },
};
`;
