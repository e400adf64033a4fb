import type { Algebra, Expression, Path, PatternTerm, TriplePattern, Variable } from './algebra.ts';
import { balanced } from './balanced.ts';
import type { TripleSink } from './triple-sink.ts';

/**
 * The join identity: a basic graph pattern without triple patterns has one solution without
 * bindings.
 */
export const UNIT: Algebra = { type: 'bgp', patterns: [] };

const isUnit = (algebra: Algebra) => algebra.type === 'bgp' && algebra.patterns.length === 0;

/** Join(left, right), simplified if a side is the join identity (section 18.2.2.8). */
export function joined(left: Algebra, right: Algebra): Algebra {
  if (isUnit(left)) return right;
  if (isUnit(right)) return left;
  return { type: 'join', operands: [left, right] };
}

/**
 * Builds the algebra of a group graph pattern (SPARQL 1.1 section 18.2.2). Elements are added in
 * textual order; it tracks the variables that they put in scope (section 18.2.1). Joins are
 * flattened.
 */
export class GroupPattern implements TripleSink {
  /**
   * Variables in scope so far. Ownership moves to the pattern that absorbs it; see {@link absorb}.
   */
  scope = new Set<string>();
  private operands: Algebra[] = [];
  /**
   * Triple patterns of the current basic graph pattern, the last operand. Adjacent triple patterns
   * form one, even across filters (section 18.2.2.5).
   */
  private triples: TriplePattern[] | undefined;
  private readonly filters: Expression[] = [];

  triple(subject: PatternTerm, predicate: PatternTerm, object: PatternTerm): void {
    if (!this.triples) this.operands.push({ type: 'bgp', patterns: (this.triples = []) });
    this.triples.push({ subject, predicate, object });
    this.see(subject);
    this.see(predicate);
    this.see(object);
  }

  path(subject: PatternTerm, path: Path, object: PatternTerm): void {
    this.add({ type: 'path', subject, path, object });
    this.see(subject);
    this.see(object);
  }

  private see(term: PatternTerm): void {
    if (term.termType === 'Variable') {
      // Names starting with a dot are internal to the translation.
      if (term.value.charCodeAt(0) !== 0x2e) this.scope.add(term.value);
    } else if (term.termType === 'TriplePattern') {
      this.see(term.subject);
      this.see(term.predicate);
      this.see(term.object);
    }
  }

  /** Puts a variable named directly by an element in scope. */
  name(term: PatternTerm): void {
    this.see(term);
  }

  /**
   * Takes over the scope of an inner pattern. Merges the smaller set into the larger one, so that
   * deep nesting stays linear.
   */
  absorb(inner: Set<string>): void {
    let names = inner;
    if (names.size > this.scope.size) [names, this.scope] = [this.scope, names];
    for (const name of names) this.scope.add(name);
  }

  private add(operand: Algebra): void {
    this.triples = undefined;
    this.operands.push(operand);
  }

  join(right: Algebra): void {
    this.triples = undefined;
    if (right.type === 'join') for (const operand of right.operands) this.operands.push(operand);
    else if (!isUnit(right)) this.operands.push(right);
  }

  leftJoin(right: GroupPattern): void {
    // The filters of the optional group become the join condition, which also sees the variables of
    // the left side.
    this.wrap({ type: 'leftJoin', left: this.pattern(), right: right.pattern(), condition: right.condition() });
  }

  minus(right: Algebra): void {
    this.wrap({ type: 'minus', left: this.pattern(), right });
  }

  extend({ value }: Variable, expression: Expression): void {
    this.wrap({ type: 'extend', input: this.pattern(), variable: value, expression });
    this.scope.add(value);
  }

  private wrap(pattern: Algebra): void {
    this.triples = undefined;
    this.operands = [pattern];
  }

  filter(condition: Expression): void {
    this.filters.push(condition);
  }

  /** Returns the elements without the filters. */
  pattern(): Algebra {
    const { operands } = this;
    if (operands.length === 0) return UNIT;
    return operands.length === 1 ? operands[0] : { type: 'join', operands };
  }

  /** Returns the conjunction of the filters (section 18.2.2.7), or undefined if there are none. */
  condition(): Expression | undefined {
    return this.filters.length === 0 ? undefined : balanced('&&', this.filters);
  }

  /** Returns the whole group. */
  algebra(): Algebra {
    const condition = this.condition();
    const input = this.pattern();
    return condition ? { type: 'filter', input, condition } : input;
  }
}
