import { WorldsError } from '../model/worlds-error.ts';
import type { TermId, TermSource } from '../storage/term-source.ts';
import type { TextIndex, TextIndexFactory } from '../storage/text-index.ts';
import { DocumentTable } from './document-table.ts';
import { FieldIndex } from './fields/field-index.ts';
import { type FieldWeights, fieldWeights } from './fields/field-weights.ts';
import { LiteralVectors } from './literal-vectors.ts';
import type { NamespaceSearchOptions } from './namespace-search-options.ts';
import type { ReadWriteLock } from './read-write-lock.ts';
import { defaultVectorIndex } from './vector/default-vector-index.ts';

/** A literal without any of these has nothing to search for, and neither has a query. */
export const WORD = /[\p{L}\p{N}]/u;

const DEFAULT_EMBEDDER_TIMEOUT_MS = 30_000;
/** Timers of longer ran out at once. */
const MAX_TIMEOUT_MS = 200_000_000;
/** Of a text index on JavaScript objects, such as MiniSearch's: measured with short texts. */
const USUAL_DOCUMENT_BYTES = 750;

/** Shorter texts are indexed without being prepared. In UTF-16 units. */
const MIN_PREPARED_LENGTH = 2_048;

/** What is searchable of a literal. */
export interface DocumentText {
  readonly text: string;
  readonly language: string;
}

/**
 * The documents of a namespace with everything that is indexed of them, kept in step: their table,
 * their texts, the names around them, the vectors of their literals.
 */
export class SearchedDocuments {
  readonly table: DocumentTable;
  /** Null without an embedder. */
  readonly vectors: LiteralVectors | null;
  /**
   * What a word counts for in names, where a search does not say; undefined where names are not
   * indexed.
   */
  readonly fieldWeights: FieldWeights | undefined;
  /** Ids keep their meaning, so what decodes the last ones that came decodes the earlier ones. */
  terms: TermSource | undefined;
  private readonly textIndexFactory: TextIndexFactory | null;
  private openedTextIndex: TextIndex | undefined;
  private openedFields: FieldIndex | undefined;
  /** Neighbouring documents often share their literal. Undefined: the literal is no document. */
  private lastLiteral: { id: TermId; text: DocumentText | undefined } | undefined;

  /** Throws INVALID_ARGUMENT for options that make no sense. Loads nothing. */
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
        `embedderTimeoutMs is ${timeoutMs}; give milliseconds above 0, at most ${MAX_TIMEOUT_MS}.`,
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

  /** Undefined without texts, and until `open`. */
  get textIndex(): TextIndex | undefined {
    return this.openedTextIndex;
  }

  /** Undefined where names are not indexed, and until `open`. */
  get fields(): FieldIndex | undefined {
    return this.openedFields;
  }

  /**
   * The memory of tables and indexes, in bytes; of an index that does not tell, what a usual one of
   * its size takes.
   */
  get memoryBytes(): number {
    const { textIndex } = this;
    const text = textIndex ? (textIndex.memoryBytes ?? textIndex.size * USUAL_DOCUMENT_BYTES) : 0;
    return this.table.memoryBytes + text + (this.fields?.memoryBytes ?? 0) + (this.vectors?.memoryBytes ?? 0);
  }

  /**
   * Makes the indexes of texts and names, when that has not been done. Needs the lock, exclusively
   * for the first time: a document exists only afterwards.
   */
  async open(): Promise<void> {
    if (!this.textIndexFactory) return;
    this.openedTextIndex ??= await this.textIndexFactory();
    if (this.fieldWeights) this.openedFields ??= await FieldIndex.open(this.table);
  }

  /**
   * The work for a long literal that can be done in steps before it is added or removed; undefined
   * when there is none. Needs the lock, exclusively, until then.
   */
  preparation(object: TermId): Iterator<void, void> | undefined {
    const { textIndex } = this;
    if (!textIndex?.prepare) return undefined;
    const document = this.textOf(object);
    if (!document || document.text.length < MIN_PREPARED_LENGTH) return undefined;
    return textIndex.prepare(document.text, document.language);
  }

  /** Adds what is a document and not there. Needs the lock, exclusively, and the indexes open. */
  add(world: number, subject: TermId, predicate: TermId, object: TermId): void {
    const { table, textIndex } = this;
    if (table.find(world, subject, predicate, object) >= 0) return;
    const document = this.textOf(object);
    if (!document) return;
    const doc = table.add(world, subject, predicate, object);
    try {
      textIndex?.add(doc, document.text, document.language, world);
    } catch (error) {
      // Nobody knows how far the index came, so nobody may get this number again.
      table.retire(doc);
      throw error;
    }
    this.fields?.add(doc, document.text, document.language, this.termOf);
    this.vectors?.add(object, document.text.length);
  }

  /** Removes a document. Needs the lock, exclusively, and the indexes open. */
  remove(doc: number): void {
    const { table, textIndex } = this;
    const object = table.object[doc];
    // It was a document, so it has a text.
    const { text, language } = this.textOf(object)!;
    textIndex?.remove(doc, text, language, table.worldOf(doc));
    this.fields?.remove(doc, text, language, this.termOf);
    table.remove(doc);
    if (table.objects?.has(object) === false) this.vectors?.remove(object);
  }

  /** What is searchable of a term, or undefined for what is no literal or has no word. */
  textOf(id: TermId): DocumentText | undefined {
    if (this.lastLiteral?.id === id) return this.lastLiteral.text;
    const term = this.terms!.kind(id) === 'literal' ? this.terms!.term(id) : undefined;
    const text =
      term?.termType === 'Literal' && WORD.test(term.value) ? { text: term.value, language: term.language } : undefined;
    this.lastLiteral = { id, text };
    return text;
  }

  /** Lets go of what is kept for the next document of the same literal. */
  forgetLiteral(): void {
    this.lastLiteral = undefined;
  }

  private readonly termOf = (id: TermId) => this.terms!.term(id);
}

/**
 * Throws INVALID_ARGUMENT for what callers without types may pass, in the words of what to pass.
 */
function checkOptions({ textIndex, vectorIndex, onEmbedderFailure, fields }: NamespaceSearchOptions): void {
  if (textIndex !== null && typeof textIndex !== 'function')
    throw wrong(`textIndex is ${kindOf(textIndex)}; give what makes one, such as bm25TextIndex(), or null for none.`);
  if (vectorIndex !== undefined && typeof vectorIndex !== 'function')
    throw wrong(`vectorIndex is ${kindOf(vectorIndex)}; give what makes one, such as hnswIndex(), or leave it out.`);
  if (!['degrade', 'fail', undefined].includes(onEmbedderFailure))
    throw wrong(`onEmbedderFailure is ${String(onEmbedderFailure)}; give degrade or fail.`);
  if (!textIndex && fieldWeights(fields))
    throw wrong(
      'Names around texts are found by their words, and `textIndex: null` has none; leave out one of the two.',
    );
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function wrong(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}
