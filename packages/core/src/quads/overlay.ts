import type * as RDF from '@rdfjs/types';
import { Buffer, utf8Text } from '#platform';
import type { TermWriter } from '../contracts/quad-sink.ts';
import { TERM_KIND, TermBytes } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId, type TermKind, type TripleTermIndex } from '../contracts/term-source.ts';
import type { ValueColumn, ValueSource } from '../contracts/value-column.ts';
import { isAbsoluteIri } from '../model/iri.ts';
import { hasLongSubtag, isLanguageTag, languageTagCase } from '../model/language-tag.ts';
import { LARGE_TEXT, type MemoryBudget } from '../model/memory-budget.ts';
import { RememberedIri } from '../model/remembered-iri.ts';
import { dataFactory } from '../model/term.ts';
import { RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { parseBlankNodeLabel, scopePrefix } from './blank-node-label.ts';
import { CHUNK_BYTES, largeChunk, viewOf } from './byte-arena.ts';
import { type Dictionary, XSD_STRING_ID } from './dictionary.ts';
import { OverlayTripleTerms } from './overlay-triple-terms.ts';
import { isLowerCaseWord, literalWithTag, storedTagOf } from './stored-language-tag.ts';
import {
  hasLocalReference,
  INTERNAL_META,
  IRI_META,
  kindOf,
  LOCAL_BIT,
  metaWith,
  referenceOf,
  SCOPE_KIND,
  type TermMeta,
  TRIPLE_META,
} from './term-meta.ts';
import { TermTable } from './term-table.ts';

/** The owner of blank nodes that belong to no world of this namespace. */
const NO_WORLD = 0;
/** First ordinal of anonymous blank nodes; labelled ones start at 0. */
const FIRST_ANONYMOUS = 0x4000_0000;
/** Up to this many UTF-16 units, encoding in a loop is faster than a native call. */
const SHORT_TEXT = 96;
/** Bytes per term in addition to its text: its columns and its hash slot. */
const TERM_OVERHEAD = 32;
/** Memory is claimed from the budget in units of this size. */
const CLAIM_BYTES = 1 << 12;
/** Estimated bytes of a term object and its entry in a map. */
const NODE_BYTES = 96;
const KIND_NAMES: readonly TermKind[] = ['iri', 'defaultGraph', 'iri', 'blank', 'literal', 'literal', 'triple'];

/** Shared by all overlays: most requests have only short texts and need no buffer of their own. */
const SCRATCH = Buffer.allocUnsafeSlow(4096);
const SCRATCH_VIEW = viewOf(SCRATCH);

/** The owner of an overlay's blank nodes. */
export interface BlankNodeOwner {
  /** The number of the world within its namespace. */
  readonly world: number;
  /** Returns 16 random bytes that identify a new scope. */
  readonly scope: () => Uint8Array;
}

/** Where an overlay stores new terms. */
export type NewTerms = 'private' | 'shared';

/**
 * The private terms of one import, update or query, layered over the shared dictionary. A local
 * term has {@link LOCAL_BIT} in its id; it becomes a shared term only when a commit appends it (see
 * `commit-terms.ts`).
 *
 * Lookups try the local table first: a term that another commit adds to the dictionary meanwhile
 * keeps its local id here, so that a term never has two ids within one overlay.
 */
export class Overlay implements ValueSource, TermWriter {
  readonly dictionary: Dictionary;
  /** Created for the first private term; most queries have none. */
  private own: TermTable | undefined;
  /**
   * The size of the dictionary when this overlay was created. While it is unchanged, the dictionary
   * contains none of the local terms.
   */
  readonly sharedAtStart: number;
  private readonly owner: BlankNodeOwner;
  private readonly newTerms: NewTerms;
  /** The budget that new terms are charged to; undefined for no limit. */
  readonly memory: MemoryBudget | undefined;
  /** Bytes of new terms not yet charged to the budget. */
  private unclaimed = 0;
  /** Labels of the current document; a label's ordinal is its number in this table. */
  private labels: TermTable | undefined;
  private anonymous = FIRST_ANONYMOUS;
  private scopeId: TermId = NO_TERM;
  private scopePrefixes: Map<TermId, string> | undefined;
  /**
   * Scopes passed to {@link adoptBlankNode} that the dictionary did not have; it may get them
   * meanwhile.
   */
  adoptedScopes: Set<TermId> | undefined;
  private languages: Map<string, TermId> | undefined;
  private longLanguages: Set<string> | undefined;
  private datatypes: Map<TermId, RDF.NamedNode> | undefined;
  private triples: OverlayTripleTerms | undefined;
  private readonly at = new TermBytes();
  /** Holds one text during one call. */
  private scratch = SCRATCH;
  private lastBytes: Uint8Array = SCRATCH;
  private lastView = SCRATCH_VIEW;

  /**
   * @param newTerms 'shared' for a request that stores all the terms it makes and holds the
   *   namespace's write lock: terms go directly to the dictionary and need no second lookup at
   *   commit. If the request fails they stay there, like those of a failed commit.
   */
  constructor(
    dictionary: Dictionary,
    owner: BlankNodeOwner,
    newTerms: NewTerms = 'private',
    memory: MemoryBudget | undefined = undefined,
  ) {
    this.dictionary = dictionary;
    this.newTerms = newTerms;
    this.memory = memory;
    this.sharedAtStart = dictionary.table.size;
    this.owner = owner;
  }

  get values(): ValueColumn {
    return this.dictionary.values;
  }

  get tripleTerms(): TripleTermIndex {
    this.triples ??= new OverlayTripleTerms(this.dictionary.tripleTerms, () => this.own);
    return this.triples;
  }

  isShared(id: TermId): boolean {
    return id < LOCAL_BIT;
  }

  // --- terms from bytes

  iri(bytes: Uint8Array, start: number, end: number): TermId {
    return this.internBytes(IRI_META, bytes, start, end);
  }

  literal(bytes: Uint8Array, start: number, end: number, datatype: TermId): TermId {
    return this.internBytes(metaWith(TERM_KIND.literal, datatype || XSD_STRING_ID), bytes, start, end);
  }

  languageLiteral(
    bytes: Uint8Array,
    start: number,
    end: number,
    language: Uint8Array,
    languageStart: number,
    languageEnd: number,
  ): TermId {
    const tag = isLowerCaseWord(language, languageStart, languageEnd)
      ? this.internBytes(INTERNAL_META, language, languageStart, languageEnd)
      : this.resolveLanguage(Buffer.from(language.subarray(languageStart, languageEnd)).toString('latin1'), true);
    return this.internBytes(metaWith(TERM_KIND.languageLiteral, tag), bytes, start, end);
  }

  blankNode(): TermId;
  blankNode(label: Uint8Array, start: number, end: number): TermId;
  blankNode(label?: Uint8Array, start = 0, end = 0): TermId {
    if (label === undefined) return this.blankNodeOf(this.ownScope(), this.anonymous++);
    this.labels ??= new TermTable(this.dictionary.key);
    const view = this.viewOf(label);
    const hash = this.labels.hash(view, start, end);
    let ordinal = this.labels.find(INTERNAL_META, view, start, end, hash);
    if (!ordinal) {
      this.claim(end - start + TERM_OVERHEAD);
      ordinal = this.labels.add(INTERNAL_META, view, start, end, hash);
    }
    return this.blankNodeOf(this.ownScope(), ordinal);
  }

  /** Starts a new document: every label from here on denotes a new node. */
  beginDocument(): void {
    this.labels = undefined;
    this.scopeId = NO_TERM;
    this.anonymous = FIRST_ANONYMOUS;
  }

  triple(subject: TermId, predicate: TermId, object: TermId): TermId {
    const length = this.encodeTriple(subject, predicate, object);
    return this.internBytes(TRIPLE_META, this.scratch, 0, length);
  }

  findTriple(subject: TermId, predicate: TermId, object: TermId): TermId {
    return this.resolveBytes(TRIPLE_META, this.encodeTriple(subject, predicate, object), false);
  }

  // --- terms from RDF/JS

  intern(term: RDF.Term): TermId {
    return this.resolve(term, true, 'known');
  }

  find(term: RDF.Term): TermId {
    return this.resolve(term, false, 'known');
  }

  /**
   * Like {@link intern}, but a blank node's label always denotes a node of the current document or
   * call, even if it has the form of a label issued by this library.
   */
  internScoped(term: RDF.Term): TermId {
    return this.resolve(term, true, 'scoped');
  }

  /**
   * Like {@link intern}, for a term of another namespace: a blank node keeps its label and belongs
   * to no world of this namespace.
   */
  internForeign(term: RDF.Term): TermId {
    if (term.termType === 'Quad') {
      return this.triple(
        this.internForeign(term.subject),
        this.internForeign(term.predicate),
        this.internForeign(term.object),
      );
    }
    if (term.termType !== 'BlankNode') return this.intern(term);
    const parsed = parseBlankNodeLabel(term.value);
    if (!parsed) throw new RangeError(`The blank node ${term.value} was not created by this library.`);
    const scope = this.internBytes(metaWith(SCOPE_KIND, NO_WORLD), parsed.scope, 0, parsed.scope.length);
    return this.blankNodeOf(scope, parsed.ordinal);
  }

  /**
   * Returns the blank node for a label issued by this library, even in another namespace or
   * process. The node belongs to this world already or, if unknown here, is added to it. Returns
   * NO_TERM for other labels and for nodes of another world.
   */
  adoptBlankNode(label: string): TermId {
    const parsed = parseBlankNodeLabel(label);
    if (!parsed) return NO_TERM;
    const { scope, ordinal } = parsed;
    // Finds the scope even if another world owns it.
    const id = this.internBytes(metaWith(SCOPE_KIND, this.owner.world), scope, 0, scope.length);
    if (id >= LOCAL_BIT) (this.adoptedScopes ??= new Set()).add(id);
    return referenceOf(this.metaOf(id)) === this.owner.world ? this.blankNodeOf(id, ordinal) : NO_TERM;
  }

  // --- ids to terms

  term(id: TermId): RDF.Term {
    const meta = this.metaOf(id);
    switch (kindOf(meta)) {
      case TERM_KIND.iri:
      case TERM_KIND.literal:
        return this.termOfText(id, this.textOf(id));
      case TERM_KIND.languageLiteral:
        return literalWithTag(this.textOf(id), this.textOf(referenceOf(meta)));
      case TERM_KIND.blankNode:
        return dataFactory.blankNode(this.blankNodeLabel(id));
      case TERM_KIND.triple: {
        const [subject, predicate, object] = this.tripleOf(id);
        return dataFactory.quad(
          this.term(subject) as RDF.Quad_Subject,
          this.term(predicate) as RDF.Quad_Predicate,
          this.term(object) as RDF.Quad_Object,
        );
      }
      case TERM_KIND.defaultGraph:
        return dataFactory.defaultGraph();
      default:
        throw new RangeError(`The id ${id} names no RDF term.`);
    }
  }

  /** Returns the IRI, or plain or typed literal, of an id whose text is known. */
  private termOfText(id: TermId, value: string): RDF.Term {
    const meta = this.metaOf(id);
    if (kindOf(meta) === TERM_KIND.iri) return dataFactory.namedNode(value);
    const datatype = referenceOf(meta);
    if (datatype === XSD_STRING_ID) return dataFactory.literal(value);
    return dataFactory.literal(value, this.datatypeNode(datatype));
  }

  private textOf(id: TermId): string {
    const { at } = this;
    this.tableOf(id).locate(id >= LOCAL_BIT ? id - LOCAL_BIT : id, at);
    return utf8Text(at.buffer, at.start, at.end);
  }

  private datatypeNode(id: TermId): RDF.NamedNode {
    this.datatypes ??= new Map();
    let node = this.datatypes.get(id);
    if (node === undefined) {
      node = dataFactory.namedNode(this.textOf(id));
      this.claim(node.value.length * 2 + NODE_BYTES);
      this.datatypes.set(id, node);
    }
    return node;
  }

  kind(id: TermId): TermKind {
    return KIND_NAMES[kindOf(this.metaOf(id))];
  }

  locate(id: TermId, at: TermBytes): void {
    const meta = this.metaOf(id);
    at.kind = kindOf(meta);
    at.reference = referenceOf(meta);
    this.tableOf(id).locate(id >= LOCAL_BIT ? id - LOCAL_BIT : id, at);
  }

  blankNodeLabel(id: TermId): string {
    const { at } = this;
    this.locate(id, at);
    const ordinal = at.buffer.readUInt32LE(at.start);
    const scope = at.reference;
    this.scopePrefixes ??= new Map();
    let prefix = this.scopePrefixes.get(scope);
    if (prefix === undefined) {
      this.locate(scope, at);
      prefix = scopePrefix(at.buffer.subarray(at.start, at.end));
      this.scopePrefixes.set(scope, prefix);
    }
    return prefix + ordinal.toString(36);
  }

  /** Returns the number of the world that owns a blank node. */
  worldOfBlankNode(id: TermId): number {
    return referenceOf(this.metaOf(referenceOf(this.metaOf(id))));
  }

  tripleOf(id: TermId): readonly [subject: TermId, predicate: TermId, object: TermId] {
    const { at } = this;
    this.locate(id, at);
    const { buffer, start } = at;
    return [buffer.readUInt32LE(start), buffer.readUInt32LE(start + 4), buffer.readUInt32LE(start + 8)];
  }

  /** Throws a RangeError for an id that was never assigned. */
  metaOf(id: TermId): TermMeta {
    const table = this.tableOf(id);
    const number = id >= LOCAL_BIT ? id - LOCAL_BIT : id;
    if (number === 0 || number > table.size) throw new RangeError(`The id ${id} is not in this dictionary.`);
    return table.metaOf(number);
  }

  get byteLength(): number {
    return (this.own?.byteLength ?? 0) + (this.labels?.byteLength ?? 0);
  }

  get hasPrivateTerms(): boolean {
    return this.own !== undefined;
  }

  /** The private terms. */
  get local(): TermTable {
    this.own ??= new TermTable(this.dictionary.key);
    return this.own;
  }

  // --- inside

  private tableOf(id: TermId): TermTable {
    return id >= LOCAL_BIT ? this.local : this.dictionary.table;
  }

  private internBytes(meta: TermMeta, bytes: Uint8Array, start: number, end: number): TermId {
    const view = this.viewOf(bytes);
    const hash = this.hash(view, start, end);
    return this.findHashed(meta, view, start, end, hash) || this.add(meta, view, start, end, hash);
  }

  /** Returns the hash for {@link findHashed} and {@link add}. */
  private hash(view: DataView, start: number, end: number): number {
    return (this.own ?? this.dictionary.table).hash(view, start, end);
  }

  /** Adds a term. Requires that `findHashed` did not find it. */
  private add(meta: TermMeta, view: DataView, start: number, end: number, hash: number): TermId {
    this.claim(end - start + TERM_OVERHEAD);
    if (this.newTerms === 'private') {
      const ownHash = this.own ? hash : this.local.hash(view, start, end);
      return this.local.add(meta, view, start, end, ownHash) + LOCAL_BIT;
    }
    return this.dictionary.table.add(meta, view, start, end, this.sharedHash(view, start, end, hash));
  }

  private claim(bytes: number): void {
    this.unclaimed += bytes;
    if (this.unclaimed < CLAIM_BYTES) return;
    this.memory?.claimMemory(this.unclaimed);
    this.unclaimed = 0;
  }

  private sharedHash(view: DataView, start: number, end: number, hash: number): number {
    const shared = this.dictionary.table;
    return !this.own || shared.strong === this.own.strong ? hash : shared.hash(view, start, end);
  }

  private findBytes(meta: TermMeta, bytes: Uint8Array, start: number, end: number): TermId {
    const view = this.viewOf(bytes);
    return this.findHashed(meta, view, start, end, this.hash(view, start, end));
  }

  private findHashed(meta: TermMeta, view: DataView, start: number, end: number, hash: number): TermId {
    if (this.own) {
      const number = this.own.find(meta, view, start, end, hash);
      if (number) return number + LOCAL_BIT;
      if (hasLocalReference(meta)) return NO_TERM;
    }
    return this.dictionary.table.find(meta, view, start, end, this.sharedHash(view, start, end, hash));
  }

  private resolve(term: RDF.Term, make: boolean, blankNodes: 'known' | 'scoped'): TermId {
    if (typeof term.value !== 'string' && (term as RDF.Term).termType !== 'Quad')
      throw new WorldsError('INVALID_RDF', `A ${(term as RDF.Term).termType} has no value.`);
    // UTF-8 cannot represent lone surrogates: encoding one would silently yield a different term.
    if (term.termType !== 'Quad' && !term.value.isWellFormed()) {
      if (make) throw new WorldsError('INVALID_RDF', LONE_SURROGATE);
      return NO_TERM;
    }
    switch (term.termType) {
      case 'NamedNode':
        return term instanceof RememberedIri ? this.resolveRemembered(term, make) : this.resolveIri(term.value, make);
      case 'Literal': {
        const tag = storedTagOf(term);
        let meta: TermMeta;
        if (tag) {
          const reference = this.resolveLanguage(tag, make);
          if (!reference) return NO_TERM;
          meta = metaWith(TERM_KIND.languageLiteral, reference);
        } else {
          const datatype = this.resolveDatatype(term.datatype?.value, make);
          if (!datatype) return NO_TERM;
          meta = metaWith(TERM_KIND.literal, datatype);
        }
        if (make && term.value.length > CHUNK_BYTES) return this.internLarge(meta, term.value);
        return this.resolveBytes(meta, this.encode(term.value), make);
      }
      case 'BlankNode':
        return this.resolveBlankNode(term.value, make, blankNodes);
      case 'Quad': {
        const subject = this.resolve(term.subject, make, blankNodes);
        const predicate = this.resolve(term.predicate, make, blankNodes);
        const object = this.resolve(term.object, make, blankNodes);
        if (!subject || !predicate || !object) return NO_TERM;
        return this.resolveBytes(TRIPLE_META, this.encodeTriple(subject, predicate, object), make);
      }
      case 'DefaultGraph':
        return DEFAULT_GRAPH;
      default:
        throw new WorldsError('INVALID_RDF', `A ${(term as RDF.Term).termType} cannot be part of RDF data.`);
    }
  }

  private resolveRemembered(iri: RememberedIri, make: boolean): TermId {
    const { dictionary } = this;
    const known = iri.idIn(dictionary.number);
    // A term added to the dictionary after this overlay was created may have a private id here.
    if (known !== NO_TERM && known <= this.sharedAtStart) return known;
    const id = this.resolveIri(iri.value, make);
    if (id !== NO_TERM && id < LOCAL_BIT) iri.remember(dictionary.number, id);
    return id;
  }

  private resolveIri(iri: string, make: boolean): TermId {
    const length = this.encode(iri);
    const view = this.viewOf(this.scratch);
    const hash = this.hash(view, 0, length);
    const found = this.findHashed(IRI_META, view, 0, length, hash);
    if (found || !make) return found;
    // Only new IRIs need the check: stored ones have passed it.
    if (!isAbsoluteIri(iri)) {
      throw new WorldsError('INVALID_RDF', `${JSON.stringify(iri)} is not an absolute, well-formed IRI.`);
    }
    return this.add(IRI_META, view, 0, length, hash);
  }

  private resolveDatatype(iri: string | undefined, make: boolean): TermId {
    if (!iri || iri === XSD_STRING) return XSD_STRING_ID;
    if (!iri.isWellFormed()) {
      if (make) throw new WorldsError('INVALID_RDF', LONE_SURROGATE);
      return NO_TERM;
    }
    if (make && (iri === RDF_LANG_STRING || iri === RDF_DIR_LANG_STRING)) {
      throw new WorldsError('INVALID_RDF', `A literal with datatype ${iri} needs a language tag.`);
    }
    return this.resolveIri(iri, make);
  }

  private resolveLanguage(tag: string, make: boolean): TermId {
    this.languages ??= new Map();
    const known = this.languages.get(tag);
    if (known) return known;
    const [language, direction] = tag.split('--');
    if (!isLanguageTag(language) || !(direction === undefined || direction === 'ltr' || direction === 'rtl')) {
      if (!make) return NO_TERM;
      throw new WorldsError('INVALID_RDF', `${JSON.stringify(tag)} is not a well-formed language tag (BCP 47).`);
    }
    const kept = languageTagCase(language);
    if (make && hasLongSubtag(kept)) {
      this.claim(kept.length * 2 + NODE_BYTES);
      (this.longLanguages ??= new Set()).add(kept);
    }
    const id = this.resolveBytes(INTERNAL_META, this.encode(direction ? `${kept}--${direction}` : kept), make);
    if (id) {
      this.claim(tag.length * 2 + NODE_BYTES);
      this.languages.set(tag, id);
    }
    return id;
  }

  /**
   * Returns the language tags with subtags of more than 8 characters resolved for new terms since
   * the last call; none twice.
   */
  takeLongLanguages(): ReadonlySet<string> {
    const taken = this.longLanguages ?? new Set();
    this.longLanguages = undefined;
    return taken;
  }

  private resolveBlankNode(label: string, make: boolean, mode: 'known' | 'scoped'): TermId {
    if (mode === 'known') {
      const known = this.findBlankNode(label);
      if (known || !make) return known;
    }
    if (label === '') throw new WorldsError('INVALID_RDF', 'A blank node needs a label.');
    const length = this.encode(label);
    return this.blankNode(this.scratch, 0, length);
  }

  private findBlankNode(label: string): TermId {
    const parsed = parseBlankNodeLabel(label);
    if (!parsed) return NO_TERM;
    const scope = this.findBytes(SCOPE_KIND, parsed.scope, 0, parsed.scope.length);
    if (!scope) return NO_TERM;
    this.scratch.writeUInt32LE(parsed.ordinal, 0);
    return this.findBytes(metaWith(TERM_KIND.blankNode, scope), this.scratch, 0, 4);
  }

  private resolveBytes(meta: TermMeta, length: number, make: boolean): TermId {
    return make ? this.internBytes(meta, this.scratch, 0, length) : this.findBytes(meta, this.scratch, 0, length);
  }

  /** Like {@link resolveBytes}, for a text that the arena can then keep without copying it. */
  private internLarge(meta: TermMeta, text: string): TermId {
    // Before the memory is taken; the term is counted once it is added.
    this.claim(text.length);
    const { chunk, start, end } = largeChunk(text);
    return this.internBytes(meta, chunk, start, end);
  }

  private blankNodeOf(scope: TermId, ordinal: number): TermId {
    this.scratch.writeUInt32LE(ordinal, 0);
    return this.internBytes(metaWith(TERM_KIND.blankNode, scope), this.scratch, 0, 4);
  }

  private ownScope(): TermId {
    if (this.scopeId === NO_TERM) {
      const scope = this.owner.scope();
      this.scopeId = this.internBytes(metaWith(SCOPE_KIND, this.owner.world), scope, 0, scope.length);
    }
    return this.scopeId;
  }

  /** Caches the last view: most terms come from the same array as the one before. */
  private viewOf(bytes: Uint8Array): DataView {
    if (bytes !== this.lastBytes) {
      this.lastBytes = bytes;
      this.lastView = viewOf(bytes);
    }
    return this.lastView;
  }

  private encode(value: string): number {
    // A UTF-16 unit takes at most 3 bytes in UTF-8.
    if (value.length * 3 > this.scratch.length) this.growScratch(value);
    const { scratch } = this;
    if (value.length > SHORT_TEXT) return scratch.write(value, 0, 'utf8');
    for (let i = 0; i < value.length; i++) {
      const unit = value.charCodeAt(i);
      if (unit >= 0x80) return scratch.write(value, 0, 'utf8');
      scratch[i] = unit;
    }
    return value.length;
  }

  private growScratch(value: string): void {
    const bytes = value.length < LARGE_TEXT ? value.length * 3 : Buffer.byteLength(value);
    if (bytes <= this.scratch.length) return;
    this.claim(bytes - (this.scratch === SCRATCH ? 0 : this.scratch.length));
    this.scratch = Buffer.allocUnsafeSlow(bytes);
  }

  private encodeTriple(subject: TermId, predicate: TermId, object: TermId): number {
    this.scratch.writeUInt32LE(subject, 0);
    this.scratch.writeUInt32LE(predicate, 4);
    return this.scratch.writeUInt32LE(object, 8);
  }
}

const LONE_SURROGATE =
  'A term contains a lone surrogate, which is not a Unicode character; replace it before storing the text.';
