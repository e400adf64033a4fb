import type * as RDF from '@rdfjs/types';

/**
 * The SPARQL algebra (SPARQL 1.1 Query section 18) as plain immutable objects: what translation
 * makes, the optimizer rewrites and the executor runs. Variables are names without `?`; a name that
 * begins with a dot was made by translation and is never projected.
 */

export interface Variable {
  readonly termType: 'Variable';
  readonly value: string;
}

/**
 * A triple term with variables in it, or in a template with blank nodes (SPARQL 1.2); also one that
 * RDF has not, such as one with a literal as its subject. Any other is an RDF term.
 */
export interface TriplePatternTerm {
  readonly termType: 'TriplePattern';
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
}

/** What stands in a pattern. Blank nodes of the text are variables here (section 4.1.4). */
export type PatternTerm = Variable | RDF.NamedNode | RDF.Literal | RDF.BaseQuad | TriplePatternTerm | RDF.BlankNode;

export interface TriplePattern {
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
}

/**
 * Property path expressions (section 18.1.7), without those that translation turns into triple
 * patterns, joins and unions at the top.
 */
export type Path =
  | { readonly type: 'link'; readonly iri: RDF.NamedNode }
  | { readonly type: 'inverse'; readonly path: Path }
  | { readonly type: 'sequence'; readonly paths: readonly Path[] }
  | { readonly type: 'alternative'; readonly paths: readonly Path[] }
  | { readonly type: 'zeroOrMore'; readonly path: Path }
  | { readonly type: 'oneOrMore'; readonly path: Path }
  | { readonly type: 'zeroOrOne'; readonly path: Path }
  /**
   * `!(a|b|^c)`: neither one of `forward`, nor backwards one of `backward`; a side that is absent
   * from the text is undefined.
   */
  | {
      readonly type: 'negated';
      readonly forward?: readonly RDF.NamedNode[];
      readonly backward?: readonly RDF.NamedNode[];
    };

export type AggregateFunction = 'COUNT' | 'SUM' | 'MIN' | 'MAX' | 'AVG' | 'SAMPLE' | 'GROUP_CONCAT';

export interface Aggregate {
  readonly function: AggregateFunction;
  readonly distinct: boolean;
  /** Undefined: `COUNT(*)`. */
  readonly argument?: Expression;
  /** Of GROUP_CONCAT; one space when the text has none. */
  readonly separator?: string;
}

export type Expression =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'term'; readonly term: RDF.Term }
  /**
   * An operator (`||`, `&&`, `!`, `=`, `!=`, `<`, `>`, `<=`, `>=`, `+`, `-`, `*`, `/`, `unary-`,
   * `unary+`, `IN`, `NOT IN` with the tested value as its first argument), a built-in by its
   * upper-case name (`STR`, `REGEX`, `IF`, `BOUND`, ...). URI and isURI are `IRI` and `ISIRI`.
   * Operators have two operands; `||` and `&&` of many are balanced trees.
   */
  | { readonly type: 'call'; readonly function: string; readonly arguments: readonly Expression[] }
  /** A cast or extension function by its IRI (section 17.5, 17.6). */
  | {
      readonly type: 'iriCall';
      readonly iri: string;
      readonly distinct: boolean;
      readonly arguments: readonly Expression[];
    }
  | { readonly type: 'exists'; readonly negated: boolean; readonly pattern: Algebra };

export interface OrderCondition {
  readonly expression: Expression;
  readonly descending: boolean;
}

