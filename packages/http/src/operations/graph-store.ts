import { dataFactory, type World, WorldsError, writeQueryResult } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { Accept } from '../accept.ts';
import { type Call, pathWorld } from '../call.ts';
import { etagOf, matchesEtag } from '../etag.ts';
import { HttpError } from '../http-error.ts';
import { GRAPH_TYPES } from '../media-type.ts';
import { emptyReply, type Reply, streamedReply } from '../reply.ts';
import { isAbsoluteIri } from '../schemas.ts';
import type { WorldName } from '../world-name.ts';
import { readGraph } from './graph-document.ts';

/** SPARQL 1.1 Graph Store HTTP Protocol: one world is a graph store. */

/** How often a replacement is tried again when the world changes in the meantime. */
const ATTEMPTS = 8;
const BATCH_QUADS = 512;

/** GET and HEAD (section 5.2): the triples of a graph. */
export async function getGraph(call: Call): Promise<Reply> {
  const { engine, incoming } = call;
  const source = pathWorld(call);
  const graph = namedGraph(call);
  const world = await openWorld(call, source);
  await requireGraph(call, source, graph);
  const mediaType = new Accept(incoming.header('accept')).choose(GRAPH_TYPES);
  const headers = { etag: etagOf(world, mediaType), vary: 'Accept' };
  if (matchesEtag(incoming.header('if-none-match'), headers.etag)) return emptyReply(304, headers);
  const quads = engine.quads({ source, graph, signal: call.signal });
  const result = { type: 'quads', batches: tripleBatches(quads) } as const;
  return streamedReply(call, mediaType, writeQueryResult(result, mediaType, { signal: call.signal }), headers);
}

/** PUT (section 5.3): the graph is exactly the document afterwards, in one commit. */
export async function putGraph(call: Call): Promise<Reply> {
  const source = pathWorld(call);
  const graph = namedGraph(call);
  const insert = await readGraph(call, graph, baseIri(call, graph));
  for (let attempt = 1; ; attempt++) {
    const { revision } = await openWorld(call, source);
    const existed = await hasGraph(call, source, graph);
    const remove: RDF.Quad[] = [];
    for await (const quad of call.engine.quads({ source, graph, signal: call.signal })) remove.push(quad);
    try {
      if (insert.length === 0) {
        // An empty graph is a graph: it can be asked for. The default graph is always there.
        const target =
          graph.termType === 'DefaultGraph'
            ? 'CLEAR DEFAULT'
            : `DROP SILENT GRAPH <${graph.value}> ; CREATE GRAPH <${graph.value}>`;
        await call.engine.update({ query: target, sources: [source], ifRevision: revision, signal: call.signal });
      } else {
        await call.engine.write({ source, insert, delete: remove, ifRevision: revision, signal: call.signal });
      }
      return existed ? emptyReply(204) : emptyReply(201);
    } catch (error) {
      if (!(error instanceof WorldsError && error.code === 'CONFLICT') || attempt === ATTEMPTS) throw error;
    }
  }
}

/** POST (section 5.5): adds the document to a graph; without a graph in the address, to a new one. */
export async function postGraph(call: Call): Promise<Reply> {
  const source = pathWorld(call);
  const isNew =
    call.graphPath === undefined && !call.incoming.query.has('graph') && !call.incoming.query.has('default');
  // The new graph's name is the address at which it can be asked for directly.
  const graph = isNew ? dataFactory.namedNode(directIri(call, crypto.randomUUID())) : namedGraph(call);
  const data = await readGraph(call, graph, baseIri(call, graph));
  await openWorld(call, source);
  const existed = await hasGraph(call, source, graph);
  if (data.length > 0) {
    await call.engine.import({ source, data, signal: call.signal });
  } else if (!existed) {
    await call.engine.update({ query: `CREATE SILENT GRAPH <${graph.value}>`, sources: [source], signal: call.signal });
  }
  if (isNew) return emptyReply(201, { location: graph.value });
  return existed ? emptyReply(204) : emptyReply(201);
}

/** DELETE (section 5.4). */
export async function deleteGraph(call: Call): Promise<Reply> {
  const source = pathWorld(call);
  const graph = namedGraph(call);
  await openWorld(call, source);
  await requireGraph(call, source, graph);
  const query = graph.termType === 'DefaultGraph' ? 'CLEAR DEFAULT' : `DROP SILENT GRAPH <${graph.value}>`;
  await call.engine.update({ query, sources: [source], signal: call.signal });
  return emptyReply(204);
}

type Graph = RDF.NamedNode | RDF.DefaultGraph;

/** The graph of the address: `?default`, `?graph=IRI` (section 4.2), or the address itself (section 4.1). */
function namedGraph(call: Call): Graph {
  const graphs = call.incoming.query.getAll('graph');
  const isDefault = call.incoming.query.has('default');
  if (call.graphPath !== undefined) {
    if (isDefault || graphs.length > 0) invalid('graph, default: the address names a graph already; leave them out.');
    return dataFactory.namedNode(requireIri(directIri(call, call.graphPath)));
  }
  if (isDefault === graphs.length > 0 || graphs.length > 1) {
    invalid('graph, default: name one graph, as ?default or as ?graph= with its IRI.');
  }
  return isDefault ? dataFactory.defaultGraph() : dataFactory.namedNode(requireIri(graphs[0]));
}

function requireIri(iri: string): string {
  if (!isAbsoluteIri(iri)) invalid(`graph: expected an absolute IRI, found ${JSON.stringify(iri)}.`);
  return iri;
}

/** The IRI of a graph that is named by its address: the same through both families of routes. */
function directIri(call: Call, path: string): string {
  const { namespace, slug } = pathWorld(call);
  return `${call.publicUrl}/namespaces/${namespace}/worlds/${slug}/graphs/${path}`;
}

/** Relative IRIs of a document resolve against its graph's name (section 4.1), else against the address. */
function baseIri(call: Call, graph: Graph): string {
  return graph.termType === 'NamedNode' ? graph.value : call.endpointUrl;
}

async function openWorld({ engine }: Call, source: WorldName): Promise<World> {
  const world = await engine.getWorld({ source });
  if (!world) throw new WorldsError('NOT_FOUND', `There is no world ${source.namespace}/${source.slug}.`);
  return world;
}

async function requireGraph(call: Call, source: WorldName, graph: Graph): Promise<void> {
  if (await hasGraph(call, source, graph)) return;
  throw new HttpError(404, `There is no graph <${graph.value}> in ${source.namespace}/${source.slug}.`);
}

/** Whether a graph exists, be it empty. The default graph always does. */
async function hasGraph({ engine, signal }: Call, source: WorldName, graph: Graph): Promise<boolean> {
  if (graph.termType === 'DefaultGraph') return true;
  for await (const _ of engine.quads({ source, graph, signal })) return true;
  return engine.ask({
    query: 'ASK { GRAPH ?g {} FILTER(?g = ?name) }',
    bindings: { name: graph },
    sources: [source],
    signal,
  });
}

/** Batches of triples out of the quads of one graph. */
async function* tripleBatches(quads: AsyncIterable<RDF.Quad>): AsyncGenerator<RDF.Quad[]> {
  let batch: RDF.Quad[] = [];
  for await (const { subject, predicate, object } of quads) {
    batch.push(dataFactory.quad(subject, predicate, object));
    if (batch.length < BATCH_QUADS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
