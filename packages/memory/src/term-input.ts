import { dataFactory, WorldsError } from '@rdf-worlds/core';
import { isAbsoluteIri } from '@rdf-worlds/core/internal';
import type * as RDF from '@rdfjs/types';
import { z } from 'zod';
import type { Triple } from './fact.ts';
import type { PrefixTable } from './prefix-table.ts';

const { blankNode, literal, namedNode } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const BLANK_NODE = /^_:[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** A time in the arguments of a tool: a year, a month, a day or an instant. */
export const TIME = /^\d{4}(?:-\d{2}(?:-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)?$/;

export const timeInput = z
  .string()
  .regex(TIME, 'expected a time such as 2026, 2026-03, 2026-03-31 or 2026-03-31T09:00:00Z');

/** Returns the first instant of a time; one without a zone is in UTC. Throws `INVALID_ARGUMENT`. */
export function readTime(text: string, field: string): Date {
  const full = /^\d{4}$/.test(text) ? `${text}-01-01` : /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text;
  const hasZone = !full.includes('T') || /(?:Z|[+-]\d{2}:\d{2})$/.test(full);
  const date = new Date(hasZone ? full : `${full}Z`);
  // V8 takes the 31st of a shorter month as a day of the next one.
  const day = /^\d{4}-\d{2}-(\d{2})/.exec(full)?.[1];
  const isReal = !Number.isNaN(date.getTime()) && (full.includes('T') || date.toISOString().slice(8, 10) === day);
  if (isReal) return date;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: ${JSON.stringify(text)} is not a valid date or time; write 2026-03-31 or 2026-03-31T09:00:00Z.`,
  );
}

/** A reference in the arguments of a tool: a term, or a name for which one has to be found. */
export type Reference =
  | { readonly kind: 'term'; readonly term: RDF.NamedNode | RDF.BlankNode }
  | { readonly kind: 'name'; readonly name: string };

/**
 * Reads `<iri>`, `https://...`, `prefix:name`, `_:label`, or anything else as a name. Throws
 * `INVALID_ARGUMENT` for malformed IRIs and for prefixes that nobody declared.
 */
export function readReference(text: string, field: string, prefixes: PrefixTable): Reference {
  const given = text.trim();
  const invalid = (problem: string) => new WorldsError('INVALID_ARGUMENT', `${field}: ${problem}`);
  if (given === '') throw invalid('it is empty; pass an IRI, prefix:name, or the name of an entity.');
  if (BLANK_NODE.test(given)) return { kind: 'term', term: blankNode(given.slice(2)) };
  if (given.startsWith('<') && given.endsWith('>')) return { kind: 'term', term: iriTerm(given.slice(1, -1), field) };
  if (/\s/.test(given)) return { kind: 'name', name: given };
  const expanded = prefixes.expand(given);
  if (expanded !== undefined) return { kind: 'term', term: iriTerm(expanded, field) };
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(given) || /^(?:urn|mailto|tel|did|tag|doi|info|data):/i.test(given))
    return { kind: 'term', term: iriTerm(given, field) };
  const prefix = /^([A-Za-z][\w-]*):\S/.exec(given)?.[1];
  if (prefix !== undefined) {
    throw invalid(
      `there is no prefix ${prefix}:; write the whole IRI as <...>, or use one of ${[...prefixes.prefixes.keys()].map((name) => `${name}:`).join(' ')}.`,
    );
  }
  return { kind: 'name', name: given };
}

function iriTerm(iri: string, field: string): RDF.NamedNode {
  if (isAbsoluteIri(iri)) return namedNode(iri);
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: ${JSON.stringify(iri.slice(0, 100))} is not an absolute, well-formed IRI.`,
  );
}

/** A literal in the arguments of a tool. */
export const literalInput = z.union([z.string(), z.number(), z.boolean()]);

export interface LiteralInput {
  readonly value: string | number | boolean;
  readonly datatype?: string | undefined;
  readonly lang?: string | undefined;
}

const LANGUAGE = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/;

/** Returns the literal of a value. Throws `INVALID_ARGUMENT`. */
export function readLiteral(
  { value, datatype, lang }: LiteralInput,
  field: string,
  prefixes: PrefixTable,
): RDF.Literal {
  const invalid = (problem: string) => new WorldsError('INVALID_ARGUMENT', `${field}: ${problem}`);
  if (datatype !== undefined && lang !== undefined) throw invalid('pass datatype or lang, not both.');
  if (typeof value === 'string' && !value.isWellFormed())
    throw invalid('value contains a lone surrogate, which is not a Unicode character; remove it.');
  if (typeof value === 'number' && !Number.isFinite(value)) throw invalid('value is not a finite number.');
  if (lang !== undefined) {
    if (!LANGUAGE.test(lang))
      throw invalid(`lang: ${JSON.stringify(lang.slice(0, 50))} is not a language tag such as en or pt-BR.`);
    return literal(String(value), lang);
  }
  if (datatype !== undefined) {
    const reference = readReference(datatype, `${field}.datatype`, prefixes);
    if (reference.kind === 'name' || reference.term.termType !== 'NamedNode')
      throw invalid('datatype: expected xsd:date or another IRI.');
    return literal(String(value), reference.term);
  }
  if (typeof value === 'boolean') return literal(String(value), namedNode(`${XSD}boolean`));
  if (typeof value === 'number') {
    return Number.isSafeInteger(value)
      ? literal(String(value), namedNode(`${XSD}integer`))
      : literal(String(value).toUpperCase(), namedNode(`${XSD}double`));
  }
  return literal(value);
}

/** Throws `INVALID_ARGUMENT` unless a term can be the predicate of a triple. */
export function requirePredicate(term: RDF.Term, field: string): Triple['predicate'] {
  if (term.termType === 'NamedNode') return term;
  throw new WorldsError('INVALID_ARGUMENT', `${field}: a predicate must be an IRI or a name, not a blank node.`);
}
