import type * as RDF from '@rdfjs/types';
import type {
  Aggregate,
  Algebra,
  DatasetClause,
  Expression,
  Path,
  PatternTerm,
  Query,
  TemplateQuad,
  TriplePattern,
  Update,
  UpdateOperation,
} from '../../../src/sparql/algebra/algebra.ts';

/**
 * Operations in one line, for the eyes of a test: `urn:` is written `:`, numbers and booleans bare,
 * generated variables with their dot.
 */
export function operationText(operation: Query | Update): string {
  if (operation.type === 'update') return operation.operations.map(updateText).join(' ; ');
  const dataset = datasetText(operation.dataset);
  switch (operation.type) {
    case 'select':
      return algebraText(operation.algebra) + dataset;
    case 'ask':
      return `(ask ${algebraText(operation.algebra)})${dataset}`;
    case 'construct':
      return `(construct {${operation.template.map(tripleText).join(' . ')}} ${algebraText(operation.algebra)})${dataset}`;
    case 'describe':
      return `(describe ${operation.targets.map(termText).join(' ')}${operation.algebra ? ` ${algebraText(operation.algebra)}` : ''})${dataset}`;
  }
}

const datasetText = (dataset: DatasetClause | undefined) =>
  dataset ? ` from [${dataset.defaultGraphs}] named [${dataset.namedGraphs}]` : '';

function updateText(operation: UpdateOperation): string {
  switch (operation.type) {
    case 'insertData':
    case 'deleteData':
      return `(${operation.type} ${quadsText(operation.quads)})`;
    case 'modify':
      return `(modify${operation.with ? ` with ${operation.with}` : ''} - ${quadsText(operation.delete)} + ${quadsText(operation.insert)} ${algebraText(operation.where)})${datasetText(operation.using)}`;
    default: {
      const { type, silent, ...rest } = operation;
      return `(${type}${silent ? ' silent' : ''} ${JSON.stringify(rest)})`;
    }
  }
}

const quadsText = (quads: readonly TemplateQuad[]) =>
  `{${quads.map((quad) => `${tripleText(quad)}${quad.graph ? ` @ ${termText(quad.graph)}` : ''}`).join(' . ')}}`;

const iriText = (iri: string) => (iri.startsWith('urn:') ? `:${iri.slice(4)}` : `<${iri.replace(/^.*ns#/, 'rdf:')}>`);

export function termText(term: PatternTerm | RDF.Term): string {
  switch (term.termType) {
    case 'Variable':
      return `?${term.value}`;
    case 'NamedNode':
      return iriText(term.value);
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal': {
      const { value, language, direction, datatype } = term;
      const kind = datatype.value.slice(datatype.value.indexOf('#') + 1);
      if (['integer', 'decimal', 'double', 'boolean'].includes(kind)) return value;
      if (language) return `${JSON.stringify(value)}@${language}${direction ? `--${direction}` : ''}`;
      return JSON.stringify(value) + (kind === 'string' ? '' : `^^${iriText(datatype.value)}`);
    }
    case 'Quad':
      return `<<(${tripleText(term as unknown as TriplePattern)})>>`;
    case 'TriplePattern':
      return `<<?(${tripleText(term)})>>`;
    default:
      throw new Error(`Unexpected term: ${term.termType}`);
  }
}

const tripleText = ({ subject, predicate, object }: TriplePattern) =>
  [subject, predicate, object].map(termText).join(' ');

