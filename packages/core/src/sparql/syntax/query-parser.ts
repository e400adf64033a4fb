import type * as RDF from '@rdfjs/types';
import { BlankNode } from '../../model/term.ts';
import { AggregateScope, type VariableUse } from '../algebra/aggregate-scope.ts';
import type {
  Algebra,
  DatasetClause,
  Expression,
  OrderCondition,
  PatternTerm,
  Query,
  TemplateTriple,
  Variable,
} from '../algebra/algebra.ts';
import { GroupPattern } from '../algebra/group-pattern.ts';
import { sampled } from '../algebra/sampled.ts';
import { type GroupKey, modified, sliced } from '../algebra/solution-modifiers.ts';
import { Template } from '../algebra/template.ts';
import type { TripleSink } from '../algebra/triple-sink.ts';
import { type ModifierClauses, ModifierParser, NO_CLAUSES, NO_USES, type UsingExpression } from './modifier-parser.ts';
import { CONSTRUCT_TRIPLES, SHORT_CONSTRUCT_TRIPLES, type TripleMode } from './triple-mode.ts';

/** An item of SELECT: a variable, optionally assigned by an expression. */
interface SelectItem {
  readonly variable: string;
  readonly offset: number;
  readonly expression: Expression | undefined;
  readonly uses: readonly VariableUse[];
}

interface SelectClause {
  readonly modifier: 'distinct' | 'reduced' | undefined;
  /** Undefined stands for `*`. */
  readonly items: readonly SelectItem[] | undefined;
  /** Offset of the first item. */
  readonly offset: number;
}

const NO_ITEMS: readonly SelectItem[] = [];

/**
 * Parses queries (rules 2 to 17 and 28). Its generators are kernels: they yield between the items
 * of every list that may be long.
 */
export abstract class QueryParser extends ModifierParser {
  /** Parses the query after its prologue, up to the end of the text. */
  protected query(): Generator<void, Query, void> {
    switch (this.token) {
      case 'SELECT':
        return this.selectQuery();
      case 'ASK':
        return this.askQuery();
      case 'CONSTRUCT':
        return this.constructQuery();
      default:
        return this.describeQuery();
    }
  }

  private declared(): Pick<Query, 'baseIri' | 'prefixes' | 'readsNamedGraphs' | 'writtenAs'> {
    const { baseIri, prefixes, readsNamedGraphs, writtenAs } = this;
    return { baseIri, prefixes, readsNamedGraphs, writtenAs };
  }

  private *selectQuery(): Generator<void, Query, void> {
    const scope = new AggregateScope();
    const clause = this.selectClause(scope);
    const dataset = this.at('FROM') ? yield* this.datasetClause('FROM') : undefined;
    const where = yield* this.whereClause();
    const { algebra, variables } = yield* this.select(clause, where, scope);
    return { type: 'select', algebra, variables, dataset, ...this.declared() };
  }

  protected *subSelect(group: GroupPattern): Generator<void, void, void> {
    const scope = new AggregateScope();
    const clause = this.selectClause(scope);
    const { algebra, variables } = yield* this.select(clause, yield* this.whereClause(), scope);
    group.join(algebra);
    group.absorb(new Set(variables));
  }

  /** SelectClause (rule 9). */
  private selectClause(scope: AggregateScope): SelectClause {
    this.next();
    const modifier = this.accept('DISTINCT') ? 'distinct' : this.accept('REDUCED') ? 'reduced' : undefined;
    const offset = this.start;
    if (this.accept('*')) return { modifier, items: undefined, offset };
    const items: SelectItem[] = [];
    for (;;) {
      this.countExpression();
      this.checkVariables(items.length);
      if (this.at('<variable>')) {
        const { start } = this;
        items.push({ variable: this.variable().value, offset: start, expression: undefined, uses: NO_USES });
      } else if (this.at('(')) items.push(this.selectExpression(scope));
      else if (items.length === 0) this.failExpected('a variable, "(expression AS ?variable)" or "*" after SELECT');
      else return { modifier, items, offset };
    }
  }

