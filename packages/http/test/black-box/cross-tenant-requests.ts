import type { SeededRandom } from '@rdf-worlds/testkit';
import { CALLERS, type Caller, WRONG_TOKEN } from './callers.ts';

/**
 * A world that nobody may read but those whose grants say so; its word is in everything that it
 * holds.
 */
export interface GuardedWorld {
  readonly namespace: string;
  readonly slug: string;
  readonly word: string;
}

/** One request over a socket, as bytes. */
export interface CrossTenantRequest {
  /** Null for nobody. */
  readonly caller: Exclude<Caller, 'admin'> | null;
  /** The world that the request reaches for, though it may name others. */
  readonly target: GuardedWorld;
  readonly bytes: string;
}

/** A request with another name in the place of one: the same length, and the name of nothing. */
export function twinOf(bytes: string, name: string): { readonly bytes: string; readonly name: string } {
  const twin = `${name.slice(0, -1)}q`;
  return { bytes: bytes.replace(new RegExp(`\\b${name}\\b`, 'g'), twin), name: twin };
}

const READERS = (Object.keys(CALLERS) as Caller[]).filter((caller) => caller !== 'admin') as Exclude<Caller, 'admin'>[];

const ALL = 'SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }';

/**
 * Texts of queries and updates that may reach for more than the worlds of their request. `name` is
 * a world in some notation.
 */
const TEXTS: readonly ((name: string) => string)[] = [
  () => ALL,
  () => 'SELECT ?g (COUNT(*) AS ?n) (SAMPLE(?o) AS ?one) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g',
  () => 'CONSTRUCT { ?s ?p ?o } WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }',
  () => 'DESCRIBE <urn:s>',
  () => 'ASK { GRAPH ?g { ?s ?p ?o } }',
  () => 'SELECT ?o { <urn:s> (<urn:p>|!<urn:q>)* ?o } LIMIT 50',
  (name) => `SELECT * FROM <${name}> FROM NAMED <${name}> { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }`,
  (name) => `SELECT * { GRAPH <${name}> { ?s ?p ?o } }`,
  (name) => `SELECT * { SERVICE <${name}> { ?s ?p ?o } }`,
  (name) => `SELECT * { SERVICE SILENT <http://localhost/worlds/${name}/sparql> { ?s ?p ?o } }`,
  () =>
    'SELECT * { SERVICE <urn:rdf-worlds:search> { [] <urn:rdf-worlds:search#query> "common" ; <urn:rdf-worlds:search#subject> ?s ; <urn:rdf-worlds:search#object> ?o } }',
  () => 'INSERT { ?s <urn:copied> ?o } WHERE { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }',
  (name) => `COPY <${name}> TO DEFAULT`,
  (name) => `LOAD <http://localhost/worlds/${name}/graphs?default> INTO GRAPH <urn:stolen>`,
  () => 'DELETE WHERE { ?s ?p ?o }',
  () => 'CLEAR ALL',
  () => 'DROP SILENT ALL ; INSERT DATA { <urn:s> <urn:p> "overwritten" }',
];

const HEADERS = [
  'X-Forwarded-User: admin',
  'X-Forwarded-For: 127.0.0.1',
  'X-HTTP-Method-Override: DELETE',
  'X-Original-URL: /namespaces/beta/worlds/vault',
  'X-Namespace: beta',
  'Origin: https://evil.example',
  'Cookie: authorization=admin',
  `Authorization: Bearer ${WRONG_TOKEN}`,
  'Proxy-Authorization: Bearer admin-of-everything',
];

const TYPES = [
  'application/sparql-query',
  'application/sparql-update',
  'application/json',
  'text/plain',
  'text/turtle',
];
const TURTLE = '<urn:s> <urn:p> "overwritten" .';

/**
 * Makes requests of callers for worlds that are mostly others', by every route and in every
 * notation of a world.
 */
