import type { Algebra, Expression, Path, PatternTerm, TriplePattern, Variable } from './algebra.ts';
import { balanced } from './balanced.ts';
import type { TripleSink } from './triple-sink.ts';

/**
 * The join identity: a basic graph pattern without triple patterns has one solution without
 * bindings.
 */
export const UNIT: Algebra = { type: 'bgp', patterns: [] };

const isUnit = (algebra: Algebra) => algebra.type === 'bgp' && algebra.patterns.length === 0;

/** Join(left, right), without the join identity (section 18.2.2.8). */
export function joined(left: Algebra, right: Algebra): Algebra {
  if (isUnit(left)) return right;
  if (isUnit(right)) return left;
  return { type: 'join', operands: [left, right] };
}

/**
 * A group graph pattern on its way to the algebra (SPARQL 1.1 section 18.2.2): it takes the
 * elements in their order, and knows which variables they put in scope (section 18.2.1). Joins are
 * flat.
 */
export class GroupPattern implements TripleSink {
  /**
   * The names that are in scope so far. Given to another pattern it belongs to that one: see
   * {@link absorb}.
   */
  scope = new Set<string>();
  private operands: Algebra[] = [];
  /**
   * The open basic graph pattern: the last of the operands. Adjacent triple patterns are one, also
   * across filters (section 18.2.2.5).
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
      // Names that begin with a dot are the translation's own: nobody can name them.
      if (term.value.charCodeAt(0) !== 0x2e) this.scope.add(term.value);
    } else if (term.termType === 'TriplePattern') {
      this.see(term.subject);
      this.see(term.predicate);
      this.see(term.object);
    }
  }

  /** Puts a variable that an element names by itself in scope. */
  name(term: PatternTerm): void {
    this.see(term);
  }

  /**
   * Takes the scope of an inner pattern over. The smaller set goes into the larger one, so that
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
    // The filters of the optional group itself are the condition; they see the left side's
    // variables too.
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

  /** The elements without the filters. */
  pattern(): Algebra {
    const { operands } = this;
    if (operands.length === 0) return UNIT;
    return operands.length === 1 ? operands[0] : { type: 'join', operands };
  }

  /**
   * The filters as one condition: each is true, or the row goes (section 18.2.2.7). Undefined when
   * there are none.
   */
  condition(): Expression | undefined {
    return this.filters.length === 0 ? undefined : balanced('&&', this.filters);
  }

  /** The whole group. */
  algebra(): Algebra {
    const condition = this.condition();
    const input = this.pattern();
    return condition ? { type: 'filter', input, condition } : input;
  }
}
