import type * as RDF from '@rdfjs/types';
import { runAtOnce } from '../../contracts/slicer.ts';
import { dataFactory } from '../../model/term.ts';
import type { Algebra, Variable } from '../algebra/algebra.ts';
import { GroupPattern } from '../algebra/group-pattern.ts';
import { ExpressionParser } from './expression-parser.ts';
import { WHERE_TRIPLES } from './triple-mode.ts';

type Values = Extract<Algebra, { type: 'values' }>;

const ELEMENT_END = 'a triple, "." or "}"';

/**
 * Parses graph patterns (rules 53 to 68) directly into the algebra. Kernels: they yield between the
 * elements of groups and the rows of VALUES. A pattern inside an expression is parsed in one step.
 */
export abstract class PatternParser extends ExpressionParser {
  private blocks = 0;
  /** Whether there is a GRAPH with a variable in what was parsed so far. */
  protected readsNamedGraphs = false;

  /** SubSelect (rule 8). Joins the result to `group`. */
  protected abstract subSelect(group: GroupPattern): Generator<void, void, void>;

  protected existsPattern(): Algebra {
    return runAtOnce(this.groupGraphPattern()).algebra();
  }

  /** Returns the number of a new basic graph pattern, or of another scope of blank node labels. */
  protected newBlock(): number {
    return ++this.blocks;
  }

  /** GroupGraphPattern (rule 53). */
  protected *groupGraphPattern(): Generator<void, GroupPattern, void> {
    if (!this.at('{')) this.failExpected('a group graph pattern that begins with "{"');
    const depth = this.descend();
    this.countPattern();
    const { sink, mode, block } = this;
    this.next();
    const group = new GroupPattern();
    const isQuery = this.at('SELECT');
    if (isQuery) yield* this.subSelect(group);
    else yield* this.elements(group);
    if (!this.at('}')) this.failExpected(isQuery ? '"}" after the subquery' : ELEMENT_END);
    this.sink = sink;
    this.mode = mode;
    this.block = block;
    this.ascend(depth);
    this.next();
    return group;
  }

  /** GroupGraphPatternSub (rule 54). */
  private *elements(group: GroupPattern): Generator<void, void, void> {
    let block = this.newBlock();
    // Triples must be separated by a dot; after any other element, one dot is optional.
    for (;;) {
      if (this.atSubject()) {
        this.sink = group;
        this.mode = WHERE_TRIPLES;
        this.block = block;
        do {
          this.triplesSameSubject();
          if (this.endsStep()) yield;
        } while (this.accept('.') && this.atSubject());
        if (this.atSubject()) this.failExpected('"." between triples');
      }
      if (this.at('FILTER')) this.filter(group);
      else if (this.atElement()) {
        yield* this.element(group);
        block = this.newBlock();
      } else return;
      this.accept('.');
      if (this.endsStep()) yield;
    }
  }

  private filter(group: GroupPattern): void {
    this.next();
    group.filter(this.filterConstraint('a condition after FILTER: "(", a function or EXISTS'));
  }

  /** Whether a GraphPatternNotTriples (rule 56) other than FILTER starts at the current token. */
  private atElement(): boolean {
    switch (this.token) {
      case '{':
      case 'OPTIONAL':
      case 'MINUS':
      case 'GRAPH':
      case 'SERVICE':
      case 'BIND':
      case 'VALUES':
        return true;
      default:
        return false;
    }
  }

  private *element(group: GroupPattern): Generator<void, void, void> {
    switch (this.token) {
      case '{':
        return yield* this.groupOrUnion(group);
      case 'OPTIONAL': {
        this.next();
        const right = yield* this.groupGraphPattern();
        this.descend();
        group.leftJoin(right);
        group.absorb(right.scope);
        return;
      }
      case 'MINUS':
        this.next();
        this.descend();
        group.minus((yield* this.groupGraphPattern()).algebra());
        return;
      case 'GRAPH': {
        this.next();
        const name = this.varOrIri('the name of a graph: a variable or an IRI');
        if (name.termType === 'Variable') this.readsNamedGraphs = true;
        const inner = yield* this.groupGraphPattern();
        group.join({ type: 'graph', name, input: inner.algebra() });
        group.absorb(inner.scope);
        group.name(name);
        return;
      }
      case 'SERVICE':
        return yield* this.service(group);
      case 'BIND':
        return this.bind(group);
      case 'VALUES': {
        const values = yield* this.values();
        group.join(values);
        group.absorb(new Set(values.variables));
      }
    }
  }

  protected varOrIri(what: string): Variable | RDF.NamedNode {
    return this.at('<variable>') ? this.variable() : this.iri(what);
  }

