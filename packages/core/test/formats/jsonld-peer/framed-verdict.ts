import type * as RDF from '@rdfjs/types';
import { readJsonLd } from '../../../src/formats/jsonld-reader.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { ArraySource, termKey } from '../array-source.ts';
import { readDocument } from '../documents.ts';
import type { CompactionVerdict } from './compaction-verdict.ts';
import { ourOutcome } from './peer.ts';

const { blankNode, quad, defaultGraph } = dataFactory;

/** The quads of the default graph without lists, whose nodes have no labels in JSON-LD. */
export function withoutLists(quads: readonly RDF.Quad[]): RDF.Quad[] {
  const isList = (term: RDF.Term) =>
    (term.termType === 'BlankNode' && term.value.startsWith('l')) || term.value.endsWith('#nil');
  return quads
    .filter(({ subject, object }) => !isList(subject) && !isList(object))
    .map(({ subject, predicate, object }) => quad(subject, predicate, object, defaultGraph()));
}

/**
 * Frames all nodes of a dataset without lists, so that they are nested in each other, and reads the
 * result back. Blank nodes keep their labels.
 */
export async function framedVerdict(
  quads: readonly RDF.Quad[],
  context: unknown,
  embed: unknown,
): Promise<CompactionVerdict> {
  const frame = { '@context': context, '@embed': embed };
  const framing = { pruneBlankNodeIdentifiers: false, omitGraph: false };
  const ours = await ourOutcome(new ArraySource(quads), { frame, framing });
  if ('error' in ours) return { kind: 'refused', detail: ours.error };
  const read = new Set<string>();
  try {
    const options = { rdfDirection: 'dir-lang-string' } as const;
    for (const found of await readDocument(readJsonLd, JSON.stringify(ours.result), options)) read.add(keyOf(found));
  } catch (error) {
    if (error instanceof WorldsError) return { kind: 'different', detail: error.message };
    throw error;
  }
  const given = new Set(quads.map(keyOf));
  for (const key of read) if (!given.has(key)) return { kind: 'different', detail: `reads ${key}` };
  for (const key of given) if (!read.has(key)) return { kind: 'different', detail: `does not read ${key}` };
  return { kind: 'same', detail: '' };
}

function keyOf({ subject, predicate, object }: RDF.Quad): string {
  return [subject, predicate, object].map((term) => termKey(withOwnLabel(term))).join(' ');
}

/** The reader puts a letter before the labels of a document. */
function withOwnLabel(term: RDF.Term): RDF.Term {
  return term.termType === 'BlankNode' ? blankNode(term.value.replace(/^d/, '')) : term;
}
