import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../../contracts/quad-source.ts';
import type { TermBytesSource } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { type MemoryBudget, textBytes } from '../../model/memory-budget.ts';
import { RDF_JSON, RDF_TYPE, XSD_STRING } from '../../model/vocabulary.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { graphBatches } from '../graph-batches.ts';
import { parseJson } from '../json-syntax.ts';
import { CompoundLiterals, type DirectedText, i18nText, type RdfDirection } from '../rdf-direction.ts';
import { canonicalJson } from './canonical-json.ts';
import { DatasetLists } from './dataset-lists.ts';
import { type ExpandedObject, push } from './expanded-objects.ts';
import { RawJson } from './json-output.ts';

/** Estimated bytes of a node's value before and after compaction, in addition to its text. */
const VALUE_BYTES = 512;

export interface DatasetNodesOptions {
  readonly rdfDirection: RdfDirection | undefined;
  readonly memory: MemoryBudget | undefined;
}

/**
 * Yields a dataset as node objects of expanded JSON-LD, one per subject (JSON-LD 1.1 API section
 * 8.4). Unlike the algorithm it is lossless: numbers keep their lexical forms, a JSON literal
 * becomes `@json` only if it is in canonical form, and lists become `@list` only as described in
 * {@link DatasetLists}.
 *
 * Throws UNSUPPORTED for triple terms.
 */
export class DatasetNodes {
  private readonly source: QuadSource;
  private readonly terms: TermBytesSource;
  private readonly memory: MemoryBudget | undefined;
  private readonly hasI18n: boolean;
  private readonly compounds: CompoundLiterals | undefined;
  readonly type: TermId;
  private nodeBytes = 0;

  constructor(source: QuadSource, terms: TermBytesSource, { rdfDirection, memory }: DatasetNodesOptions) {
    this.source = source;
    this.terms = terms;
    this.memory = memory;
    this.hasI18n = rdfDirection === 'i18n-datatype';
    this.compounds = rdfDirection === 'compound-literal' ? new CompoundLiterals(source, terms) : undefined;
    this.type = terms.find({ termType: 'NamedNode', value: RDF_TYPE } as RDF.NamedNode);
  }

  /**
   * Yields the nodes of one graph, by subject. A kernel: yields undefined between nodes and within
   * large ones. A node's memory is released when the next one is requested.
   */
  *of(graph: TermId): Generator<ExpandedObject | undefined, void> {
    const lists = new DatasetLists(this.source, this.terms, graph, this.memory);
    let subject: TermId = NO_TERM;
    let isWritten = false;
    let node: ExpandedObject | undefined;
    for (const batch of graphBatches(this.source, graph)) {
      for (let row = 0; row < batch.length; row++) {
        if (batch.subject[row] !== subject) {
          if (node) yield node;
          this.release();
          subject = batch.subject[row];
          // Compound literals and lists are written inline, where they are referenced.
          isWritten = yield* this.isInline(subject, graph, lists);
          if (isWritten) lists.visited(subject);
          node = isWritten ? undefined : { '@id': this.id(subject) };
        }
        if (node) yield* this.add(node, batch.predicate[row], batch.object[row], graph, lists);
      }
      yield undefined;
    }
    if (node) yield node;
    this.release();
    lists.end();
  }

  /**
   * Returns whether a node is written inline, where it is referenced: a compound literal or a cell
   * of a list.
   */
  *isInline(node: TermId, graph: TermId, lists: DatasetLists): Generator<undefined, boolean> {
    if (this.terms.kind(node) !== 'blank') return false;
    return this.compounds?.at(node, graph) !== undefined || (yield* lists.at(node)) !== undefined;
  }

  /** Returns whether a triple with this predicate and object gives its subject a type. */
  isType(predicate: TermId, object: TermId): boolean {
    // @type cannot hold a literal: rdf:type is then written like any other property.
    return predicate === this.type && this.terms.kind(object) !== 'literal';
  }

