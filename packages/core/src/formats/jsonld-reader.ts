import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { QuadSink } from '../storage/quad-sink.ts';
import { addQuad } from './add-quad.ts';
import { checkedBaseIri } from './base-iri.ts';
import { DocumentTerms } from './document-terms.ts';
import { type ExpandedObject, readExpandedJsonLd } from './expanded-jsonld.ts';
import { checkJson } from './json-syntax.ts';
import { disguise, reveal } from './jsonld-disguise.ts';
import type { ReadOptions } from './rdf-format.ts';
import { ScopedContexts } from './scoped-contexts.ts';
import { utf8Text } from './utf8-text.ts';

interface RemoteDocument {
  readonly document: unknown;
  readonly documentUrl: string;
  readonly contextUrl: null;
}

interface ExpansionEvent {
  readonly code: string;
  readonly details: { readonly property?: string; readonly expandedProperty?: string | null; readonly vocab?: string };
}

interface JsonLdLibrary {
  expand(
    input: unknown,
    options: {
      base: string;
      expandContext: unknown;
      documentLoader(url: string): Promise<RemoteDocument>;
      eventHandler(occurrence: { event: ExpansionEvent; next(): void }): void;
    },
  ): Promise<ExpandedObject[]>;
}

/** Reads one JSON text; the work between two yields of `checkJson` is sliced, `JSON.parse` is not. */
type ParseJson = (text: string, start?: number) => Promise<unknown>;

/**
 * Reads JSON-LD 1.1. The document is held in memory, and `jsonld` expands it in one go: a big one holds the event loop for its
 * expansion (checking, and making quads, are sliced).
 *
 * No context is ever fetched unless `documentLoader` is given. A relative IRI that stays relative, a malformed IRI or language tag are
 * INVALID_RDF, where the algorithms would drop the triple in silence. Keys that the context does not
 * map are ignored: that is how JSON-LD embeds data in JSON. Numbers are doubles: quote an integer beyond 2^53 and give it a datatype.
 *
 * As in the algorithms, `@direction` is ignored, and triples whose predicate is a blank node are left out. Throws INVALID_RDF, with a location when
 * the JSON itself is malformed; INVALID_ARGUMENT when the given `context` is no JSON; UNSUPPORTED for rare contexts that are scoped to terms,
 * which the library would get wrong: see `ScopedContexts`.
 */
export async function readJsonLd(
  chunks: AsyncIterable<Uint8Array>,
  sink: QuadSink,
  options: ReadOptions,
): Promise<void> {
  const base = disguise(checkedBaseIri(options.baseIri) ?? '') as string;
  const scopes = new ScopedContexts();
  const parse: ParseJson = async (text, start) => {
    await options.slicer.run(checkJson(text, start));
    const value = disguise(JSON.parse(start ? text.slice(start) : text));
    scopes.add(value);
    return value;
  };

  let text = '';
  for await (const piece of utf8Text(chunks, options)) text += piece;
  const document = await parse(text, text.startsWith('\ufeff') ? 1 : 0);
  // jsonld takes a string for the URL of a document to fetch.
  if (typeof document !== 'object' || document === null) fail('the document must be a JSON object or array');
  const expandContext = await parse(contextText(options.context));

  let refused: unknown;
  const documentLoader = async (url: string): Promise<RemoteDocument> => {
    try {
      return await loadContext(reveal(url), parse, options);
    } catch (error) {
      // jsonld wraps what a loader throws, sometimes without its cause.
      refused ??= error;
      throw error;
    }
  };

  const eventHandler = ({ event: { code, details }, next }: { event: ExpansionEvent; next(): void }): void => {
    // Keys that the context does not map are left out by design; what it maps to an IRI with a space in it is not.
    const { property, expandedProperty, vocab } = details;
    if (code === 'invalid property' && expandedProperty?.includes(':') && expandedProperty !== property)
      fail(`the property "${reveal(expandedProperty)}" holds a space, which is not allowed in an IRI`);
    if (code === 'relative @vocab reference')
      fail(`the @vocab "${reveal(vocab!)}" is relative, so its terms would be dropped: give a base IRI`);
    next();
  };

  // Loaded on first use: importing the library must stay cheap.
  const { default: jsonld } = (await import('jsonld')) as unknown as { default: JsonLdLibrary };
  let expanded: ExpandedObject[];
  try {
    expanded = await jsonld.expand(document, { base, expandContext, documentLoader, eventHandler });
  } catch (error) {
    throw refused ?? (error instanceof WorldsError ? error : expansionError(error));
  }
  throwIfAborted(options.signal);
  scopes.check();

  await options.slicer.run(
    readExpandedJsonLd(expanded, {
      terms: new DocumentTerms(fail),
      add: (quad) => addQuad(sink, quad, fail),
      fail,
    }),
  );
}

async function loadContext(
  url: string,
  parse: ParseJson,
  { documentLoader, signal }: ReadOptions,
): Promise<RemoteDocument> {
  throwIfAborted(signal);
  if (!documentLoader)
    fail(`the context <${url}> is remote, and remote contexts are not loaded: put it inline, or give a documentLoader`);
  let loaded: Awaited<ReturnType<NonNullable<typeof documentLoader>>>;
  try {
    loaded = await documentLoader!(url);
  } catch (cause) {
    if (cause instanceof WorldsError) throw cause;
    throw new WorldsError('INVALID_RDF', `Invalid JSON-LD: the context <${url}> could not be loaded: ${cause}`, {
      cause,
    });
  }
  throwIfAborted(signal);
  // By way of text, so that the host's object stays as it is and the same checks apply.
  const { document, documentUrl = url } = loaded;
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return { document: await parse(text), documentUrl: disguise(documentUrl) as string, contextUrl: null };
}

/** A document that has the given context, as text: the host's object stays as it is, and the checks of a document apply. */
function contextText(given: unknown): string {
  // JsonLdOptions.expandContext: the context itself, or a map that has it as `@context`.
  const wrapped = typeof given === 'object' && given !== null && Object.hasOwn(given, '@context');
  const context = wrapped ? (given as { '@context': unknown })['@context'] : (given ?? {});
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(context);
  } catch (error) {
    cause = error;
  }
  if (text === undefined)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `The JSON-LD context that was given is no JSON: ${cause ?? typeof context}`,
      {
        cause,
      },
    );
  return `{"@context":${text}}`;
}

function expansionError(error: unknown): WorldsError {
  const { message, details } = error as Error & { details?: { code?: string } };
  const text = reveal(message).replace(/^Invalid JSON-LD syntax; /, '');
  return new WorldsError('INVALID_RDF', `Invalid JSON-LD: ${details?.code ? `${details.code}: ` : ''}${text}`, {
    cause: error,
  });
}

function fail(message: string): never {
  throw new WorldsError('INVALID_RDF', `Invalid JSON-LD: ${message}`);
}
