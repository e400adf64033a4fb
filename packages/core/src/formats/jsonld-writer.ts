import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { RDF_TYPE, XSD_STRING } from '../model/vocabulary.ts';
import { byteChunks } from './byte-chunks.ts';
import { graphBatches } from './graph-batches.ts';
import { DatasetLists } from './jsonld/dataset-lists.ts';
import { noTripleTerms } from './jsonld/dataset-nodes.ts';
import { CompoundLiterals, type DirectedText, i18nText, type RdfDirection } from './rdf-direction.ts';
import type { WriteOptions } from './rdf-format.ts';

const CACHE_SIZE = 1 << 14;

/**
 * Writes the dataset as JSON-LD 1.1 in expanded form, in chunks of about 64 KiB: an array of node
 * objects, then an object with `@graph` for each named graph. With a `context`, writes compacted
 * form; with a `frame`, framed nodes. Streams: holds the locations of the lists that it is in the
 * middle of. Writes every lexical form unchanged (no native numbers, no `@json`) and as `@list`
 * only lists that it represents without loss ({@link DatasetLists}), so that reading the output
 * gives the same dataset; and no context, so that no IRI can be mistaken for a compact one.
 *
 * Throws UNSUPPORTED for triple terms, which JSON-LD 1.1 cannot represent, and LIMIT_EXCEEDED.
 */
export function writeJsonLd(
  source: QuadSource,
  terms: TermBytesSource,
  options: WriteOptions,
): AsyncIterable<Uint8Array> {
  if (options.frame !== undefined || options.context !== undefined) return shaped(source, terms, options);
  const { slicer, rdfDirection, memory } = options;
  const listsOf = (graph: TermId) => new DatasetLists(source, terms, graph, memory);
  return byteChunks(document(source, new JsonLdTerms(source, terms, rdfDirection), listsOf), slicer);
}

/** The code for frames and contexts is loaded when it is first used. */
async function* shaped(source: QuadSource, terms: TermBytesSource, options: WriteOptions): AsyncGenerator<Uint8Array> {
  const { writeCompactJsonLd, writeFramedJsonLd } = await import('./jsonld-shaped-writers.ts');
  const write = options.frame === undefined ? writeCompactJsonLd : writeFramedJsonLd;
  yield* write(source, terms, options);
}

function* document(source: QuadSource, text: JsonLdTerms, listsOf: (graph: TermId) => DatasetLists): Generator<string> {
  yield '[';
  let separator = yield* graph(source, text, DEFAULT_GRAPH, listsOf(DEFAULT_GRAPH), '\n');
  for (const id of source.graphs) {
    yield `${separator}{"@id":${text.id(id)},"@graph":[`;
    yield* graph(source, text, id, listsOf(id), '\n');
    yield '\n]}';
    separator = ',\n';
  }
  yield '\n]\n';
}

/** Writes the nodes of a graph. Returns the separator before the next item. */
function* graph(
  source: QuadSource,
  text: JsonLdTerms,
  id: TermId,
  lists: DatasetLists,
  first: string,
): Generator<string, string> {
  let separator = first;
  let lastSubject: TermId = NO_TERM;
  let lastPredicate: TermId = NO_TERM;
  let lastKey = '';
  let skipped: TermId = NO_TERM;
  let checked: TermId = NO_TERM;
  for (const { subject, predicate, object, length } of graphBatches(source, id)) {
    for (let row = 0; row < length; row++) {
      if (subject[row] === skipped) continue;
      if (subject[row] !== checked) {
        checked = subject[row];
        if (text.isBlank(checked) && (yield* isInline(checked, id, text, lists))) {
          skipped = checked;
          continue;
        }
      }
      const isType = text.isType(predicate[row]) && text.isResource(object[row]);
      // @type cannot hold a literal: rdf:type is then written like any other property, under its
      //   IRI.
      const key = isType ? '"@type"' : text.id(predicate[row]);
      // The same predicate under its other key needs another node object, since a key must be
      // unique within an object.
      const again = predicate[row] === lastPredicate && key !== lastKey;
      if (subject[row] !== lastSubject || again) {
        if (lastSubject !== NO_TERM) yield ']}';
        yield `${separator}{"@id":${text.id(subject[row])},${key}:[`;
        separator = ',\n';
      } else yield key === lastKey ? ',' : `],${key}:[`;
      if (isType) yield text.id(object[row]);
      else yield* value(object[row], id, text, lists);
      lastSubject = subject[row];
      lastPredicate = predicate[row];
      lastKey = key;
    }
  }
  if (lastSubject !== NO_TERM) yield ']}';
  lists.end();
  return separator;
}

