import { createHash } from 'node:crypto';
import { dataFactory, type Worlds, WorldsError } from '@rdf-worlds/core';
import { isAbsoluteIri, Slicer } from '@rdf-worlds/core/internal';
import type * as RDF from '@rdfjs/types';
import { changeWorld } from './change-world.ts';
import { dateTime } from './fact-quads.ts';
import {
  DOCUMENT_CLASS,
  DOCUMENT_PROPERTIES,
  DOCUMENTS_GRAPH,
  FACT_PROPERTIES,
  PASSAGE_CLASS,
  PASSAGE_IRIS,
  RDF_TYPE,
  RDFS_LABEL,
} from './memory-vocabulary.ts';
import type { FactReadOptions } from './read-facts.ts';
import { requireWorldOf } from './require-world.ts';
import { type Passage, passagesOf } from './split-passages.ts';
import type { WorldName } from './world-name.ts';

const { literal, namedNode, quad } = dataFactory;
const GRAPH = namedNode(DOCUMENTS_GRAPH);
const INTEGER = namedNode('http://www.w3.org/2001/XMLSchema#integer');
const DEFAULT_MAX_PASSAGE_LENGTH = 1_000;
/** Digits of base64url; 132 bits, so that two texts never share an IRI. */
const HASH_DIGITS = 22;
/** Quads compared per step of a kernel. */
const STEP = 512;

const QUADS_OF_DOCUMENT = `SELECT ?passage ?property ?object WHERE {
  GRAPH <${DOCUMENTS_GRAPH}> { ?passage <${DOCUMENT_PROPERTIES.passageOf}> ?document ; ?property ?object } }`;

/** What documents need of an engine. */
export type DocumentEngine = Pick<Worlds, 'getWorld' | 'quads' | 'select' | 'write'>;

/** Options of `new WorldDocuments`. */
export interface WorldDocumentsOptions {
  /** The current time in milliseconds. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined;
  /** Most UTF-16 code units of a passage. Default: 1,000. */
  readonly maxPassageLength?: number | undefined;
}

/** A document to store. */
export interface NewDocument {
  readonly document: RDF.NamedNode;
  readonly text: string;
  readonly title?: string | undefined;
  /** Where it comes from: IRIs, or words such as "sent by mail". */
  readonly sources?: readonly string[] | undefined;
}

/** A passage of a stored document. */
export interface StoredPassage extends Passage {
  readonly iri: string;
  readonly document: RDF.NamedNode;
  /** Number of the passage in its document, from 1. */
  readonly order: number;
  readonly text: string;
}

/** A stored document, without its text. */
export interface StoredDocument {
  readonly document: RDF.NamedNode;
  readonly title: string | undefined;
  readonly sources: readonly string[];
  /** UTF-16 code units of the whole text. */
  readonly length: number;
  readonly storedAt: Date | undefined;
}

/** What storing or removing a document did: one commit, or none if nothing changed. */
export interface DocumentChange {
  /** Passages that were not stored before. */
  readonly added: number;
  /** Passages whose text was stored before, perhaps at another place. */
  readonly kept: number;
  readonly removed: number;
  /** Revision of the world after the change. */
  readonly revision: number;
}

/**
 * The documents of one world: long texts in passages, each of which search finds and which know
 * their place in the whole.
 */
export class WorldDocuments {
  readonly world: WorldName;
  private readonly engine: DocumentEngine;
  private readonly clock: () => number;
  private readonly maxPassageLength: number;

  constructor(
    engine: DocumentEngine,
    world: WorldName,
    { clock = Date.now, maxPassageLength = DEFAULT_MAX_PASSAGE_LENGTH }: WorldDocumentsOptions = {},
  ) {
    requireWorldOf('WorldDocuments', engine, world);
    this.engine = engine;
    this.world = world;
    this.clock = clock;
    this.maxPassageLength = maxPassageLength;
  }

  /**
   * Stores a document, in place of the one with the same IRI. Passages with the same text are kept.
   * Throws `INVALID_ARGUMENT`, `NOT_FOUND`, `QUOTA_EXCEEDED`.
   */
  async store(given: NewDocument, { signal }: FactReadOptions = {}): Promise<DocumentChange> {
    requireText(given);
    const passages = await new Slicer(signal).run(
      placedPassages(given, passagesOf(given.text, { maxLength: this.maxPassageLength })),
    );
    const wanted = [...documentQuads(given), ...passages.flatMap(passageQuads)];
    return this.replace(given.document, { wanted, passages }, signal);
  }

  /** Removes a document with its passages. Does nothing if there is none. */
  remove(document: RDF.NamedNode, { signal }: FactReadOptions = {}): Promise<DocumentChange> {
    return this.replace(document, { wanted: [], passages: [] }, signal);
  }