  /** Returns the identifier of an IRI or blank node. */
  id(id: TermId): string {
    const kind = this.terms.kind(id);
    if (kind === 'triple') throw noTripleTerms();
    return kind === 'blank' ? `_:${this.terms.blankNodeLabel(id)}` : this.terms.term(id).value;
  }

  private *add(
    node: ExpandedObject,
    predicate: TermId,
    object: TermId,
    graph: TermId,
    lists: DatasetLists,
  ): Generator<undefined, void> {
    if (this.isType(predicate, object)) {
      this.claim(0);
      const types = node['@type'] as string[] | undefined;
      if (types) types.push(this.id(object));
      else node['@type'] = [this.id(object)];
    } else push(node, this.id(predicate), yield* this.value(object, graph, lists));
  }

  /** Returns an object of a graph as a value object, reference or list. */
  *value(object: TermId, graph: TermId, lists: DatasetLists): Generator<undefined, ExpandedObject> {
    const kind = this.terms.kind(object);
    this.claim(0);
    if (kind === 'literal') return yield* this.literal(this.terms.term(object) as RDF.Literal);
    const compound = kind === 'blank' ? this.compounds?.at(object, graph) : undefined;
    if (compound) return directed(compound);
    if (object === lists.nil) return { '@list': [] };
    const cells = kind === 'blank' ? yield* lists.at(object) : undefined;
    if (!cells) return { '@id': this.id(object) };
    const items: ExpandedObject[] = [];
    for (const cell of cells) {
      items.push(yield* this.value(cell, graph, lists));
      yield;
    }
    lists.visited(object);
    return { '@list': items };
  }

  private *literal(literal: RDF.Literal): Generator<undefined, ExpandedObject> {
    const { value, language, direction, datatype } = literal;
    this.claim(value.length);
    if (language)
      return direction
        ? { '@value': value, '@language': language, '@direction': direction }
        : { '@value': value, '@language': language };
    const text = this.hasI18n ? i18nText(literal) : undefined;
    if (text) return directed(text);
    if (datatype.value === XSD_STRING) return { '@value': value };
    if (datatype.value === RDF_JSON && (yield* isCanonicalJson(value)))
      return { '@value': new RawJson(value), '@type': '@json' };
    return { '@value': value, '@type': datatype.value };
  }

  /** Claims the memory of a value with a text of this many UTF-16 units. */
  claim(length: number): void {
    const bytes = VALUE_BYTES + textBytes(length);
    this.nodeBytes += bytes;
    this.memory?.claimMemory(bytes);
  }

  /** The memory claimed for values, in bytes. */
  get claimedBytes(): number {
    return this.nodeBytes;
  }

  /** Releases the memory claimed for values, down to this many bytes. */
  release(bytes = 0): void {
    this.memory?.claimMemory(bytes - this.nodeBytes);
    this.nodeBytes = bytes;
  }
}

function directed({ value, language, direction }: DirectedText): ExpandedObject {
  return language === ''
    ? { '@value': value, '@direction': direction }
    : { '@value': value, '@language': language, '@direction': direction };
}

/** Returns whether parsing and writing the JSON gives the same lexical form. */
function* isCanonicalJson(text: string): Generator<undefined, boolean> {
  let value: unknown;
  try {
    const parsing = parseJson(text);
    for (;;) {
      const step = parsing.next();
      if (step.done) {
        value = step.value;
        break;
      }
      yield;
    }
  } catch (cause) {
    // Text that is not valid JSON is written like any other literal.
    if (cause instanceof WorldsError) return false;
    throw cause;
  }
  const writing = canonicalJson(value);
  for (;;) {
    const step = writing.next();
    if (step.done) return step.value === text;
    yield;
  }
}

export function noTripleTerms(): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    'JSON-LD cannot represent triple terms: export as application/n-quads or application/trig.',
  );
}
