import type { QuadSink } from '../contracts/quad-sink.ts';
import type { Slicer } from '../contracts/slicer.ts';
import { IriBase } from '../model/iri.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import { addQuad } from './add-quad.ts';
import { checkedBaseIri } from './base-iri.ts';
import { DocumentTerms } from './document-terms.ts';
import { parseJson } from './json-syntax.ts';
import { expandedQuads } from './jsonld/expanded-quads.ts';
import { Expander } from './jsonld/expander.ts';
import { contextText, loadContext, runLoading } from './jsonld/load-context.ts';
import { type ContextRequest, invalidJsonLd, JsonLdWork, type LoadedContext } from './jsonld/work.ts';
import type { ReadOptions } from './rdf-format.ts';
import { utf8Text } from './utf8-text.ts';

/** Memory of a document's tree and its expanded form, as a multiple of the tree. */
const EXPANDED_TREES = 3;

/**
 * Reads JSON-LD 1.1: parses, expands and converts to quads in slices. Holds the document and its
 * expanded form in memory.
 *
 * Remote contexts are fetched only if `documentLoader` is given. A relative IRI that stays
 * relative, a malformed IRI or a malformed language tag is INVALID_RDF; the algorithms would
 * silently drop the triple. Keys that the context does not map are ignored: that is how JSON-LD
 * embeds data in JSON. Numbers are doubles: quote an integer beyond 2^53 and give it a datatype.
 *
 * As in the algorithms, `@direction` is ignored without `rdfDirection`, and triples with a blank
 * node as predicate are dropped. Throws INVALID_RDF, with a location if the JSON itself is
 * malformed; INVALID_ARGUMENT if the given `context` is not JSON; LIMIT_EXCEEDED for contexts that
 * require more work than `limits` allow.
 */
export async function readJsonLd(
  chunks: AsyncIterable<Uint8Array>,
  sink: QuadSink,
  options: ReadOptions,
): Promise<void> {
  const { slicer, signal } = options;
  const work = new JsonLdWork(options.limits);
  const base = checkedBaseIri(options.baseIri);
  const expander = new Expander(base === undefined ? undefined : new IriBase(base), work);

  let text = '';
  for await (const piece of utf8Text(chunks, options)) {
    text += piece;
    const waiting = options.reserve?.(2 * text.length);
    if (waiting) await waiting;
  }
  work.meter.read = text.length;
  const textBytes = 2 * text.length;
  let treeBytes = 0;
  const reserve = (bytes: number) => options.reserve?.(textBytes + (treeBytes = bytes));
  const parsing = { limits: options.limits, reserve };
  const document = await runWaiting(parseJson(text, text.startsWith('\ufeff') ? 1 : 0, parsing), slicer);
  // The text stays in the reservation below: long strings of the tree are slices of it and keep it
  // alive.
  text = '';
  const waiting = options.reserve?.(textBytes + EXPANDED_TREES * treeBytes);
  if (waiting) await waiting;
  if (typeof document !== 'object' || document === null) invalidJsonLd('the document must be a JSON object or array');
  const given = await slicer.run(parseJson(contextText(options.context), 0, { limits: options.limits }));

  const load = ({ url }: ContextRequest): Promise<LoadedContext> => loadContext(url, options);
  const expanded = await runLoading(expander.document(document, given), load, slicer);
  throwIfAborted(signal);
  let ignoredDirections = 0;
  const quads = expandedQuads(expanded, {
    work,
    terms: new DocumentTerms(invalidJsonLd, work.meter),
    add: (quad) => addQuad(sink, quad, invalidJsonLd),
    fail: invalidJsonLd,
    rdfDirection: options.rdfDirection,
    onIgnoredDirection: () => ignoredDirections++,
  });
  await slicer.run(quads as Generator<unknown, void, unknown>);
  if (ignoredDirections > 0) {
    options.note?.(`the @direction of ${ignoredDirections} values was ignored; pass rdfDirection to keep it.`);
  }
}

/** Runs a kernel to its end, pausing in between, and awaits the promises it yields. */
async function runWaiting<Result>(
  kernel: Generator<Promise<void> | undefined, Result, unknown>,
  slicer: Slicer,
): Promise<Result> {
  for (;;) {
    const step = kernel.next();
    if (step.done) return step.value;
    if (step.value) await step.value;
    if (slicer.due) await slicer.pause();
  }
}