  /** Returns a document without its text; undefined if there is none. */
  async get(document: RDF.NamedNode, { signal }: FactReadOptions = {}): Promise<StoredDocument | undefined> {
    const quads = await this.quadsOf(document, signal);
    const objects = (iri: string) =>
      quads.filter(({ predicate }) => predicate.value === iri).map(({ object }) => object);
    const [length] = objects(DOCUMENT_PROPERTIES.length);
    if (!length) return undefined;
    const [storedAt] = objects(DOCUMENT_PROPERTIES.storedAt);
    return {
      document,
      title: objects(RDFS_LABEL)[0]?.value,
      sources: [...objects(FACT_PROPERTIES.derivedFrom), ...objects(FACT_PROPERTIES.source)].map(({ value }) => value),
      length: Number(length.value),
      storedAt: storedAt && new Date(storedAt.value),
    };
  }

  /** Returns the passages of a document in their order; none if there is no such document. */
  async passages(document: RDF.NamedNode, { signal }: FactReadOptions = {}): Promise<StoredPassage[]> {
    const subjects = new Map<string, RDF.Quad[]>();
    for (const each of await this.allQuadsOf(document, signal)) {
      const known = subjects.get(each.subject.value);
      if (known) known.push(each);
      else subjects.set(each.subject.value, [each]);
    }
    const found = [...subjects].flatMap(([iri, quads]) => passageFrom(iri, quads) ?? []);
    return found.sort((a, b) => a.order - b.order);
  }

  /** Returns the passage of an IRI; undefined if there is none. */
  async passage(iri: string, { signal }: FactReadOptions = {}): Promise<StoredPassage | undefined> {
    if (!iri.startsWith(PASSAGE_IRIS)) return undefined;
    return passageFrom(iri, await this.quadsOf(namedNode(iri), signal));
  }

  private replace(
    document: RDF.NamedNode,
    { wanted, passages }: { readonly wanted: readonly RDF.Quad[]; readonly passages: readonly StoredPassage[] },
    signal: AbortSignal | undefined,
  ): Promise<DocumentChange> {
    const plan = async ({ revision: before }: { readonly revision: number }) => {
      const stored = await this.allQuadsOf(document, signal);
      const slicer = new Slicer(signal);
      const storedByKey = await slicer.run(quadsByKey(stored));
      const wantedByKey = await slicer.run(quadsByKey(wanted));
      const insert = await slicer.run(missingIn(storedByKey, wantedByKey));
      const dropped = (await slicer.run(missingIn(wantedByKey, storedByKey))).filter((each) => !isTime(each));
      // A document that is stored again as it is keeps its time, and needs no commit.
      const isChanged = insert.length + dropped.length > 0;
      if (isChanged) dropped.push(...stored.filter(isTime));
      if (isChanged && wanted.length > 0) insert.push(timeQuad(document, new Date(this.clock())));
      const old = new Set(stored.filter(isPassageOf).map(({ subject }) => subject.value));
      const kept = passages.filter(({ iri }) => old.has(iri)).length;
      const counts = { added: passages.length - kept, kept, removed: old.size - kept };
      return {
        insert,
        delete: dropped,
        resultAt: (revision = before) => ({ ...counts, revision }),
      };
    };
    return changeWorld(this.engine, this.world, plan, signal);
  }

  /** Returns the quads of a document and of its passages, in one query. */
  private async allQuadsOf(document: RDF.NamedNode, signal: AbortSignal | undefined): Promise<RDF.Quad[]> {
    const rows = await this.engine.select({
      sources: [this.world],
      query: QUADS_OF_DOCUMENT,
      bindings: { document },
      signal,
    });
    const quads = await this.quadsOf(document, signal);
    for await (const row of rows) {
      const [subject, predicate] = [row.get('passage'), row.get('property')] as RDF.NamedNode[];
      quads.push(quad(subject, predicate, row.get('object') as RDF.Quad_Object, GRAPH));
    }
    return quads;
  }

  private async quadsOf(subject: RDF.NamedNode, signal: AbortSignal | undefined): Promise<RDF.Quad[]> {
    const quads: RDF.Quad[] = [];
    for await (const each of this.engine.quads({ source: this.world, subject, graph: GRAPH, signal })) quads.push(each);
    return quads;
  }
}

/**
 * Returns the passages with their IRIs, which depend on the document and the text, not the place. A
 * kernel.
 */
function* placedPassages(
  { document, text }: NewDocument,
  passages: Iterable<Passage>,
): Generator<void, StoredPassage[], void> {
  const copies = new Map<string, number>();
  const placed: StoredPassage[] = [];
  for (const { start, end } of passages) {
    yield;
    const own = text.slice(start, end);
    // Equal passages of one document are told apart by their number.
    const copy = copies.get(own) ?? 0;
    copies.set(own, copy + 1);
    const hash = createHash('sha256')
      .update(JSON.stringify([document.value, copy, own]))
      .digest('base64url');
    const iri = PASSAGE_IRIS + hash.slice(0, HASH_DIGITS);
    placed.push({ iri, document, order: placed.length + 1, start, end, text: own });
  }
  return placed;
}

