import {
  type DeleteGraphResult,
  dataFactory,
  type ImportResult,
  type Moment,
  sparql,
  type World,
  WorldsError,
} from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';
import type * as RDF from '@rdfjs/types';
import { acceptOf } from '../accept.ts';
import { type Call, pathWorld } from '../call.ts';
import { matchesEtag, stateTags } from '../etag.ts';
import { GRAPH_TYPES } from '../media-type.ts';
import { emptyReply, type Reply, streamedReply } from '../reply.ts';
import { tokenHeader } from '../revision-token.ts';
import { revisionHeader } from '../revisions.ts';
import { unknownWorld } from '../unknown-world.ts';
import { changeHeaders } from './change-headers.ts';
import { consistencyOf } from './consistency.ts';
import { areRepeatable, readGraphDocuments } from './graph-document.ts';
import { momentOf, momentParameter, readingPast } from './moment.ts';
import { noteHeaders } from './note-headers.ts';
import { upToDate } from './up-to-date.ts';
import { writeConditionally } from './write-condition.ts';

/** SPARQL 1.1 Graph Store HTTP Protocol: each world is a graph store. */

/** GET and HEAD (section 5.2): returns the triples of a graph. */
export async function getGraph(call: Call): Promise<Reply> {
  const { engine, incoming, signal } = call;
  const source = pathWorld(call);
  const graph = namedGraph(call);
  const contentType = acceptOf(incoming.header('accept')).choose(GRAPH_TYPES);
  const at = momentOf(call, momentParameter(incoming.query), source.namespace);
  await upToDate(call, [source.namespace], consistencyOf(incoming.query.getAll('consistency')));
  const world = await readingPast(call, [source], () => requireWorld(call, at));
  const { ofData } = await stateTags(call, world);
  // Throws if the graph does not exist. Nothing is serialized until the chunks are read.
  const canonicalOrder = call.access.hides([source]);
  const chunks = engine.exportStream({ source, at, graph, contentType, canonicalOrder, signal });
  const headers = { etag: ofData(contentType), vary: 'Accept' };
  if (matchesEtag(incoming.header('if-none-match'), headers.etag)) return emptyReply(304, headers);
  return readingPast(call, [source], () => streamedReply(call, contentType, chunks, headers));
}

/** PUT (section 5.3): replaces the graph with the document in one commit. */
export async function putGraph(call: Call): Promise<Reply> {
  return written(call, await importGraph(call, namedGraph(call), 'replace'));
}

/** POST (section 5.5): adds the document to a graph; to a new one if the address names none. */
export async function postGraph(call: Call): Promise<Reply> {
  const { query } = call.incoming;
  if (call.graphPath !== undefined || query.has('graph') || query.has('default')) {
    return written(call, await importGraph(call, namedGraph(call), 'merge'));
  }
  // The new graph is named by the address under which it can be requested directly.
  const location = directIri(call, crypto.randomUUID());
  const { notes, revision } = await importGraph(call, dataFactory.namedNode(location), 'merge');
  return emptyReply(201, { location, ...noteHeaders(notes), ...writtenToken(call, revision) });
}

/** DELETE (section 5.4): removes a graph. */
export async function deleteGraph(call: Call): Promise<Reply> {
  const graph = namedGraph(call);
  const source = pathWorld(call);
  const { signal } = call;
  const remove = async (ifRevision: number | undefined): Promise<DeleteGraphResult> => {
    if (mayRead(call)) return call.engine.deleteGraph({ source, graph, ifRevision, signal });
    // A write-only caller must not learn whether the graph existed (as in `written`). No condition
    // applies here, because conditions require read permission.
    const query = graph.termType === 'DefaultGraph' ? 'DROP SILENT DEFAULT' : sparql`DROP SILENT GRAPH ${graph}`;
    return call.engine.update({ sources: [source], query, blind: true, signal });
  };
  const result = await writeConditionally(call, source, remove, { exists: () => graphExists(call, graph) });
  const { deleted, revision } = result;
  const changes = changeHeaders({ inserted: 0, deleted }, mayRead(call));
  return emptyReply(204, { ...changes, ...revisionHeader(call, { ...source, revision }) });
}

/**
 * Returns 201 for a new graph (section 5.3), except to write-only callers, who must not learn which
 * graphs exist.
 */
function written(call: Call, result: ImportResult): Reply {
  const isReader = mayRead(call);
  const headers = {
    ...changeHeaders(result, isReader),
    ...noteHeaders(result.notes),
    ...writtenToken(call, result.revision),
  };
  return emptyReply(result.createdGraphs > 0 && isReader ? 201 : 204, headers);
}

function writtenToken(call: Call, revision: number): Record<string, string> {
  return tokenHeader(call, pathWorld(call).namespace, revision);
}

function mayRead(call: Call): boolean {
  return call.access.may('read', pathWorld(call));
}

type Graph = RDF.NamedNode | RDF.DefaultGraph;

/**
 * Imports the documents of the request. Their relative IRIs resolve against the graph's name
 * (section 4.1), or against the address for the default graph.
 */
async function importGraph(call: Call, graph: Graph, mode: 'merge' | 'replace'): Promise<ImportResult> {
  const baseIri = graph.termType === 'NamedNode' ? graph.value : call.endpointUrl;
  const read = await readGraphDocuments(call);
  const documents = read.map((document) => ({ ...document, baseIri }));
  const source = pathWorld(call);
  const write = (ifRevision: number | undefined) =>
    call.engine.importAll({ source, graph, mode, documents, ifRevision, signal: call.signal });
  const exists = () => graphExists(call, graph);
  const result = await writeConditionally(call, source, write, { exists, isRepeatable: areRepeatable(read) });
  call.record.rows = result.inserted + result.deleted;
  return result;
}

async function graphExists(call: Call, graph: Graph): Promise<boolean> {
  try {
    const chunks = call.engine.exportStream({ source: pathWorld(call), graph, contentType: 'application/n-triples' });
    for await (const _ of chunks) break;
    return true;
  } catch (error) {
    if (error instanceof WorldsError && error.code === 'NOT_FOUND') return false;
    throw error;
  }
}

/**
 * Returns the graph that the address names: `?default`, `?graph=IRI` (section 4.2), or the address
 * itself (section 4.1).
 */
function namedGraph(call: Call): Graph {
  const graphs = call.incoming.query.getAll('graph');
  const isDefault = call.incoming.query.has('default');
  if (call.graphPath !== undefined) {
    if (isDefault || graphs.length > 0) invalid('graph, default: the URL already names a graph; omit them.');
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

/** Returns the IRI of a graph named by its address; the same for both route families. */
function directIri(call: Call, path: string): string {
  const { namespace, slug } = pathWorld(call);
  return `${call.publicUrl}/namespaces/${namespace}/worlds/${slug}/graphs/${path}`;
}

async function requireWorld(call: Call, at?: Moment): Promise<World> {
  const source = pathWorld(call);
  const world = await call.engine.getWorld({ source, at });
  if (!world) throw unknownWorld(source);
  return world;
}

function invalid(message: string): never {
  throw new WorldsError('INVALID_ARGUMENT', message);
}
