import type { AggregateScope, VariableUse } from '../algebra/aggregate-scope.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { GroupKey, SliceClause } from '../algebra/solution-modifiers.ts';
import { PatternParser } from './pattern-parser.ts';

/** GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET as parsed. */
export interface ModifierClauses {
  readonly keyAliases: readonly GroupKey[];
  readonly keys: readonly GroupKey[] | undefined;
  readonly having: readonly UsingExpression[];
  readonly order: readonly (UsingExpression & { readonly descending: boolean })[];
  readonly slice: SliceClause | undefined;
}

/** An expression and the variables that it uses outside of aggregates. */
export interface UsingExpression {
  readonly expression: Expression;
  readonly uses: readonly VariableUse[];
}

export const NO_USES: readonly VariableUse[] = [];
/** The clauses of a query without solution modifiers. */
export const NO_CLAUSES: ModifierClauses = { keyAliases: [], keys: undefined, having: [], order: [], slice: undefined };

/** Parses solution modifiers (rules 18 to 25), which come after the pattern of a query. */
export abstract class ModifierParser extends PatternParser {
  /**
   * Parses an expression that may contain aggregates, and collects the variables it uses outside of
   * them.
   */
  protected aggregating(scope: AggregateScope, read: () => Expression): UsingExpression {
    const { aggregateScope } = this;
    this.aggregateScope = scope;
    const expression = read();
    this.aggregateScope = aggregateScope;
    const { uses } = scope;
    if (uses.length > 0) scope.uses = [];
    return { expression, uses: uses.length > 0 ? uses : NO_USES };
  }

  /** Whether a solution modifier starts here. */
  protected atModifier(): boolean {
    switch (this.token) {
      case 'GROUP':
      case 'HAVING':
      case 'ORDER':
      case 'LIMIT':
      case 'OFFSET':
        return true;
      default:
        return false;
    }
  }

  /** SolutionModifier (rule 18). */
  protected *modifierClauses(
    scope: AggregateScope,
    inScope: ReadonlySet<string>,
  ): Generator<void, ModifierClauses, void> {
    const keyAliases: GroupKey[] = [];
    const keys = this.at('GROUP') ? this.groupClause(inScope, keyAliases) : undefined;
    const having: UsingExpression[] = [];
    if (this.accept('HAVING')) {
      const what = 'a condition after HAVING: "(" or a function';
      do {
        having.push(this.aggregating(scope, () => this.constraint(what)));
        if (this.endsStep()) yield;
      } while (this.atConstraint());
    }
    const order: (UsingExpression & { descending: boolean })[] = [];
    if (this.accept('ORDER')) {
      this.expect('BY', 'BY after ORDER');
      do {
        this.checkKeys(order.length);
        order.push(this.orderCondition(scope));
      } while (this.atOrderCondition());
    }
    return { keyAliases, keys, having, order, slice: this.sliceClause() };
  }

  /** GroupClause (rule 19). */
  private groupClause(inScope: ReadonlySet<string>, keyAliases: GroupKey[]): GroupKey[] {
    this.next();
    this.expect('BY', 'BY after GROUP');
    const keys: GroupKey[] = [];
    const names = new Set<string>();
    do {
      this.checkKeys(keys.length);
      const { variable, expression } = this.groupCondition(inScope, names, keyAliases);
      if (!names.has(variable)) keys.push({ variable, expression });
      names.add(variable);
    } while (this.at('<variable>') || this.atConstraint());
    return keys;
  }

  /** GroupCondition (rule 20). */
  private groupCondition(inScope: ReadonlySet<string>, names: ReadonlySet<string>, keyAliases: GroupKey[]): GroupKey {
    const key = (name: string): GroupKey => ({ variable: name, expression: { type: 'variable', name } });
    if (this.at('<variable>')) return key(this.variable().value);
    if (!this.at('(')) {
      const expression = this.constraint('a variable, a function or "(" after GROUP BY');
      return { variable: this.freshName('key'), expression };
    }
    this.next();
    const expression = this.expression();
    if (!this.accept('AS')) {
      this.expect(')', 'an operator, AS or ")"');
      return expression.type === 'variable' ? key(expression.name) : { variable: this.freshName('key'), expression };
    }
    const { start } = this;
    const name = this.variable('a variable after AS').value;
    if (inScope.has(name) || names.has(name)) this.fail(`AS cannot assign ?${name}: it already has a value`, start);
    this.expect(')', '")" after the variable');
    // Each alias adds a level to the algebra tree, as in SELECT.
    this.descend();
    keyAliases.push({ variable: name, expression });
    return key(name);
  }

  private atOrderCondition(): boolean {
    return this.at('<variable>') || this.at('ASC') || this.at('DESC') || this.atConstraint();
  }

  /** OrderCondition (rule 24). */
  private orderCondition(scope: AggregateScope): UsingExpression & { descending: boolean } {
    const descending = this.at('DESC');
    const read = () => {
      if (this.at('<variable>')) return this.variableExpression();
      if (!this.at('ASC') && !this.at('DESC'))
        return this.constraint('a variable, ASC, DESC, a function or "(" after ORDER BY');
      this.next();
      return this.at('(') ? this.bracketed() : this.failExpected('an expression in brackets after ASC or DESC');
    };
    return { descending, ...this.aggregating(scope, read) };
  }

  /** LimitOffsetClauses (rule 25): each clause at most once, in either order. */
  private sliceClause(): SliceClause | undefined {
    let limit: number | undefined;
    let offset: number | undefined;
    for (;;) {
      if (limit === undefined && this.accept('LIMIT')) limit = this.count('LIMIT');
      else if (offset === undefined && this.accept('OFFSET')) offset = this.count('OFFSET');
      else break;
    }
    return limit === undefined && offset === undefined ? undefined : { offset: offset ?? 0, limit };
  }

  private count(keyword: string): number {
    if (!this.at('<integer>') || this.atSignedNumber()) this.failExpected(`a number of solutions after ${keyword}`);
    const count = Number(this.value);
    this.next();
    return count;
  }
}