  private selectExpression(scope: AggregateScope): SelectItem {
    this.next();
    // Each expression adds a level to the algebra tree.
    this.descend();
    const { expression, uses } = this.aggregating(scope, () => this.expression());
    this.expect('AS', 'an operator or AS');
    const offset = this.start;
    const variable = this.variable('a variable after AS').value;
    this.expect(')', '")" after the variable');
    return { variable, offset, expression, uses };
  }

  /** DatasetClause (rule 13) or UsingClause (rule 44). The current token must be `keyword`. */
  protected *datasetClause(keyword: 'FROM' | 'USING'): Generator<void, DatasetClause, void> {
    const defaultGraphs: string[] = [];
    const namedGraphs: string[] = [];
    while (this.accept(keyword)) {
      this.countExpression();
      const graphs = this.accept('NAMED') ? namedGraphs : defaultGraphs;
      graphs.push(this.iri(`the IRI of a graph after ${keyword}`).value);
      if (this.endsStep()) yield;
    }
    return { defaultGraphs, namedGraphs };
  }

  /** WhereClause (rule 17). */
  private whereClause(): Generator<void, GroupPattern, void> {
    if (!this.accept('WHERE') && !this.at('{')) this.failExpected('WHERE or "{"');
    return this.groupGraphPattern();
  }

  /**
   * Parses what follows the pattern of a SELECT and translates the whole query (sections 18.2.4 and
   * 18.2.5).
   */
  private *select(
    clause: SelectClause,
    where: GroupPattern,
    scope: AggregateScope,
  ): Generator<void, { readonly algebra: Algebra; readonly variables: readonly string[] }, void> {
    const clauses = this.atModifier() ? yield* this.modifierClauses(scope, where.scope) : NO_CLAUSES;
    const values = this.at('VALUES') ? yield* this.values() : undefined;
    const items = clause.items ?? NO_ITEMS;
    const keys = this.groupKeys(clauses, scope);
    if (keys && !clause.items)
      this.fail('SELECT * cannot be combined with groups: name the selected variables', clause.offset);
    if (values) where.absorb(new Set(values.variables));
    if (keys) this.checkGrouping(items, keys);
    const inScope = keys ? new Set(keys.map(({ variable }) => variable)) : where.scope;
    const variables = clause.items ? this.projected(items, inScope, clauses) : this.allInScope(where.scope);
    let algebra = this.modify(where.algebra(), items, clauses, keys, scope, values);
    algebra = { type: 'project', input: algebra, variables };
    if (clause.modifier) algebra = { type: clause.modifier, input: algebra };
    return { algebra: sliced(algebra, clauses.slice), variables };
  }

  /**
   * Returns the variables of `SELECT *`. They count as expressions, because in nested subqueries
   * each `*` may expand to all inner variables.
   */
  private allInScope(scope: ReadonlySet<string>): string[] {
    this.countExpression(scope.size);
    this.checkVariables(scope.size);
    return this.inTextOrder(scope);
  }

  private modify(
    where: Algebra,
    items: readonly SelectItem[],
    { keyAliases, having, order }: ModifierClauses,
    keys: readonly GroupKey[] | undefined,
    scope: AggregateScope,
    values: Algebra | undefined,
  ): Algebra {
    const aliases: GroupKey[] = [];
    for (const { variable, expression } of items) if (expression) aliases.push({ variable, expression });
    let conditions: readonly UsingExpression[] = having;
    let comparators: readonly (UsingExpression & { readonly descending: boolean })[] = order;
    if (keys) {
      const visible = new Set(keys.map(({ variable }) => variable));
      conditions = having.map((condition) => this.sampleOthers(condition, visible, scope));
      // ORDER BY also sees the variables assigned in SELECT.
      for (const { variable } of aliases) visible.add(variable);
      comparators = order.map((comparator) => this.sampleOthers(comparator, visible, scope));
    }
    return modified(where, {
      keyAliases,
      keys,
      aggregates: scope.aggregates,
      having: conditions.map(({ expression }) => expression),
      values,
      aliases,
      order: comparators.map(({ expression, descending }): OrderCondition => ({ expression, descending })),
    });
  }