export function algebraText(algebra: Algebra): string {
  switch (algebra.type) {
    case 'bgp':
      return `{${algebra.patterns.map(tripleText).join(' . ')}}`;
    case 'path':
      return `(path ${termText(algebra.subject)} ${pathText(algebra.path)} ${termText(algebra.object)})`;
    case 'join':
    case 'union':
      return `(${algebra.type} ${algebra.operands.map(algebraText).join(' ')})`;
    case 'leftJoin': {
      const condition = algebra.condition ? ` if ${expressionText(algebra.condition)}` : '';
      return `(left ${algebraText(algebra.left)} ${algebraText(algebra.right)}${condition})`;
    }
    case 'minus':
      return `(minus ${algebraText(algebra.left)} ${algebraText(algebra.right)})`;
    case 'filter':
      return `(filter ${algebraText(algebra.input)} ${expressionText(algebra.condition)})`;
    case 'graph':
      return `(graph ${termText(algebra.name)} ${algebraText(algebra.input)})`;
    case 'service':
      return `(service${algebra.silent ? ' silent' : ''} ${termText(algebra.name)} ${algebraText(algebra.input)} ${JSON.stringify(algebra.text)})`;
    case 'extend':
      return `(extend ${algebraText(algebra.input)} ?${algebra.variable} ${expressionText(algebra.expression)})`;
    case 'values': {
      const rows = algebra.rows.map((row) => row.map((term) => (term ? termText(term) : 'UNDEF')).join(' '));
      return `(values [${algebra.variables.join(' ')}] ${rows.map((row) => `(${row})`).join('')})`;
    }
    case 'group': {
      const keys = algebra.keys.map(({ variable, expression }) => {
        const text = expressionText(expression);
        return text === `?${variable}` ? text : `?${variable}=${text}`;
      });
      const aggregates = algebra.aggregates.map(
        ({ variable, aggregate }) => `?${variable}=${aggregateText(aggregate)}`,
      );
      return `(group ${algebraText(algebra.input)} [${keys.join(' ')}] [${aggregates.join(' ')}])`;
    }
    case 'orderBy': {
      const conditions = algebra.conditions.map(
        ({ expression, descending }) => (descending ? 'desc ' : '') + expressionText(expression),
      );
      return `(order ${algebraText(algebra.input)} ${conditions.join(', ')})`;
    }
    case 'project':
      return `(project ${algebraText(algebra.input)} [${algebra.variables.join(' ')}])`;
    case 'distinct':
    case 'reduced':
      return `(${algebra.type} ${algebraText(algebra.input)})`;
    case 'slice':
      return `(slice ${algebraText(algebra.input)} ${algebra.offset} ${algebra.limit ?? 'all'})`;
  }
}

function aggregateText({ function: name, distinct, argument, separator }: Aggregate): string {
  const what = argument ? expressionText(argument) : '*';
  return `${name}(${distinct ? 'DISTINCT ' : ''}${what}${separator === undefined ? '' : ` ${JSON.stringify(separator)}`})`;
}

export function expressionText(expression: Expression): string {
  switch (expression.type) {
    case 'variable':
      return `?${expression.name}`;
    case 'term':
      return termText(expression.term);
    case 'call':
      return `(${[expression.function, ...expression.arguments.map(expressionText)].join(' ')})`;
    case 'iriCall':
      return `(${[iriText(expression.iri), ...(expression.distinct ? ['DISTINCT'] : []), ...expression.arguments.map(expressionText)].join(' ')})`;
    case 'exists':
      return `(${expression.negated ? 'notExists' : 'exists'} ${algebraText(expression.pattern)})`;
  }
}

function pathText(path: Path): string {
  switch (path.type) {
    case 'link':
      return termText(path.iri);
    case 'inverse':
      return `^${pathText(path.path)}`;
    case 'sequence':
      return `(${path.paths.map(pathText).join('/')})`;
    case 'alternative':
      return `(${path.paths.map(pathText).join('|')})`;
    case 'zeroOrMore':
      return `${pathText(path.path)}*`;
    case 'oneOrMore':
      return `${pathText(path.path)}+`;
    case 'zeroOrOne':
      return `${pathText(path.path)}?`;
    case 'negated': {
      const sides = [...(path.forward ?? []).map(termText), ...(path.backward ?? []).map((iri) => `^${termText(iri)}`)];
      return `!(${sides.join('|')})`;
    }
  }
}
