import { dataFactory, WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import type { Triple } from './fact.ts';
import { DOCUMENTS_GRAPH, FACTS_GRAPH, TIMED_GRAPH } from './memory-vocabulary.ts';

/** Media types of documents in the arguments of tools. */
export const DOCUMENT_TYPES = [
  'text/turtle',
  'application/ld+json',
  'application/n-triples',
  'application/trig',
  'application/n-quads',
  'application/rdf+xml',
] as const;

/** Length up to which a document that cannot be read is parsed as JSON, in UTF-16 code units. */
const MAX_PARSED = 1 << 16;

/**
 * Reads the triples of a document. Blank nodes get labels that no world knows, so that they become
 * new nodes where they are stored. Throws `INVALID_RDF` with a location, `INVALID_ARGUMENT` for
 * named graphs, `LIMIT_EXCEEDED`.
 */
export async function documentTriples(
  document: string,
  { contentType, maxTriples, signal }: { contentType: string; maxTriples: number; signal?: AbortSignal | undefined },
): Promise<Triple[]> {
  // A world of its own checks and bounds the document before anything is stored.
  await using scratch = await WorldsEngine.open({ textIndex: null });
  await scratch.createWorld({ slug: 'document' });
  await scratch.import({ source: 'document', data: document, contentType, signal });
  const triples: Triple[] = [];
  const labels = new Map<string, string>();
  for await (const { subject, predicate, object, graph } of scratch.quads({ source: 'document', signal })) {
    if (graph.termType !== 'DefaultGraph') {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'document: facts belong to no named graph; pass a document without graphs, or call import_document.',
      );
    }
    if (triples.length === maxTriples) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `document: it has more than ${maxTriples} triples; split it, or call import_document, which stores no provenance.`,
      );
    }
    triples.push({
      subject: relabelled(subject, labels) as Triple['subject'],
      predicate: predicate as Triple['predicate'],
      object: relabelled(object, labels) as Triple['object'],
    });
  }
  return triples;
}

/** The types of documents that can have named graphs. */
const WITH_GRAPHS: readonly string[] = ['application/ld+json', 'application/trig', 'application/n-quads'];

/**
 * Throws `INVALID_ARGUMENT` if a document would write the provenance of facts, which would let it
 * claim any source and time, or the passages of documents, which are cited by their place.
 */
export async function requireNoFacts(
  document: string,
  { contentType, graph, signal }: { contentType: string; graph: string | undefined; signal?: AbortSignal | undefined },
): Promise<void> {
  const own = [FACTS_GRAPH, TIMED_GRAPH, DOCUMENTS_GRAPH];
  const refusal = () =>
    new WorldsError(
      'INVALID_ARGUMENT',
      `The graphs ${own.join(', ')} belong to the facts and documents of this memory; import into another graph, or call remember.`,
    );
  if (graph !== undefined && own.includes(graph)) throw refusal();
  if (!WITH_GRAPHS.includes(contentType)) return;
  await using scratch = await WorldsEngine.open({ textIndex: null });
  await scratch.createWorld({ slug: 'document' });
  await scratch.import({ source: 'document', data: document, contentType, signal });
  for (const name of own) if (await scratch.hasGraph({ source: 'document', graph: name })) throw refusal();
}

/**
 * Returns the error of a document that cannot be read, with what a model should do: the parser does
 * not know what it has at its disposal.
 */
export function documentError(error: unknown, document: string, contentType: string): unknown {
  if (!(error instanceof WorldsError)) return error;
  const { code, message, location } = error;
  const text = document.trim();
  let advice: string | undefined;
  if (/^(?:https?|file):\S+$/.test(text)) advice = 'pass the text of the document, not its address: nothing is fetched';
  else if (code !== 'INVALID_RDF') return error;
  else if (/^[{[]/.test(text) && contentType !== 'application/ld+json' && looksLikeJson(text))
    advice = 'for JSON-LD, pass content_type application/ld+json';
  else if (/ is relative, /.test(message)) advice = 'write whole IRIs, such as <https://example.org/ada>, or e:Ada';
  else if (message.startsWith('Invalid Turtle: ') && !/[<:]/.test(text))
    advice = 'this is not RDF; for words, pass facts to remember, or the text to remember_document';
  if (advice === undefined) return error;
  const end = location ? ` (line ${location.line}, column ${location.column})` : '';
  const said = end !== '' && message.endsWith(end) ? message.slice(0, -end.length) : message;
  const shown = said.replace(/^import: data: /, '').replace(/(?:: pass baseIri|; pass "await fetch\(url\)")\.?$/, '');
  return new WorldsError(code, `document: ${advice}. ${shown}`, { cause: error, location });
}

/**
 * Whether a text is JSON; of a long one, whether it begins as JSON-LD does and Turtle does not, as
 * parsing it would hold the event loop.
 */
function looksLikeJson(text: string): boolean {
  if (text.length > MAX_PARSED) return /^(?:\{|\[\s*\{)\s*"/.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}

function relabelled(term: RDF.Term, labels: Map<string, string>): RDF.Term {
  if (term.termType === 'BlankNode') {
    let label = labels.get(term.value);
    if (label === undefined) labels.set(term.value, (label = `b${labels.size}`));
    return dataFactory.blankNode(label);
  }
  if (term.termType !== 'Quad') return term;
  const { subject, predicate, object } = term;
  return dataFactory.quad(
    relabelled(subject, labels) as RDF.Quad_Subject,
    predicate as RDF.Quad_Predicate,
    relabelled(object, labels) as RDF.Quad_Object,
  ) as RDF.Term;
}
