import type { TermId, TermSource } from '../contracts/term-source.ts';
import type { TextIndex, TextIndexDocument, TextIndexFactory } from '../contracts/text-index.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { DocumentTable } from './document-table.ts';
import { FieldIndex } from './fields/field-index.ts';
import { type FieldWeights, fieldWeights } from './fields/field-weights.ts';
import { LiteralVectors } from './literal-vectors.ts';
import type { NamespaceSearchOptions } from './namespace-search-options.ts';
import type { ReadWriteLock } from './read-write-lock.ts';
import { defaultVectorIndex } from './vector/default-vector-index.ts';

/** A literal or query without a match has nothing to search for. */
export const WORD = /[\p{L}\p{N}]/u;

const DEFAULT_EMBEDDER_TIMEOUT_MS = 30_000;
/**
 * A batch of documents may take ten times as long, and Node.js timers above 2^31 - 1 ms fire
 * immediately.
 */
const MAX_TIMEOUT_MS = 200_000_000;
/** Measured with short texts, for a text index on JavaScript objects such as MiniSearch's. */
const USUAL_DOCUMENT_BYTES = 750;

/** Texts shorter than this, in UTF-16 units, are indexed without preparation. */
const MIN_PREPARED_LENGTH = 2_048;

/** Searchable content of a literal. */
export interface DocumentText {
  readonly text: string;
  readonly language: string;
}

/**
 * The documents of a namespace with all their indexes, kept consistent: the table, the texts, the
 * names around them and the vectors of their literals.
 */
export class SearchedDocuments {
  readonly table: DocumentTable;
  /** Null without an embedder. */
  readonly vectors: LiteralVectors | null;
  /** Default weights of names; undefined if names are not indexed. */
  readonly fieldWeights: FieldWeights | undefined;
  /** The latest terms; they decode earlier ids too, because ids keep their meaning. */
  terms: TermSource | undefined;
  private readonly textIndexFactory: TextIndexFactory | null;
  private openedTextIndex: TextIndex | undefined;
  private openedFields: FieldIndex | undefined;
  /**
   * One-entry cache, because neighbouring documents often share their literal. `text` is undefined
   * if the literal is not a document.
   */
  private lastLiteral: { id: TermId; text: DocumentText | undefined } | undefined;

