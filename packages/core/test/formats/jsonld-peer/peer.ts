import type * as RDF from '@rdfjs/types';
// @ts-expect-error jsonld has no declarations of its own
import jsonld from 'jsonld';
import { readJsonLd } from '../../../src/formats/jsonld-reader.ts';
import { writeJsonLd } from '../../../src/formats/jsonld-writer.ts';
import type { WriteOptions } from '../../../src/formats/rdf-format.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { ArraySource } from '../array-source.ts';
import { readDocument, writtenText } from '../documents.ts';

/** Another implementation of JSON-LD 1.1. */
interface Peer {
  frame(document: unknown, frame: unknown, options?: object): Promise<unknown>;
  compact(document: unknown, context: unknown, options?: object): Promise<unknown>;
  expand(document: unknown, options?: object): Promise<unknown>;
}

const library = jsonld as Peer;

/** Remote documents are refused, as ours are without a loader. */
const documentLoader = async (url: string) => {
  throw new Error(`${url} is remote`);
};

/** The type that names a blank node, before its number. */
export const BLANK_TYPE = 'http://ex.org/B';

/** What an implementation did: its result, or its error. */
export type Outcome = { readonly result: unknown } | { readonly error: string };

async function outcomeOf(work: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { result: JSON.parse(JSON.stringify(await work())) };
  } catch (error) {
    const details = (error as { details?: { code?: string } }).details;
    return { error: details?.code ?? String(error) };
  }
}

export const peerFrame = (document: unknown, frame: unknown, framing: object): Promise<Outcome> =>
  outcomeOf(() => library.frame(document, frame, { documentLoader, ...framing }));

/** Compacts an expanded document. The result has `@graph` in any case, unless it is empty. */
export const peerCompact = (expanded: unknown, context: unknown): Promise<Outcome> =>
  outcomeOf(() => library.compact(expanded, context, { documentLoader, skipExpansion: true, graph: true }));

export const peerExpand = (document: unknown): Promise<Outcome> =>
  outcomeOf(() => library.expand(document, { documentLoader }));

/**
 * Returns a document as a dataset whose ids ascend with the names of IRIs and blank nodes, so that
 * both implementations take nodes in the same order. Blank nodes are named by their types.
 */
export async function orderedSource(document: unknown, literals: readonly RDF.Literal[] = []): Promise<ArraySource> {
  const quads = await readDocument(readJsonLd, JSON.stringify(document), { rdfDirection: 'dir-lang-string' });
  const blanks = new Map<string, RDF.BlankNode>();
  for (const { subject, object } of quads)
    if (subject.termType === 'BlankNode' && object.value.startsWith(BLANK_TYPE))
      blanks.set(subject.value, dataFactory.blankNode(`b${object.value.slice(BLANK_TYPE.length)}`));
  const renamed = <Term extends RDF.Term>(term: Term): Term =>
    (term.termType === 'BlankNode' ? (blanks.get(term.value) ?? term) : term) as Term;
  const named = quads.map((q) =>
    dataFactory.quad(renamed(q.subject), q.predicate, renamed(q.object), renamed(q.graph)),
  );
  const iris = new Map<string, RDF.Term>();
  for (const { subject, predicate, object, graph } of named)
    for (const term of [subject, predicate, object, graph])
      if (term.termType === 'NamedNode') iris.set(term.value, term);
  const sorted = [...iris.keys()].sort().map((iri) => iris.get(iri)!);
  return new ArraySource(
    named,
    [],
    [...[...blanks.values()].sort((a, b) => (a.value < b.value ? -1 : 1)), ...sorted, ...literals],
  );
}

export async function ourOutcome(source: ArraySource, options: Partial<WriteOptions>): Promise<Outcome> {
  try {
    return { result: JSON.parse(await writtenText(writeJsonLd, source, options)) };
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    return { error: `${error.code}: ${error.message}` };
  }
}

/**
 * Returns the first difference of two JSON values, as a path with both; undefined if they are
 * equal.
 */
export function difference(one: unknown, other: unknown, path = ''): string | undefined {
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return one === other ? undefined : `${path}: ${JSON.stringify(one)} | ${JSON.stringify(other)}`;
  const [a, b] = [one as Record<string, unknown>, other as Record<string, unknown>];
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const found = difference(a[name], b[name], `${path}/${name}`);
    if (found) return found;
  }
  return undefined;
}