export class CrossTenantRequests {
  private readonly random: SeededRandom;
  private readonly worlds: readonly GuardedWorld[];

  constructor(random: SeededRandom, worlds: readonly GuardedWorld[]) {
    this.random = random;
    this.worlds = worlds;
  }

  next(): CrossTenantRequest {
    const caller = this.chance(0.05) ? null : this.one(READERS);
    const target = this.one(this.worlds);
    const { method, path, body, type } = this.operation(target);
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${this.chance(0.1) ? `${target.namespace}.worlds.example` : 'x'}`,
      'Connection: close',
      ...(path.startsWith('/mcp') || path.startsWith('/reference')
        ? ['Accept: application/json, text/event-stream']
        : []),
      ...(caller ? [`Authorization: Bearer ${CALLERS[caller].token}`] : []),
      ...(this.chance(0.15) ? [this.one(HEADERS)] : []),
      ...(type ? [`Content-Type: ${type}`] : []),
      ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    return { caller, target, bytes: `${lines.join('\r\n')}\r\n\r\n${body ?? ''}` };
  }

  private operation(target: GuardedWorld): { method: string; path: string; body?: string; type?: string } {
    const { random } = this;
    const worlds = this.collection(target);
    const world = `${worlds}/${this.spelled(this.one([target.slug, target.slug, this.one(this.worlds).slug]))}`;
    const scope = this.one([worlds, world]);
    const text = this.one(TEXTS)(this.notation(target));
    const json = (value: unknown) => ({ body: JSON.stringify(value), type: 'application/json' });
    const named = () => this.sourcesOf(target);
    const graph = this.one(['default', `graph=urn:graph:${target.namespace}`, 'graph=urn:g']);
    switch (random.below(26)) {
      case 0:
        return { method: 'GET', path: this.one([worlds, world, `${worlds}?pageSize=100`, '/openapi.json', '/stats']) };
      case 1:
        return { method: 'POST', path: `${world}/export`, ...json(this.chance(0.5) ? { source: named() } : {}) };
      case 2:
        return {
          method: 'POST',
          path: `${world}/import`,
          ...json({ data: Buffer.from(TURTLE).toString('base64'), contentType: 'text/turtle', source: named() }),
        };
      case 3:
      case 4:
      case 5:
        return { method: 'POST', path: `${scope}/sparql`, ...json({ query: text, ...this.worldsOf(target) }) };
      case 6:
        return { method: 'GET', path: `${scope}/sparql?query=${encodeURIComponent(text)}` };
      case 7:
        return { method: 'POST', path: `${scope}/sparql`, body: text, type: this.one(TYPES) };
      case 8:
        return {
          method: 'POST',
          path: `${scope}/sparql`,
          body: new URLSearchParams({ [this.one(['query', 'update'])]: text }).toString(),
          type: 'application/x-www-form-urlencoded',
        };
      case 9:
        return {
          method: 'POST',
          path: `${scope}/search`,
          ...json({ query: this.one(['common', target.word.slice(0, 4)]), ...this.worldsOf(target) }),
        };
      case 10:
        return { method: 'GET', path: `${world}/graphs?${graph}` };
      case 11:
        return {
          method: this.one(['PUT', 'POST', 'DELETE']),
          path: `${world}/graphs?${graph}`,
          body: TURTLE,
          type: 'text/turtle',
        };
      case 12:
        return {
          method: 'PUT',
          path: world,
          ...json({ label: 'taken', ...(this.chance(0.5) && { source: named() }) }),
        };
      case 13:
        return { method: 'DELETE', path: world, ...(this.chance(0.5) ? json({ source: named() }) : {}) };
      case 14:
        return {
          method: 'POST',
          path: `${world}/fork`,
          ...json({
            slug: this.one(['copy', target.slug]),
            ...(this.chance(0.5) && { source: named() }),
            ...this.past(),
          }),
        };
      case 15:
      case 16:
        return {
          method: 'POST',
          path: `${world}/diff`,
          ...json({
            ...(this.chance(0.5) && { source: named() }),
            ...(this.chance(0.5) && { from: this.one([0, 1, '2020-01-01T00:00:00Z']) }),
            ...(this.chance(0.6) && { to: { source: named(), ...this.past() } }),
          }),
        };
      case 17:
        return {
          method: 'GET',
          path: `${world}/${this.one(['schema', 'stats', 'schema?limit=1', 'stats?consistency=latest'])}`,
        };
      case 18: {
        const whole = worlds.replace(/\/worlds$/, '');
        const after = this.one(['', '&after=0', '&after=1', `&after=${'A'.repeat(48)}`, '&quads=0']);
        return { method: 'GET', path: `${this.one([world, whole])}/changes?follow=false${after}` };
      }
      case 19:
        return {
          method: 'POST',
          path: `${scope}/search`,
          ...json({
            query: this.one(['common', target.word.slice(0, 4)]),
            prefix: true,
            facets: true,
            explain: true,
            types: [`urn:${target.slug}`],
            ...this.worldsOf(target),
          }),
        };
      case 20:
        return {
          method: 'POST',
          path: `${scope}/sparql`,
          ...json({
            query: text,
            ...this.worldsOf(target),
            ...this.one<object>([
              { explain: 'plan' },
              { explain: 'analyze' },
              { validate: true },
              { canonicalOrder: true },
              { blind: true },
              this.past(),
            ]),
          }),
        };
      case 21:
        return {
          method: 'POST',
          path: `${world}/export`,
          ...json({
            contentType: 'application/ld+json',
            source: named(),
            ...this.one<object>([
              { frame: {} },
              { context: {} },
              { canonicalOrder: true },
              this.past(),
              { graph: this.notation(target) },
            ]),
          }),
        };
      case 22:
      case 23:
      case 24:
        return { method: 'POST', path: this.one(['/mcp', '/mcp', '/reference']), ...json(this.message(target, text)) };
      default:
        return this.chance(0.5)
          ? { method: 'POST', path: worlds, ...json({ slug: 'intruder', namespace: target.namespace }) }
          : {
              method: 'GET',
              path: this.one([
                '/backup',
                '/backup?since=x',
                '/metrics',
                '/activity',
                '/healthz',
                '/console/',
                `/console/${target.slug}`,
                '/stats',
                `${world}/sparql`,
                '/namespaces',
              ]),
            };
    }
  }

  private past(): object {
    return this.one<object>([{}, { at: 0 }, { at: 1 }, { at: '2020-01-01T00:00:00Z' }]);
  }

  /** A message of MCP, most often a call of a tool. */
  private message(target: GuardedWorld, text: string): object {
    const world = this.one([`${target.namespace}/${target.slug}`, target.slug, this.notation(target)]);
    const entity = '<urn:s>';
    const fact = { subject: entity, predicate: '<urn:p>', value: 'overwritten' };
    const call = (name: string, input: object) => ({ method: 'tools/call', params: { name, arguments: input } });
    const message = this.one<() => object>([
      () => call('list_worlds', {}),
      () => call('create_world', { world: this.one([world, `${target.namespace}/intruder`]) }),
      () => call('describe_world', { world }),
      () => call('search', { query: 'common', ...(this.chance(0.7) && { worlds: [world] }) }),
      () => call('find_entity', { name: target.word.slice(0, 5), ...(this.chance(0.7) && { worlds: [world] }) }),
      () => call('look', { world, entity }),
      () => call('query', { query: text, ...(this.chance(0.7) && { worlds: [world] }) }),
      () => call('query', { query: ALL, worlds: [world], recorded_at: '2020-01-01' }),
      () => call('remember', { world, facts: [fact] }),
      () => call('remember', { world, document: TURTLE }),
      () => call('correct', { world, old: fact, kind: 'wrong', value: 'other' }),
      () => call('forget', { world, entity, erase: true }),
      () => call('history', { world, entity }),
      () => call('state_at', { world, entity, valid_at: '2020-01-01' }),
      () => call('import_document', { world, document: TURTLE }),
      () => call('remember_document', { world, document: 'Book', text: 'overwritten' }),
      () => call('read_graph', {}),
      () => call('search_nodes', { query: target.word.slice(0, 4) }),
      () => call('create_entities', { entities: [{ name: 'E', entityType: 't', observations: ['overwritten'] }] }),
      () => ({ method: 'resources/list' }),
      () => ({ method: 'resources/read', params: { uri: `world://${target.namespace}/${target.slug}` } }),
      () => ({
        method: 'resources/read',
        params: { uri: `world://${target.namespace}/${target.slug}/entity/urn%3As` },
      }),
      () => ({
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: 'world://{namespace}/{slug}' },
          argument: { name: this.one(['slug', 'namespace']), value: target.slug.slice(0, 2) },
        },
      }),
      () => ({ method: 'prompts/get', params: { name: 'recall', arguments: { question: target.slug, world } } }),
    ])();
    return { jsonrpc: '2.0', id: 1, ...message };
  }

  /** The path of the worlds of a namespace, in several spellings. */
  private collection({ namespace }: GuardedWorld): string {
    const other = this.one(this.worlds).namespace;
    return this.one([
      '/worlds',
      `/namespaces/${namespace}/worlds`,
      `/namespaces/${namespace}/worlds`,
      `/namespaces/${this.spelled(namespace)}/worlds`,
      '/namespaces/-/worlds',
      `/namespaces/${other}/worlds/../../${namespace}/worlds`,
      `/namespaces/${other}%2f..%2f${namespace}/worlds`,
      `//namespaces/${namespace}/worlds`,
      `http://localhost/namespaces/${namespace}/worlds`,
      `/namespaces/${namespace.toUpperCase()}/worlds`,
    ]);
  }

  /** A name, now and then with an escaped letter, which means the same. */
  private spelled(name: string): string {
    if (!this.chance(0.2)) return name;
    const at = this.random.below(name.length);
    return `${name.slice(0, at)}%${name.charCodeAt(at).toString(16)}${name.slice(at + 1)}`;
  }

  /** What a request may say about worlds, besides its path. */
  private worldsOf(target: GuardedWorld): Record<string, unknown> {
    const fields: Record<string, unknown>[] = [
      {},
      { namespace: target.namespace },
      { sources: [this.sourcesOf(target)] },
      { sources: [this.sourcesOf(this.one(this.worlds)), this.sourcesOf(target)] },
      { sources: [this.sourcesOf(target)], namespace: this.one(this.worlds).namespace },
      { defaultGraphUris: [this.notation(target)], namedGraphUris: [this.notation(target)] },
      { sources: [] },
    ];
    return this.one(fields);
  }

  private sourcesOf({ namespace, slug }: GuardedWorld): unknown {
    return this.one<unknown>([
      `${namespace}/${slug}`,
      slug,
      { slug, namespace },
      { name: `${namespace}/${slug}` },
      { name: `${namespace}/${slug}`, schema: true },
      { slug, namespace, write: true },
      `${namespace}%2F${slug}`,
      `${namespace}/./${slug}`,
      [`${namespace}/${slug}`],
    ]);
  }

  private notation({ namespace, slug }: GuardedWorld): string {
    return this.one([
      `${namespace}/${slug}`,
      `urn:graph:${namespace}`,
      `urn:${namespace}/${slug}`,
      `https://worlds.example/namespaces/${namespace}/worlds/${slug}`,
    ]);
  }

  private one<Item>(items: readonly Item[]): Item {
    return items[this.random.below(items.length)];
  }

  private chance(part: number): boolean {
    return this.random.next() < part;
  }
}
