import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { isLanguageTag } from '../model/language-tag.ts';
import { RDF_TYPE, RDF as RDF_VOCABULARY, XSD_STRING } from '../model/vocabulary.ts';

/**
 * Representations of JSON-LD's `@direction` in RDF (JSON-LD 1.1 API section 9.3, `rdfDirection`): a
 * datatype `https://www.w3.org/ns/i18n#ar_rtl`; a blank node with `rdf:value`, `rdf:language` and
 * `rdf:direction`; or, beyond that specification, an RDF 1.2 literal with a base direction.
 */
export const RDF_DIRECTIONS = ['i18n-datatype', 'compound-literal', 'dir-lang-string'] as const;

/** A representation of `@direction` in RDF; see {@link RDF_DIRECTIONS}. */
export type RdfDirection = (typeof RDF_DIRECTIONS)[number];

export const I18N = 'https://www.w3.org/ns/i18n#';
export const RDF_VALUE = `${RDF_VOCABULARY}value`;
export const RDF_LANGUAGE = `${RDF_VOCABULARY}language`;
export const RDF_DIRECTION = `${RDF_VOCABULARY}direction`;

/** A text with a base direction; `language` is the empty string if there is none. */
export interface DirectedText {
  readonly value: string;
  readonly language: string;
  readonly direction: string;
}

/**
 * Returns the text of a literal with a datatype of the i18n namespace. Returns undefined for any
 * other literal and for one that JSON-LD could not reproduce.
 */
export function i18nText({ value, datatype }: RDF.Literal): DirectedText | undefined {
  if (!datatype.value.startsWith(I18N)) return undefined;
  const [language, direction, ...rest] = datatype.value.slice(I18N.length).split('_');
  if (rest.length > 0 || !isDirection(direction)) return undefined;
  return isLanguage(language) ? { value, language, direction } : undefined;
}

/** Rows needed to recognise a compound literal: one more than its maximum. */
const COMPOUND_ROWS = 4;

/** Finds the compound literals of a dataset. */
export class CompoundLiterals {
  private readonly source: QuadSource;
  private readonly terms: TermBytesSource;
  private readonly direction: TermId;
  private readonly batch = new QuadBatch(COMPOUND_ROWS);

  constructor(source: QuadSource, terms: TermBytesSource) {
    this.source = source;
    this.terms = terms;
    this.direction = terms.find({ termType: 'NamedNode', value: RDF_DIRECTION } as RDF.NamedNode);
  }

  /**
   * Returns the text of a blank node that is purely a compound literal: the object of exactly one
   * quad, whose value it replaces, and mentioned in no other graph. Returns undefined for any other
   * term.
   */
  at(node: TermId, graph: TermId): DirectedText | undefined {
    const { source, terms, direction } = this;
    if (direction === NO_TERM || terms.kind(node) !== 'blank') return undefined;
    if (source.count(node, direction, NO_TERM, graph) !== 1) return undefined;
    if (source.count(NO_TERM, NO_TERM, node, NO_TERM) !== 1 || source.graphs.includes(node)) return undefined;
    const [reference] = this.rows(NO_TERM, node, graph);
    // The value of @type must be an IRI or a blank node.
    if (!reference || reference.subject === node || reference.predicate === RDF_TYPE) return undefined;
    const rows = this.rows(node, NO_TERM, graph);
    if (rows.length !== source.count(node, NO_TERM, NO_TERM, NO_TERM)) return undefined;
    const texts = new Map(rows.map(({ predicate, text }) => [predicate, text]));
    const [value, language, base] = [RDF_VALUE, RDF_LANGUAGE, RDF_DIRECTION].map((iri) => texts.get(iri));
    if (rows.length !== (language === undefined ? 2 : 3)) return undefined;
    if (value === undefined || !isDirection(base) || !isLanguage(language ?? '')) return undefined;
    return { value, language: language ?? '', direction: base };
  }

  /** Returns up to four matching rows. */
  private rows(
    subject: TermId,
    object: TermId,
    graph: TermId,
  ): readonly { readonly subject: TermId; readonly predicate: string; readonly text: string | undefined }[] {
    const { batch, terms } = this;
    const cursor = this.source.cursor();
    cursor.seek(subject, NO_TERM, object, graph);
    cursor.next(batch);
    return Array.from({ length: batch.length }, (_, row) => ({
      subject: batch.subject[row],
      predicate: terms.term(batch.predicate[row]).value,
      text: this.plainText(batch.object[row]),
    }));
  }

  private plainText(id: TermId): string | undefined {
    if (this.terms.kind(id) !== 'literal') return undefined;
    const { value, datatype } = this.terms.term(id) as RDF.Literal;
    return datatype.value === XSD_STRING ? value : undefined;
  }
}

function isDirection(text: string | undefined): text is string {
  return text === 'ltr' || text === 'rtl';
}

function isLanguage(text: string): boolean {
  return text === '' || isLanguageTag(text);
}