  /** GroupOrUnionGraphPattern (rule 67). */
  private *groupOrUnion(group: GroupPattern): Generator<void, void, void> {
    const first = yield* this.groupGraphPattern();
    if (!this.at('UNION')) {
      group.join(first.algebra());
      group.absorb(first.scope);
      return;
    }
    const operands: Algebra[] = [];
    const add = (pattern: GroupPattern) => {
      const algebra = pattern.algebra();
      if (algebra.type === 'union') for (const operand of algebra.operands) operands.push(operand);
      else operands.push(algebra);
      group.absorb(pattern.scope);
    };
    add(first);
    while (this.accept('UNION')) add(yield* this.groupGraphPattern());
    group.join({ type: 'union', operands });
  }

  /** ServiceGraphPattern (rule 59). Keeps the text of the pattern for the endpoint. */
  private *service(group: GroupPattern): Generator<void, void, void> {
    this.next();
    const silent = this.accept('SILENT');
    const name = this.varOrIri('the name of a service: a variable or an IRI');
    const { start } = this;
    const inner = yield* this.groupGraphPattern();
    const text = this.textBefore(start);
    group.join({ type: 'service', name, silent, input: inner.algebra(), text });
    group.absorb(inner.scope);
    group.name(name);
  }

  /** Bind (rule 60). */
  private bind(group: GroupPattern): void {
    this.next();
    this.expect('(', '"(" after BIND');
    const expression = this.expression();
    this.expect('AS', 'an operator or AS');
    const { start } = this;
    const variable = this.variable('a variable after AS');
    // Section 18.2.1: the variable must not be in scope from the preceding elements of the group.
    if (group.scope.has(variable.value))
      this.fail(`BIND cannot assign ?${variable.value}: the preceding pattern already has that variable`, start);
    this.expect(')', '")" after the variable of BIND');
    this.descend();
    group.extend(variable, expression);
  }

  /** VALUES with its DataBlock (rules 62 to 65). */
  protected *values(): Generator<void, Values, void> {
    this.next();
    if (this.at('<variable>')) {
      const variables = [this.variable().value];
      this.expect('{', '"{" after the variable of VALUES');
      const rows: (RDF.Term | undefined)[][] = [];
      while (!this.accept('}')) {
        this.countValues(1);
        rows.push([this.dataBlockValue('a value or "}" in VALUES')]);
        if (this.endsStep()) yield;
      }
      return { type: 'values', variables, rows };
    }
    this.expect('(', 'a variable or "(" after VALUES');
    const variables: string[] = [];
    const seen = new Set<string>();
    while (!this.accept(')')) {
      const { start } = this;
      this.countValues(1);
      const { value } = this.variable('a variable or ")" in VALUES');
      if (seen.has(value)) this.fail(`VALUES names ?${value} twice`, start);
      seen.add(value);
      variables.push(value);
      this.checkVariables(variables.length);
    }
    this.expect('{', '"{" after the variables of VALUES');
    const rows: (RDF.Term | undefined)[][] = [];
    while (!this.accept('}')) {
      this.countValues(1 + variables.length);
      rows.push(this.dataBlockRow(variables.length));
      if (this.endsStep()) yield;
    }
    return { type: 'values', variables, rows };
  }

  private dataBlockRow(length: number): (RDF.Term | undefined)[] {
    const { start } = this;
    this.expect('(', '"(" or "}" in VALUES');
    const row: (RDF.Term | undefined)[] = [];
    while (!this.at(')')) row.push(this.dataBlockValue('a value or ")" in VALUES'));
    // Section 19.8, note 9
    if (row.length !== length)
      this.fail(
        `A row of VALUES has ${row.length} value${row.length === 1 ? '' : 's'} for ${length} variable${length === 1 ? '' : 's'}`,
        start,
      );
    this.next();
    return row;
  }

  /** DataBlockValue (rule 65; SPARQL 1.2 rules 69, 122). */
  private dataBlockValue(what: string): RDF.Term | undefined {
    if (this.atIri()) return this.iri();
    if (this.accept('UNDEF')) return undefined;
    if (this.at('<<(')) return this.tripleData();
    return this.atLiteral() ? this.literal() : this.failExpected(what);
  }

  private tripleData(): RDF.BaseQuad {
    const depth = this.descend();
    this.next();
    const subject = this.iri('an IRI as the subject of a triple term in VALUES');
    const predicate = this.at('a') ? this.typeKeyword() : this.iri('an IRI or "a" as the predicate of a triple term');
    const object = this.at('<<(')
      ? this.tripleData()
      : this.atLiteral()
        ? this.literal()
        : this.iri('an IRI, a literal or "<<(" as the object of a triple term in VALUES');
    this.expect(')>>');
    this.ascend(depth);
    return dataFactory.quad(subject, predicate, object as RDF.Quad_Object);
  }
}
