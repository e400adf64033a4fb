import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, type TermId } from '../contracts/term-source.ts';
import { Compactor } from './jsonld/compactor.ts';
import type { Context } from './jsonld/context.ts';
import { ContextProcessor } from './jsonld/context-processor.ts';
import { DatasetNodes } from './jsonld/dataset-nodes.ts';
import { JsonOutput } from './jsonld/json-output.ts';
import { contextText } from './jsonld/load-context.ts';
import { parsed, type TextKernel, textChunks } from './jsonld/text-chunks.ts';
import { JsonLdWork } from './jsonld/work.ts';
import type { WriteOptions } from './rdf-format.ts';

/**
 * Writes the dataset as JSON-LD 1.1 compacted with `context` (JSON-LD 1.1 API section 6), in chunks
 * of about 64 KiB: the context, then `@graph` with a node object for each subject and one for each
 * named graph. Streams: holds one node at a time, and the locations of its lists.
 *
 * Reading the output with the same remote contexts gives the same dataset. Throws INVALID_ARGUMENT
 * for an invalid context, UNSUPPORTED for triple terms and for data that cannot be named under the
 * context, LIMIT_EXCEEDED and OVERLOADED.
 */
export async function* writeCompactJsonLd(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncGenerator<Uint8Array> {
  const written = contextText(options.context);
  const work = new JsonLdWork(options.limits);
  work.meter.read = written.length;
  yield* textChunks('context', options, function* () {
    const context = yield* parsed(written, options);
    yield* new CompactDocument(source, terms, options, work).text(context, written);
  });
}

class CompactDocument {
  private readonly source: QuadSource;
  private readonly nodes: DatasetNodes;
  private readonly work: JsonLdWork;
  private readonly compactor: Compactor;
  private readonly output = new JsonOutput();
  private readonly contexts: ContextProcessor;

  constructor(source: QuadSource, terms: TermBytesSource, { rdfDirection, memory }: WriteOptions, work: JsonLdWork) {
    this.source = source;
    this.work = work;
    this.nodes = new DatasetNodes(source, terms, { rdfDirection, memory });
    this.contexts = new ContextProcessor(undefined, work);
    this.compactor = new Compactor(this.contexts);
  }

  /** @param written the context as text */
  *text(context: unknown, written: string): TextKernel {
    const { iris } = this.compactor;
    const active = yield* this.contexts.embedded(this.contexts.initial, context, undefined);
    yield* iris.prepare(active);
    const key = (keyword: string, of: Context) => JSON.stringify(iris.keyword(of, keyword));
    yield `{"@context":${written},\n${key('@graph', active)}:[`;
    // A context that does not propagate ends with the document's top-level object.
    const inner = active.previous ?? active;
    let separator = yield* this.graph(inner, DEFAULT_GRAPH, '\n');
    for (const id of this.source.graphs) {
      const name = JSON.stringify(iris.reference(inner, this.nodes.id(id)));
      yield `${separator}{${key('@id', inner)}:${name},${key('@graph', inner)}:[`;
      yield* this.graph(inner, id, '\n');
      yield '\n]}';
      separator = ',\n';
    }
    yield '\n]}\n';
  }

  /** Writes the nodes of a graph. Returns the separator before the next item. */
  private *graph(active: Context, id: TermId, first: string): TextKernel<string> {
    let separator = first;
    for (const node of this.nodes.of(id)) {
      if (!node) {
        yield undefined;
        continue;
      }
      const compacted = yield* this.compactor.node(active, node);
      yield separator;
      separator = ',\n';
      yield* this.output.write(compacted);
      const rest = this.output.take();
      this.work.meter.read += rest.length;
      yield rest;
    }
    return separator;
  }
}