  /**
   * Section 18.2.4.1: in HAVING and ORDER BY, a variable that is not a key becomes a SAMPLE of its
   * group.
   */
  private sampleOthers<T extends UsingExpression>(clause: T, visible: ReadonlySet<string>, scope: AggregateScope): T {
    const others = new Map<string, string>();
    for (const { name } of clause.uses) {
      if (visible.has(name) || others.has(name)) continue;
      const argument: Expression = { type: 'variable', name };
      others.set(name, this.aggregateVariable(scope, { function: 'SAMPLE', distinct: false, argument }));
    }
    if (others.size === 0) return clause;
    return { ...clause, expression: sampled(clause.expression, (name) => others.get(name)) };
  }

  /**
   * Returns the group keys: empty if aggregates form a single group, undefined if there is no
   * grouping.
   */
  private groupKeys({ keys }: ModifierClauses, { aggregates }: AggregateScope): readonly GroupKey[] | undefined {
    return keys ?? (aggregates.length > 0 ? [] : undefined);
  }

  /** Section 11.4: selected expressions may use only keys and aggregates. */
  private checkGrouping(items: readonly SelectItem[], keys: readonly GroupKey[]): void {
    const visible = new Set(keys.map(({ variable }) => variable));
    for (const { variable, offset, expression, uses } of items) {
      const all = expression ? uses : [{ name: variable, offset }];
      for (const use of all) {
        if (!visible.has(use.name))
          this.fail(
            `?${use.name} may have several values in a group: aggregate it, or name it in GROUP BY`,
            use.offset,
          );
      }
      visible.add(variable);
    }
  }

  /**
   * Returns the column names. A variable after AS must be new; with grouping, only the keys are in
   * scope (sections 18.2.1 and 18.2.4.4).
   */
  private projected(items: readonly SelectItem[], scope: ReadonlySet<string>, clauses: ModifierClauses): string[] {
    if (items.length === 1 && !items[0].expression) return [items[0].variable];
    const names = new Set<string>();
    for (const { variable, offset, expression } of items) {
      if (expression) {
        const reason = names.has(variable)
          ? 'SELECT already names it'
          : clauses.keyAliases.some((key) => key.variable === variable)
            ? 'GROUP BY already assigns it'
            : scope.has(variable)
              ? `${clauses.keys ? 'GROUP BY' : 'the pattern'} already has that variable`
              : undefined;
        if (reason) this.fail(`AS cannot assign ?${variable}: ${reason}`, offset);
      }
      names.add(variable);
    }
    return [...names];
  }

  /** Parses what follows the pattern in query forms without projection. */
  private *unprojected(where: GroupPattern): Generator<void, Algebra, void> {
    const scope = new AggregateScope();
    const clauses = this.atModifier() ? yield* this.modifierClauses(scope, where.scope) : NO_CLAUSES;
    const values = this.at('VALUES') ? yield* this.values() : undefined;
    const keys = this.groupKeys(clauses, scope);
    const algebra = this.modify(where.algebra(), NO_ITEMS, clauses, keys, scope, values);
    // After GROUP BY, only the keys are in scope.
    if (keys) where.scope = new Set(keys.map(({ variable }) => variable).filter((name) => !name.startsWith('.')));
    if (values) where.absorb(new Set(values.variables));
    return sliced(algebra, clauses.slice);
  }

  private *askQuery(): Generator<void, Query, void> {
    this.next();
    const dataset = this.at('FROM') ? yield* this.datasetClause('FROM') : undefined;
    const algebra = yield* this.unprojected(yield* this.whereClause());
    return { type: 'ask', algebra, dataset, ...this.declared() };
  }

