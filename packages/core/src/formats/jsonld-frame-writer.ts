import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { Compactor } from './jsonld/compactor.ts';
import type { JsonObject } from './jsonld/context.ts';
import { AS_VOCAB, expandIri } from './jsonld/expand-iri.ts';
import { Expander } from './jsonld/expander.ts';
import { FrameCompiler, type FramingOptions } from './jsonld/frame.ts';
import { Framer } from './jsonld/framer.ts';
import { JsonOutput, RawJson } from './jsonld/json-output.ts';
import { contextText, jsonText } from './jsonld/load-context.ts';
import { parsed, type TextKernel, textChunks } from './jsonld/text-chunks.ts';
import { JsonLdWork } from './jsonld/work.ts';
import type { WriteOptions } from './rdf-format.ts';

/**
 * Writes the nodes of a dataset that match `frame`, nested as in the frame, and compacted with its
 * context (JSON-LD 1.1 Framing), in chunks of about 64 KiB. Streams: holds one matched node, with
 * those embedded in it.
 *
 * Throws INVALID_ARGUMENT for an invalid frame or context, UNSUPPORTED for triple terms and for
 * data that cannot be named under the context, LIMIT_EXCEEDED and OVERLOADED.
 */
export async function* writeFramedJsonLd(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const { frame, context } = options;
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    throw new WorldsError('INVALID_ARGUMENT', 'frame: expected the frame itself, an object; frames are not fetched.');
  const own = Object.hasOwn(frame, '@context') ? (frame as { '@context': unknown })['@context'] : undefined;
  if (own !== undefined && context !== undefined)
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'frame: the frame has a @context, and context was passed as well; pass only one of them.',
    );
  const text = jsonText(frame, 'frame');
  const written = own === undefined ? contextText(context) : contextText({ '@context': own });
  const work = new JsonLdWork(options.limits);
  work.meter.read = text.length + written.length;
  yield* textChunks('frame', options, function* () {
    const given = own === undefined ? yield* parsed(written, options) : undefined;
    const document = new FramedDocument(source, terms, options, work);
    yield* document.text((yield* parsed(text, options)) as JsonObject, given, written);
  });
}

class FramedDocument {
  private readonly source: QuadSource;
  private readonly terms: TermBytesSource;
  private readonly options: WriteOptions;
  private readonly work: JsonLdWork;
  private readonly compiler: FrameCompiler;
  private readonly expander: Expander;
  private readonly compactor: Compactor;
  private readonly output = new JsonOutput();

  constructor(source: QuadSource, terms: TermBytesSource, options: WriteOptions, work: JsonLdWork) {
    this.source = source;
    this.terms = terms;
    this.options = options;
    this.work = work;
    this.compiler = new FrameCompiler(options.framing ?? {}, work);
    this.expander = new Expander(undefined, work, { frame: true });
    this.compactor = new Compactor(this.expander.contexts);
  }

  /**
   * JSON-LD 1.1 Framing section 4.1, frame().
   *
   * @param given the context if the frame has none
   * @param written the context as text
   */
  *text(frame: JsonObject, given: unknown, written: string): TextKernel {
    const { expander, compiler, work } = this;
    const { iris } = this.compactor;
    const { contexts } = expander;
    const active = yield* contexts.embedded(contexts.initial, given ?? frame.get('@context') ?? new Map(), undefined);
    yield* iris.prepare(active);
    const compiled = yield* compiler.document(yield* expander.document(frame, given ?? new Map()));

    // "If frame has a top-level property which expands to @graph set the frameDefault option".
    let merged = true;
    for (const key of frame.keys()) {
      if (work.step()) yield;
      if (expandIri(active, key, AS_VOCAB, work.meter) === '@graph') merged = false;
    }
    const { rdfDirection, memory } = this.options;
    const { omitGraph = true, pruneBlankNodeIdentifiers: prune = true }: FramingOptions = this.options.framing ?? {};
    const framer = new Framer(this.source, this.terms, { rdfDirection, memory, merged, prune, compiler, work });
    yield* framer.count(compiled);

    // A context that does not propagate ends with the document's top-level object, which then must
    // not be a result.
    const inner = active.previous ?? active;
    const hasGraph = !omitGraph || framer.total > 1 || inner !== active;
    const head = `{"@context":${written}`;
    if (hasGraph) yield `${head},\n${JSON.stringify(iris.keyword(active, '@graph'))}:[`;
    else if (framer.total === 0) yield head;
    let separator = '\n';
    for (const node of framer.results(compiled)) {
      if (!node) {
        yield undefined;
        continue;
      }
      const compacted = yield* this.compactor.node(inner, node);
      if (hasGraph) yield* this.write(separator, compacted);
      else yield* this.write('', new Map([['@context', new RawJson(written)], ...compacted]));
      separator = ',\n';
    }
    framer.end();
    yield hasGraph ? '\n]}\n' : framer.total === 0 ? '}\n' : '\n';
  }

  private *write(separator: string, value: unknown): TextKernel {
    yield separator;
    yield* this.output.write(value);
    const rest = this.output.take();
    this.work.meter.read += rest.length;
    yield rest;
  }
}
