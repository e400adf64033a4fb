import type * as RDF from '@rdfjs/types';
import { isomorphic } from 'rdf-isomorphic';
import { DEFAULT_GRAPH } from '../../../src/contracts/term-source.ts';
import { DatasetNodes } from '../../../src/formats/jsonld/dataset-nodes.ts';
import { RawJson } from '../../../src/formats/jsonld/json-output.ts';
import { readJsonLd } from '../../../src/formats/jsonld-reader.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { ArraySource } from '../array-source.ts';
import { readDocument } from '../documents.ts';
import { difference, ourOutcome, peerCompact, peerExpand } from './peer.ts';

/**
 * A judgement of a compaction: `same` as theirs, and read back; `refused`; `lossy` where theirs
 * does not read back as the dataset, so that ours has to differ; or `different`, which is a
 * mistake.
 */
export interface CompactionVerdict {
  readonly kind: 'same' | 'refused' | 'lossy' | 'different';
  readonly detail: string;
}

/** Compacts a dataset, and reads the result back. */
export async function readBackVerdict(quads: readonly RDF.Quad[], context: unknown): Promise<CompactionVerdict> {
  const ours = await ourOutcome(new ArraySource(quads), { context });
  if ('error' in ours) return { kind: 'refused', detail: ours.error };
  const problem = await readBack(ours.result, quads);
  return { kind: problem ? 'different' : 'same', detail: problem ?? '' };
}

/** Compacts a dataset with both implementations, and reads back what ours wrote with both. */
export async function compactionVerdict(quads: readonly RDF.Quad[], context: unknown): Promise<CompactionVerdict> {
  const source = new ArraySource(quads);
  const ours = await ourOutcome(source, { context });
  const theirs = await peerCompact(expandedForm(source), context);
  if ('result' in ours) {
    const problem = await readBack(ours.result, quads);
    if (problem) return { kind: 'different', detail: `ours reads back otherwise: ${problem}` };
    const expanded = await peerExpand(ours.result);
    const other = 'error' in expanded ? expanded.error : await readBack(expanded.result, quads);
    if (other && 'result' in theirs) return { kind: 'different', detail: `they read ours otherwise: ${other}` };
  }
  if ('error' in ours) {
    if ('error' in theirs) return { kind: 'refused', detail: `${ours.error} | ${theirs.error}` };
    if (await readBack(theirs.result, quads)) return { kind: 'lossy', detail: ours.error };
    return { kind: 'different', detail: `only ours refuses: ${ours.error}` };
  }
  if ('error' in theirs) return { kind: 'different', detail: `only theirs refuses: ${theirs.error}` };
  const found = difference(withoutContext(ours.result), withoutContext(theirs.result));
  if (!found) return { kind: 'same', detail: '' };
  return { kind: (await readBack(theirs.result, quads)) ? 'lossy' : 'different', detail: found };
}

function withoutContext(document: unknown): unknown {
  const { '@context': _, ...rest } = document as Record<string, unknown>;
  return rest;
}

/** Returns why a document does not read back as a dataset; undefined if it does. */
async function readBack(document: unknown, quads: readonly RDF.Quad[]): Promise<string | undefined> {
  try {
    const read = await readDocument(readJsonLd, JSON.stringify(document), { rdfDirection: 'dir-lang-string' });
    return isomorphic(read, [...quads]) ? undefined : 'other data';
  } catch (error) {
    if (error instanceof WorldsError) return error.message;
    throw error;
  }
}

/** Returns the expanded document that the compaction of a dataset starts from. */
function expandedForm(source: ArraySource): unknown {
  const nodes = new DatasetNodes(source, source.terms, { rdfDirection: undefined, memory: undefined });
  const of = (graph: number) => [...nodes.of(graph)].filter((node) => node !== undefined);
  const document = [
    ...of(DEFAULT_GRAPH),
    ...[...source.graphs].map((graph) => ({ '@id': nodes.id(graph), '@graph': of(graph) })),
  ];
  const text = JSON.stringify(document, (_, value) => (value instanceof RawJson ? JSON.parse(value.text) : value));
  return JSON.parse(text);
}