function documentQuads({ document, text, title, sources = [] }: NewDocument): RDF.Quad[] {
  const say = (predicate: string, object: RDF.Quad_Object) => quad(document, namedNode(predicate), object, GRAPH);
  return [
    say(RDF_TYPE, namedNode(DOCUMENT_CLASS)),
    say(DOCUMENT_PROPERTIES.length, integer(text.length)),
    ...(title === undefined ? [] : [say(RDFS_LABEL, literal(title))]),
    ...sources.map((source) =>
      isAbsoluteIri(source)
        ? say(FACT_PROPERTIES.derivedFrom, namedNode(source))
        : say(FACT_PROPERTIES.source, literal(source)),
    ),
  ];
}

function passageQuads({ iri, document, order, start, end, text }: StoredPassage): RDF.Quad[] {
  const say = (predicate: string, object: RDF.Quad_Object) => quad(namedNode(iri), namedNode(predicate), object, GRAPH);
  return [
    say(RDF_TYPE, namedNode(PASSAGE_CLASS)),
    say(DOCUMENT_PROPERTIES.passageOf, document),
    say(DOCUMENT_PROPERTIES.order, integer(order)),
    say(DOCUMENT_PROPERTIES.start, integer(start)),
    say(DOCUMENT_PROPERTIES.end, integer(end)),
    say(DOCUMENT_PROPERTIES.text, literal(text)),
  ];
}

/** Returns the passage that its quads describe; undefined if they are those of something else. */
function passageFrom(iri: string, quads: readonly RDF.Quad[]): StoredPassage | undefined {
  const objects = new Map(quads.map(({ predicate, object }) => [predicate.value, object]));
  const document = objects.get(DOCUMENT_PROPERTIES.passageOf);
  if (document?.termType !== 'NamedNode') return undefined;
  const value = (property: 'order' | 'start' | 'end' | 'text') => objects.get(DOCUMENT_PROPERTIES[property])!.value;
  const [order, start, end] = [Number(value('order')), Number(value('start')), Number(value('end'))];
  return { iri, document, order, start, end, text: value('text') };
}

function timeQuad(document: RDF.NamedNode, now: Date): RDF.Quad {
  return quad(document, namedNode(DOCUMENT_PROPERTIES.storedAt), dateTime(now), GRAPH);
}

function isTime({ predicate }: RDF.Quad): boolean {
  return predicate.value === DOCUMENT_PROPERTIES.storedAt;
}

function isPassageOf({ predicate }: RDF.Quad): boolean {
  return predicate.value === DOCUMENT_PROPERTIES.passageOf;
}

function integer(value: number): RDF.Literal {
  return literal(String(value), INTEGER);
}

/**
 * A key within the graph of documents, whose subjects are IRIs and whose literals have no
 * languages.
 */
function quadKey({ subject, predicate, object }: RDF.Quad): string {
  const [s, p] = [subject.value, predicate.value];
  return `${s.length} ${p.length} ${s}${p}${object.termType} ${object.value}`;
}

/** Returns quads by their keys. A kernel. */
function* quadsByKey(quads: readonly RDF.Quad[]): Generator<void, Map<string, RDF.Quad>, void> {
  const byKey = new Map<string, RDF.Quad>();
  for (let i = 0; i < quads.length; i++) {
    if (i % STEP === STEP - 1) yield;
    byKey.set(quadKey(quads[i]), quads[i]);
  }
  return byKey;
}

/** Returns the quads of `wanted` that `stored` does not have. A kernel. */
function* missingIn(
  stored: ReadonlyMap<string, RDF.Quad>,
  wanted: ReadonlyMap<string, RDF.Quad>,
): Generator<void, RDF.Quad[], void> {
  const missing: RDF.Quad[] = [];
  let done = 0;
  for (const [key, quad] of wanted) {
    if (++done % STEP === 0) yield;
    if (!stored.has(key)) missing.push(quad);
  }
  return missing;
}

function requireText({ document, text, title, sources = [] }: NewDocument): void {
  const invalid = (problem: string) => new WorldsError('INVALID_ARGUMENT', problem);
  if (!isAbsoluteIri(document.value)) throw invalid('document: expected an absolute IRI.');
  if (document.value.startsWith(PASSAGE_IRIS))
    throw invalid('document: this is the IRI of a passage; pass that of a document.');
  if (text === '') throw invalid('text: it is empty; pass the text of the document, or remove the document.');
  if (![text, title ?? '', ...sources].every((each) => each.isWellFormed()))
    throw invalid('text: it contains a lone surrogate, which is not a Unicode character; remove it.');
}