  /** ConstructQuery (rule 10). */
  protected *constructQuery(): Generator<void, Query, void> {
    this.next();
    if (this.at('{')) {
      const template = new Template();
      yield* this.triplesTemplate(template, CONSTRUCT_TRIPLES);
      const dataset = this.at('FROM') ? yield* this.datasetClause('FROM') : undefined;
      const algebra = yield* this.unprojected(yield* this.whereClause());
      return {
        type: 'construct',
        template: template.quads,
        algebra,
        dataset,
        ...this.declared(),
      };
    }
    const dataset = this.at('FROM') ? yield* this.datasetClause('FROM') : undefined;
    this.expect('WHERE', dataset ? 'FROM or WHERE' : 'a template in "{ }", FROM or WHERE after CONSTRUCT');
    // Section 16.2.4: the pattern, which has no paths and filters, is also the template.
    const where = new GroupPattern();
    this.block = this.newBlock();
    yield* this.triplesTemplate(where, SHORT_CONSTRUCT_TRIPLES);
    const pattern = where.pattern();
    const template = pattern.type === 'bgp' ? pattern.patterns.map(asTemplate) : [];
    return {
      type: 'construct',
      template,
      algebra: yield* this.unprojected(where),
      dataset,
      ...this.declared(),
    };
  }

  /** `{ TriplesTemplate? }` (rule 52). */
  private *triplesTemplate(sink: TripleSink, mode: TripleMode): Generator<void, void, void> {
    this.expect('{');
    this.sink = sink;
    this.mode = mode;
    if (this.atSubject()) yield* this.templateTriples();
    this.expect('}', 'a triple, "." or "}"');
  }

  /**
   * TriplesTemplate (rule 52). A kernel that yields between objects, because a template may hold
   * all the data of an update.
   */
  protected *templateTriples(): Generator<void, void, void> {
    do {
      this.beginObject();
      const subject = this.subject();
      if (!subject) continue;
      do {
        const verb = this.verb();
        do {
          this.beginObject();
          this.object(subject, verb);
          if (this.endsStep()) yield;
        } while (this.accept(','));
      } while (this.atNextVerb());
    } while (this.accept('.') && this.atSubject());
    if (this.atSubject()) this.failExpected('"." between triples');
  }

  /** DescribeQuery (rule 11). */
  private *describeQuery(): Generator<void, Query, void> {
    this.next();
    const targets: (Variable | RDF.NamedNode)[] = [];
    const all = this.accept('*');
    if (!all) {
      do {
        this.countExpression();
        targets.push(this.varOrIri('a variable, an IRI or "*" after DESCRIBE'));
        if (this.endsStep()) yield;
      } while (this.at('<variable>') || this.atIri());
    }
    const dataset = this.at('FROM') ? yield* this.datasetClause('FROM') : undefined;
    const hasWhere = this.at('WHERE') || this.at('{');
    const where = hasWhere ? yield* this.whereClause() : new GroupPattern();
    const algebra = yield* this.unprojected(where);
    if (all) for (const value of this.inTextOrder(where.scope)) targets.push({ termType: 'Variable', value });
    const needsSolutions = hasWhere || targets.some(({ termType }) => termType === 'Variable');
    return {
      type: 'describe',
      algebra: needsSolutions ? algebra : undefined,
      targets,
      dataset,
      ...this.declared(),
    };
  }
}

/**
 * Converts a pattern triple to a template triple: variables that stand for blank nodes become blank
 * nodes again.
 */
function asTemplate({ subject, predicate, object }: TemplateTriple): TemplateTriple {
  return { subject: asTemplateTerm(subject), predicate: asTemplateTerm(predicate), object: asTemplateTerm(object) };
}

function asTemplateTerm(term: PatternTerm): PatternTerm {
  if (term.termType === 'TriplePattern') return { termType: 'TriplePattern', ...asTemplate(term) };
  return term.termType === 'Variable' && term.value.startsWith('.') ? new BlankNode(term.value) : term;
}
