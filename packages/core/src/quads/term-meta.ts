import { TERM_KIND } from '../contracts/term-bytes.ts';
import { FIRST_PRIVATE_TERM } from '../contracts/term-source.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * A term's meta word: the kind in the low 4 bits; bit 4 set if the reference is a local id; a
 * reference in the upper 27 bits: the datatype of a literal, the tag of a language literal, the
 * scope of a blank node, or the world of a scope.
 */
export type TermMeta = number;

/**
 * Internal to the dictionary: the scope of the blank nodes that one commit created in one world.
 */
export const SCOPE_KIND = 8;

const KIND_MASK = 0xf;
const LOCAL_REFERENCE = 0x10;
const REFERENCE_SHIFT = 5;
export const MAX_REFERENCE = 2 ** 27 - 1;

/** Set in the ids of the terms of a private overlay. */
export const LOCAL_BIT = FIRST_PRIVATE_TERM;

export const IRI_META: TermMeta = TERM_KIND.iri;
export const TRIPLE_META: TermMeta = TERM_KIND.triple;
export const INTERNAL_META: TermMeta = TERM_KIND.internal;
export const DEFAULT_GRAPH_META: TermMeta = TERM_KIND.defaultGraph;

/**
 * Returns the meta of a kind with a reference to another term (or, for a scope, to a world's
 * number).
 */
export function metaWith(kind: number, reference: number): TermMeta {
  const local = reference >= LOCAL_BIT;
  const number = local ? reference - LOCAL_BIT : reference;
  if (number > MAX_REFERENCE) throw tooMany();
  return (kind | (local ? LOCAL_REFERENCE : 0) | (number << REFERENCE_SHIFT)) >>> 0;
}

function tooMany(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    'The namespace has used 2^27 term ids, so no new datatype, language tag or blank node can be added; export its worlds to a new namespace.',
  );
}

export function kindOf(meta: TermMeta): number {
  return meta & KIND_MASK;
}

export function referenceOf(meta: TermMeta): number {
  const number = meta >>> REFERENCE_SHIFT;
  return meta & LOCAL_REFERENCE ? number + LOCAL_BIT : number;
}

export function hasLocalReference(meta: TermMeta): boolean {
  return (meta & LOCAL_REFERENCE) !== 0;
}

/**
 * Returns the part of a meta word that distinguishes terms. A scope is the same term in every
 * world.
 */
export function identityOf(meta: TermMeta): number {
  return (meta & KIND_MASK) === SCOPE_KIND ? SCOPE_KIND : meta;
}