  /** Throws INVALID_ARGUMENT for invalid options. Loads nothing. */
  constructor(options: NamespaceSearchOptions, lock: ReadWriteLock) {
    const { textIndex, vectorIndex = defaultVectorIndex, keptVectors, embedder, fields, logger, onEmbedding } = options;
    const { onEmbedderFailure: onFailure = 'degrade', embedderTimeoutMs: timeoutMs = DEFAULT_EMBEDDER_TIMEOUT_MS } =
      options;
    checkOptions(options);
    this.textIndexFactory = textIndex;
    this.table = new DocumentTable({ byLiteral: embedder !== null });
    this.fieldWeights = fieldWeights(fields);
    if (!(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS))
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `embedderTimeoutMs is ${timeoutMs}; pass milliseconds above 0, at most ${MAX_TIMEOUT_MS}.`,
      );
    this.vectors = embedder
      ? new LiteralVectors({
          embedder,
          vectorIndex,
          lock,
          textOf: (literal) => {
            const term = this.terms!.term(literal);
            return { text: term.value, language: term.termType === 'Literal' ? term.language : '' };
          },
          required: !textIndex,
          onFailure,
          timeoutMs,
          ...(logger && { logger }),
          ...(onEmbedding && { onEmbedding }),
          ...(keptVectors && { kept: keptVectors }),
        })
      : null;
  }

  /** Whether texts are indexed. */
  get hasTexts(): boolean {
    return this.textIndexFactory !== null;
  }

  /** Whether documents and texts can be stored, and are worth it. */
  get canStore(): boolean {
    const { openedTextIndex: index } = this;
    return (
      index?.canStore === true && index.store !== undefined && index.restore !== undefined && this.table.isStorable
    );
  }

  /** Undefined without texts, and until `open`. */
  get textIndex(): TextIndex | undefined {
    return this.openedTextIndex;
  }

  /** Undefined if names are not indexed, and until `open`. */
  get fields(): FieldIndex | undefined {
    return this.openedFields;
  }

  /** Memory of tables and indexes in bytes; estimated for an index that does not report its own. */
  get memoryBytes(): number {
    const { textIndex } = this;
    const text = textIndex ? (textIndex.memoryBytes ?? textIndex.size * USUAL_DOCUMENT_BYTES) : 0;
    return this.table.memoryBytes + text + (this.fields?.memoryBytes ?? 0) + (this.vectors?.memoryBytes ?? 0);
  }

  /**
   * Opens the indexes of texts and names, once. Requires the lock, exclusively for the first call;
   * there are no documents before that.
   */
  async open(): Promise<void> {
    if (!this.textIndexFactory) return;
    this.openedTextIndex ??= await this.textIndexFactory();
    if (this.fieldWeights) this.openedFields ??= await FieldIndex.open(this.table);
  }

  /**
   * Returns steps that prepare a long literal for being added or removed; undefined if none are
   * needed. Requires the lock, held exclusively until the literal is added or removed.
   */
  preparation(object: TermId): Iterator<void, void> | undefined {
    const { textIndex } = this;
    if (!textIndex?.prepare) return undefined;
    const document = this.textOf(object);
    if (!document || document.text.length < MIN_PREPARED_LENGTH) return undefined;
    return textIndex.prepare(document.text, document.language);
  }

  /**
   * Adds a document unless it is present or not searchable. Requires the lock, held exclusively,
   * and open indexes.
   */
  add(world: number, subject: TermId, predicate: TermId, object: TermId): void {
    const { table, textIndex } = this;
    if (table.find(world, subject, predicate, object) >= 0) return;
    const document = this.textOf(object);
    if (!document) return;
    const doc = table.add(world, subject, predicate, object);
    try {
      textIndex?.add(doc, document.text, document.language, world);
    } catch (error) {
      // The index may hold part of the document, so its number must never be reused.
      table.retire(doc);
      throw error;
    }
    this.fields?.add(doc, document.text, document.language, this.termOf);
    this.vectors?.add(object, document.text.length);
  }

  /**
   * Adds a document that the table and the text index already have to the other indexes. Requires
   * the lock, held exclusively. Throws a RangeError if its object is not searchable.
   */
  addAround(doc: number): void {
    const object = this.table.object[doc];
    const document = this.textOf(object);
    if (!document) throw new RangeError('A stored document has no text.');
    this.fields?.add(doc, document.text, document.language, this.termOf);
    this.vectors?.add(object, document.text.length);
  }

  /** Removes a document. Requires the lock, held exclusively, and open indexes. */
  remove(doc: number): void {
    const { table, textIndex } = this;
    const object = table.object[doc];
    // Every document has a text.
    const { text, language } = this.textOf(object)!;
    textIndex?.remove(doc, text, language, table.worldOf(doc));
    this.fields?.remove(doc, text, language, this.termOf);
    table.remove(doc);
    if (table.objects?.has(object) === false) this.vectors?.remove(object);
  }

  /**
   * Returns the searchable content of a term; undefined if it is not a literal or contains no word.
   */
  textOf(id: TermId): DocumentText | undefined {
    if (this.lastLiteral?.id === id) return this.lastLiteral.text;
    const term = this.terms!.kind(id) === 'literal' ? this.terms!.term(id) : undefined;
    const text =
      term?.termType === 'Literal' && WORD.test(term.value) ? { text: term.value, language: term.language } : undefined;
    this.lastLiteral = { id, text };
    return text;
  }

  /** Yields all documents, as the text index has them. */
  *all(): Generator<TextIndexDocument> {
    const { table } = this;
    for (let doc = 0; doc < table.end; doc++) {
      if (!table.has(doc)) continue;
      const document = this.textOf(table.object[doc]);
      // A restored table may be wrong: the index is then compared with what it should contain.
      if (document) yield { doc, ...document, group: table.worldOf(doc) };
    }
  }

  /** Clears the cache of the last literal. */
  forgetLiteral(): void {
    this.lastLiteral = undefined;
  }

  private readonly termOf = (id: TermId) => this.terms!.term(id);
}

/**
 * Throws INVALID_ARGUMENT, with the correction in its message, for values that only untyped callers
 * can pass.
 */
function checkOptions({ textIndex, vectorIndex, onEmbedderFailure, fields }: NamespaceSearchOptions): void {
  if (textIndex !== null && typeof textIndex !== 'function')
    throw wrong(`textIndex is ${kindOf(textIndex)}; pass a factory such as bm25TextIndex(), or null for none.`);
  if (vectorIndex !== undefined && typeof vectorIndex !== 'function')
    throw wrong(`vectorIndex is ${kindOf(vectorIndex)}; pass a factory such as hnswIndex(), or omit it.`);
  if (!['degrade', 'fail', undefined].includes(onEmbedderFailure))
    throw wrong(`onEmbedderFailure is ${String(onEmbedderFailure)}; pass degrade or fail.`);
  if (!textIndex && fieldWeights(fields))
    throw wrong('`fields` requires full-text search, which `textIndex: null` disables; omit one of the two.');
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function wrong(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
