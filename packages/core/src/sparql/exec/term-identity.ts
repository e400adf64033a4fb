import type * as RDF from '@rdfjs/types';
import { TERM_KIND } from '../../contracts/term-bytes.ts';
import { NO_TERM, type TermId, type TermSource } from '../../contracts/term-source.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from './batch.ts';
import { type StoredTexts, TEXT } from './stored-texts.ts';

type RowPredicate = (batch: Batch, row: number) => boolean;
type SlotOf = (variable: string) => number | undefined;

/** A condition that the ids of terms decide, at least for most rows. */
export interface IdentityPlan {
  /** @param whole evaluates the condition for a row that the ids do not decide */
  start(terms: TermSource, texts: StoredTexts, whole: RowPredicate): RowPredicate;
}

/**
 * Recognizes `?v != <iri>`, `?v NOT IN (<iri>, ...)`, `?a != ?b`, `sameTerm(?a, ?b)` and their
 * counterparts: equal terms have one id within a query. Returns undefined for any other expression.
 *
 * @param wanted the result that passes; an error never does
 */
export function identityPlan(expression: Expression, slotOf: SlotOf, wanted = true): IdentityPlan | undefined {
  if (expression.type !== 'call') return undefined;
  const { function: name, arguments: parts } = expression;
  const [one, other] = parts;
  switch (name) {
    case '=':
    case '!=': {
      const equal = wanted === (name === '=');
      if (one.type === 'term') return membership([other, one], equal, slotOf);
      return other.type === 'term' ? membership(parts, equal, slotOf) : equality(one, other, equal, slotOf);
    }
    case 'IN':
    case 'NOT IN':
      return membership(parts, wanted === (name === 'IN'), slotOf);
    case 'SAMETERM':
      return sameTerm(one, other, wanted, slotOf);
    case '!':
      return identityPlan(one, slotOf, !wanted);
    default:
      return undefined;
  }
}

/** An IRI equals only itself, and nothing raises an error against it (section 17.4.1.7). */
function membership(
  [variable, ...others]: readonly Expression[],
  wanted: boolean,
  slotOf: SlotOf,
): IdentityPlan | undefined {
  const slot = variable.type === 'variable' ? slotOf(variable.name) : undefined;
  if (slot === undefined) return undefined;
  const iris: RDF.Term[] = [];
  for (const other of others) {
    if (other.type !== 'term' || other.term.termType !== 'NamedNode') return undefined;
    iris.push(other.term);
  }
  const start = (terms: TermSource): RowPredicate => {
    const ids = iris.map((iri) => terms.intern(iri));
    const [only] = ids;
    const all = new Set(ids);
    const has = ids.length === 1 ? (id: TermId) => id === only : (id: TermId) => all.has(id);
    return (batch, row) => {
      const id = batch.columns[slot]?.[row] ?? NO_TERM;
      return id !== NO_TERM && has(id) === wanted;
    };
  };
  return { start };
}

function equality(one: Expression, other: Expression, wanted: boolean, slotOf: SlotOf): IdentityPlan | undefined {
  const slots = slotsOf(one, other, slotOf);
  if (!slots) return undefined;
  const [left, right] = slots;
  const start = (_: TermSource, texts: StoredTexts, whole: RowPredicate): RowPredicate => {
    const kindOfLeft = new LastIdentity(texts);
    const kindOfRight = new LastIdentity(texts);
    return (batch, row) => {
      const a = batch.columns[left]?.[row] ?? NO_TERM;
      const b = batch.columns[right]?.[row] ?? NO_TERM;
      if (a === NO_TERM || b === NO_TERM) return false;
      const kind = kindOfLeft.of(a);
      if (a === b) return kind === IDENTITY.none ? whole(batch, row) : wanted;
      // Two different strings are unequal; a string and another literal may raise an error.
      const isDecided =
        kind === IDENTITY.node ||
        kindOfRight.of(b) === IDENTITY.node ||
        (kind === IDENTITY.string && kindOfRight.of(b) === IDENTITY.string);
      return isDecided ? !wanted : whole(batch, row);
    };
  };
  return { start };
}

/** Section 17.4.1.8: identity of terms, whatever their values. */
function sameTerm(one: Expression, other: Expression, wanted: boolean, slotOf: SlotOf): IdentityPlan | undefined {
  const slots = slotsOf(one, other, slotOf);
  if (!slots) return undefined;
  const [left, right] = slots;
  const start = (): RowPredicate => (batch, row) => {
    const a = batch.columns[left]?.[row] ?? NO_TERM;
    const b = batch.columns[right]?.[row] ?? NO_TERM;
    return a !== NO_TERM && b !== NO_TERM && (a === b) === wanted;
  };
  return { start };
}

function slotsOf(one: Expression, other: Expression, slotOf: SlotOf): readonly [number, number] | undefined {
  if (one.type !== 'variable' || other.type !== 'variable') return undefined;
  const left = slotOf(one.name);
  const right = slotOf(other.name);
  return left === undefined || right === undefined ? undefined : [left, right];
}

/** What a term equals: `node` and `string` only themselves, `none` possibly other terms. */
const IDENTITY = { none: 0, string: 1, node: 2 } as const;

/** Looks a term's {@link IDENTITY} up; neighbouring rows of a join often have the same term. */
class LastIdentity {
  private readonly texts: StoredTexts;
  private id: TermId = NO_TERM;
  private identity: number = IDENTITY.none;

  constructor(texts: StoredTexts) {
    this.texts = texts;
  }

  of(id: TermId): number {
    if (id === this.id) return this.identity;
    this.id = id;
    const kind = this.texts.locate(id);
    const isNode = kind === TEXT.iri || this.texts.at.kind === TERM_KIND.blankNode;
    this.identity = isNode ? IDENTITY.node : kind === TEXT.string ? IDENTITY.string : IDENTITY.none;
    return this.identity;
  }
}
