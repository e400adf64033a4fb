import type * as RDFJS from '@rdfjs/types';
import { readJsonLdManifest } from './json-ld-manifest.ts';
import type { ManifestEntry, ManifestInput, ManifestNamedGraph } from './manifest-entry.ts';
import { ManifestGraph } from './manifest-graph.ts';
import type { SuiteFiles } from './suite-files.ts';
import { MF, QT, RDF, RDFS, UT } from './vocabulary.ts';

/** Reads a manifest and all that it includes (mf:include), in their order. */
export async function readManifest(iri: string, files: SuiteFiles): Promise<ManifestEntry[]> {
  const text = await files.text(iri);
  if (iri.endsWith('.jsonld')) return readJsonLdManifest(text, iri);
  return readTurtleManifest(text, iri, (included) => readManifest(included, files));
}

/** Reads a manifest in Turtle; `include` reads those that it includes. */
export async function readTurtleManifest(
  text: string,
  iri: string,
  include: (iri: string) => Promise<ManifestEntry[]>,
): Promise<ManifestEntry[]> {
  const graph = new ManifestGraph(text, iri);
  const entries: ManifestEntry[] = [];
  for (const manifest of graph.subjects(`${RDF}type`, `${MF}Manifest`)) {
    for (const list of graph.objects(manifest, `${MF}include`))
      for (const included of graph.list(list)) entries.push(...(await include(included.value)));
    for (const list of graph.objects(manifest, `${MF}entries`))
      for (const entry of graph.list(list)) entries.push(readEntry(graph, entry));
  }
  return entries;
}

function readEntry(graph: ManifestGraph, entry: RDFJS.Term): ManifestEntry {
  const type = graph.object(entry, `${RDF}type`)?.value;
  const action = graph.object(entry, `${MF}action`);
  if (!type) throw new Error(`The manifest lists <${entry.value}> without a type.`);
  const result = graph.object(entry, `${MF}result`);
  return {
    iri: entry.value,
    name: graph.object(entry, `${MF}name`)?.value ?? entry.value,
    type,
    // A test of a service says only what it looks at.
    action: action ? readInput(graph, action) : { data: [], graphs: [] },
    result: result && readInput(graph, result),
    options: new Map(),
  };
}

function readInput(graph: ManifestGraph, node: RDFJS.Term): ManifestInput {
  if (node.termType === 'NamedNode') return { file: node.value, data: [], graphs: [] };
  const values = (predicate: string) => graph.objects(node, predicate).map((term) => term.value);
  return {
    request: values(`${QT}query`)[0] ?? values(`${UT}request`)[0],
    data: [...values(`${QT}data`), ...values(`${UT}data`)],
    graphs: [...graph.objects(node, `${QT}graphData`), ...graph.objects(node, `${UT}graphData`)].map((term) =>
      readNamedGraph(graph, term),
    ),
  };
}

/**
 * A file that names its own graph, or a node with the file (ut:graph, qt:graph) and the graph's
 * name as its label.
 */
function readNamedGraph(graph: ManifestGraph, term: RDFJS.Term): ManifestNamedGraph {
  if (term.termType === 'NamedNode') return { name: term.value, file: term.value };
  const file = graph.object(term, `${UT}graph`) ?? graph.object(term, `${QT}graph`);
  if (!file) throw new Error(`Graph data of the manifest at ${term.value} names no file.`);
  return { name: graph.object(term, `${RDFS}label`)?.value ?? file.value, file: file.value };
}
