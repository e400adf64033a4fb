import { dataFactory } from '@rdf-worlds/core';
import type * as RDF from '@rdfjs/types';
import { type Operation, type Pattern, valuesRow } from './algebra.ts';
import { isAbsoluteIri, resolveIri } from './iri-reference.ts';
import type { Toolbox } from './toolbox.ts';
import type { VariableNames } from './variable-names.ts';

/** A graph named by an update, or one of its keywords. */
export type GraphReference = RDF.NamedNode | 'DEFAULT' | 'NAMED' | 'ALL';

/** The possible top-level operations of a translated query, above those that are evaluated. */
export type QueryOperation =
  | Operation
  | { readonly type: 'from'; readonly input: QueryOperation }
  | { readonly type: 'slice'; readonly input: QueryOperation; readonly start: number; readonly length?: number }
  | { readonly type: 'ask'; readonly input: Operation }
  | { readonly type: 'construct'; readonly input: Operation; readonly template: readonly Pattern[] }
  | { readonly type: 'describe'; readonly input: Operation; readonly terms: readonly RDF.Term[] };

/** The state of Traqula's translation: the prologue so far. */
export interface TranslationContext {
  readonly currentBase: string | undefined;
  readonly currentPrefixes: Readonly<Record<string, string>>;
}

/** The rules of Traqula's translation used here; each takes the state first. */
export interface Translator {
  translateGraphPattern(context: TranslationContext, pattern: unknown): Operation;
  translateAggregates(context: TranslationContext, query: unknown, where: Operation): QueryOperation;
  translateUpdateTriplesBlock(context: TranslationContext, block: unknown, graph: RDF.Term | undefined): Pattern[];
  translateNamed(context: TranslationContext, iri: unknown): RDF.NamedNode;
  translateGraphRef(context: TranslationContext, reference: unknown): GraphReference;
  registerContextDefinitions(context: TranslationContext, definitions: unknown): void;
}

/** An IRI of the syntax tree; `prefix` is '' for `:name` and absent for `<...>`. */
interface SyntaxIri {
  readonly value: string;
  readonly prefix?: string;
}
interface SyntaxValues {
  readonly variables: readonly { readonly value: string }[];
  readonly values: readonly Readonly<Record<string, unknown>>[];
}
interface Subrules {
  SUBRULE(rule: { readonly name: string }, ...input: unknown[]): RDF.Term;
}
/**
 * The builder's own types describe the original rules; only names matter when a rule is replaced.
 */
interface RuleBuilder {
  patchRule(rule: { readonly name: string; fun(rules: Subrules): (...input: never[]) => unknown }): RuleBuilder;
  build(): unknown;
}

/**
 * Returns the absolute IRI for an IRI of the text. Throws with the parser's wording, so that its
 * location can be found.
 */
function absoluteIri(iri: string, baseIri: string | undefined): string {
  if (isAbsoluteIri(iri)) return iri;
  if (baseIri === undefined) throw new Error(`Cannot resolve relative IRI ${iri} because no base IRI was set.`);
  return resolveIri(iri, baseIri);
}

/**
 * Returns Traqula's translation to the algebra (SPARQL 1.1 section 18.2) with three rules replaced:
 * IRIs resolve by RFC 3986, fresh variables are unique in the whole text (Traqula's counter
 * restarts in every subquery), and rows of VALUES have no prototype.
 */
export function makeTranslator({ core, algebra }: Toolbox, names: VariableNames): Translator {
  const builder = core.IndirBuilder.create(algebra.toAlgebra12Builder) as unknown as RuleBuilder;
  return builder
    .patchRule({
      name: 'translateNamed',
      fun: () => (context: TranslationContext, iri: SyntaxIri) => {
        const { prefix } = iri;
        if (prefix === undefined) return dataFactory.namedNode(absoluteIri(iri.value, context.currentBase));
        const namespace = context.currentPrefixes[prefix];
        if (namespace === undefined) throw new Error(`Unknown prefix: ${prefix}`);
        return dataFactory.namedNode(absoluteIri(namespace + iri.value, context.currentBase));
      },
    })
    .patchRule({ name: 'generateFreshVar', fun: () => () => dataFactory.variable(names.fresh()) })
    .patchRule({
      name: 'translateInlineData',
      fun:
        ({ SUBRULE }) =>
        (_: TranslationContext, { variables, values }: SyntaxValues) => ({
          type: 'values',
          variables: variables.map((variable) => dataFactory.variable(variable.value)),
          bindings: values.map((row) =>
            valuesRow(
              Object.entries(row)
                .filter(([, value]) => value !== undefined)
                .map(([name, value]) => [name, SUBRULE({ name: 'translateTerm' }, value)]),
            ),
          ),
        }),
    })
    .build() as Translator;
}