export type Algebra =
  /** The empty BGP is the unit: one solution without bindings. */
  | { readonly type: 'bgp'; readonly patterns: readonly TriplePattern[] }
  | { readonly type: 'path'; readonly subject: PatternTerm; readonly path: Path; readonly object: PatternTerm }
  | { readonly type: 'join'; readonly operands: readonly Algebra[] }
  | { readonly type: 'leftJoin'; readonly left: Algebra; readonly right: Algebra; readonly condition?: Expression }
  | { readonly type: 'minus'; readonly left: Algebra; readonly right: Algebra }
  | { readonly type: 'union'; readonly operands: readonly Algebra[] }
  | { readonly type: 'filter'; readonly input: Algebra; readonly condition: Expression }
  | { readonly type: 'graph'; readonly name: Variable | RDF.NamedNode; readonly input: Algebra }
  | {
      readonly type: 'service';
      readonly name: Variable | RDF.NamedNode;
      readonly silent: boolean;
      readonly input: Algebra;
      readonly text: string;
    }
  | { readonly type: 'extend'; readonly input: Algebra; readonly variable: string; readonly expression: Expression }
  | {
      readonly type: 'values';
      readonly variables: readonly string[];
      readonly rows: readonly (readonly (RDF.Term | undefined)[])[];
    }
  /**
   * Groups by the values of `keys`; a key that is an expression binds `variable`. Each aggregate
   * binds its variable. Without keys there is one group, also over no solutions (section 18.5.1).
   */
  | {
      readonly type: 'group';
      readonly input: Algebra;
      readonly keys: readonly { readonly variable: string; readonly expression: Expression }[];
      readonly aggregates: readonly { readonly variable: string; readonly aggregate: Aggregate }[];
    }
  | { readonly type: 'orderBy'; readonly input: Algebra; readonly conditions: readonly OrderCondition[] }
  | { readonly type: 'project'; readonly input: Algebra; readonly variables: readonly string[] }
  | { readonly type: 'distinct'; readonly input: Algebra }
  | { readonly type: 'reduced'; readonly input: Algebra }
  | { readonly type: 'slice'; readonly input: Algebra; readonly offset: number; readonly limit?: number };

/** FROM and FROM NAMED, or USING and USING NAMED: IRIs. */
export interface DatasetClause {
  readonly defaultGraphs: readonly string[];
  readonly namedGraphs: readonly string[];
}

/**
 * A triple of a template; blank nodes of the text are RDF/JS blank nodes here, one label one node a
 * solution.
 */
export interface TemplateTriple {
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
}

export interface TemplateQuad extends TemplateTriple {
  /** Undefined: the default graph (of WITH, if given). */
  readonly graph?: Variable | RDF.NamedNode;
}

/** What `IRI` resolves against (section 17.4.2.8): BASE of the text, else the caller's. */
export interface Based {
  readonly baseIri?: string;
}

/** What a query says before it begins. */
interface Declared extends Based {
  /** What its prefixes stand for, by their names without ":": for writers of its result. */
  readonly prefixes?: ReadonlyMap<string, string>;
}

export type Query = Declared &
  (
    | {
        readonly type: 'select';
        readonly algebra: Algebra;
        readonly variables: readonly string[];
        readonly dataset?: DatasetClause;
      }
    | { readonly type: 'ask'; readonly algebra: Algebra; readonly dataset?: DatasetClause }
    | {
        readonly type: 'construct';
        readonly algebra: Algebra;
        readonly template: readonly TemplateTriple[];
        readonly dataset?: DatasetClause;
      }
    /**
     * `algebra` is undefined when the text has no WHERE: then all targets are IRIs. For
     * `DESCRIBE *` the targets are all variables in scope.
     */
    | {
        readonly type: 'describe';
        readonly algebra?: Algebra;
        readonly targets: readonly (Variable | RDF.NamedNode)[];
        readonly dataset?: DatasetClause;
      }
  );

/** What CLEAR and DROP name. */
export type GraphTarget = 'default' | 'named' | 'all' | { readonly iri: string };
/** What ADD, MOVE and COPY name. */
export type GraphOperand = 'default' | { readonly iri: string };

export type UpdateOperation =
  | { readonly type: 'insertData'; readonly quads: readonly TemplateQuad[] }
  | { readonly type: 'deleteData'; readonly quads: readonly TemplateQuad[] }
  /** DELETE/INSERT, and DELETE WHERE with its pattern as the template too. `with` is an IRI. */
  | (Based & {
      readonly type: 'modify';
      readonly with?: string;
      readonly delete: readonly TemplateQuad[];
      readonly insert: readonly TemplateQuad[];
      readonly using?: DatasetClause;
      readonly where: Algebra;
    })
  | { readonly type: 'load'; readonly silent: boolean; readonly iri: string; readonly into?: string }
  | { readonly type: 'clear' | 'drop'; readonly silent: boolean; readonly target: GraphTarget }
  | { readonly type: 'create'; readonly silent: boolean; readonly iri: string }
  | {
      readonly type: 'add' | 'move' | 'copy';
      readonly silent: boolean;
      readonly from: GraphOperand;
      readonly to: GraphOperand;
    };

export interface Update {
  readonly type: 'update';
  readonly operations: readonly UpdateOperation[];
}