/**
 * Returns whether a blank node is written inline, where it is referenced: a compound literal or a
 * cell of a list.
 */
function* isInline(node: TermId, graph: TermId, text: JsonLdTerms, lists: DatasetLists): Generator<string, boolean> {
  if (text.compounds?.at(node, graph)) return true;
  if (!(yield* itemsAt(node, lists))) return false;
  lists.visited(node);
  return true;
}

/** Writes an object of a graph as a value object, reference or list. */
function* value(object: TermId, graph: TermId, text: JsonLdTerms, lists: DatasetLists): Generator<string, void> {
  if (object === lists.nil) {
    yield '{"@list":[]}';
    return;
  }
  const items = text.isBlank(object) && !text.compounds?.at(object, graph) ? yield* itemsAt(object, lists) : undefined;
  if (!items) {
    yield text.value(object, graph);
    return;
  }
  yield '{"@list":[';
  for (const [at, item] of items.entries()) {
    if (at > 0) yield ',';
    yield* value(item, graph, text, lists);
  }
  yield ']}';
  lists.visited(object);
}

/** {@link DatasetLists.at}, with empty texts where it may pause. */
function* itemsAt(cell: TermId, lists: DatasetLists): Generator<string, readonly TermId[] | undefined> {
  const finding = lists.at(cell);
  for (;;) {
    const step = finding.next();
    if (step.done) return step.value;
    yield '';
  }
}

/** Serialises terms as JSON text. */
class JsonLdTerms {
  private readonly terms: TermBytesSource;
  private readonly ids = new Map<TermId, string>();
  private readonly type: TermId;
  private readonly hasI18n: boolean;
  readonly compounds: CompoundLiterals | undefined;

  constructor(source: QuadSource, terms: TermBytesSource, rdfDirection: RdfDirection | undefined) {
    this.terms = terms;
    this.hasI18n = rdfDirection === 'i18n-datatype';
    this.compounds = rdfDirection === 'compound-literal' ? new CompoundLiterals(source, terms) : undefined;
    this.type = terms.find({ termType: 'NamedNode', value: RDF_TYPE } as RDF.NamedNode);
  }

  isType(predicate: TermId): boolean {
    return predicate === this.type;
  }

  isResource(id: TermId): boolean {
    const kind = this.terms.kind(id);
    return kind === 'iri' || kind === 'blank';
  }

  isBlank(id: TermId): boolean {
    return this.terms.kind(id) === 'blank';
  }

  /** Returns an IRI or blank node as a JSON string. */
  id(id: TermId): string {
    const cached = this.ids.get(id);
    if (cached !== undefined) return cached;
    const kind = this.terms.kind(id);
    if (kind === 'triple') throw noTripleTerms();
    const text = JSON.stringify(kind === 'blank' ? `_:${this.terms.blankNodeLabel(id)}` : this.terms.term(id).value);
    if (this.ids.size === CACHE_SIZE) this.ids.clear();
    this.ids.set(id, text);
    return text;
  }

  /** Returns an object of a graph as a node reference or value object. */
  value(id: TermId, graph: TermId): string {
    if (this.terms.kind(id) !== 'literal') {
      const compound = this.compounds?.at(id, graph);
      return compound ? directedText(compound) : `{"@id":${this.id(id)}}`;
    }
    const literal = this.terms.term(id) as RDF.Literal;
    const { value, language, direction, datatype } = literal;
    const text = `{"@value":${JSON.stringify(value)}`;
    if (language) {
      const base = direction ? `,"@direction":"${direction}"` : '';
      return `${text},"@language":${JSON.stringify(language)}${base}}`;
    }
    const directed = this.hasI18n ? i18nText(literal) : undefined;
    if (directed) return directedText(directed);
    return datatype.value === XSD_STRING ? `${text}}` : `${text},"@type":${JSON.stringify(datatype.value)}}`;
  }
}

function directedText({ value, language, direction }: DirectedText): string {
  const tag = language === '' ? '' : `,"@language":${JSON.stringify(language)}`;
  return `{"@value":${JSON.stringify(value)}${tag},"@direction":"${direction}"}`;
}
