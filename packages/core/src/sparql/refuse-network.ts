import { WorldsError } from '../model/worlds-error.ts';
import type { Algebra, Expression, Query, Update } from './algebra/algebra.ts';
import { isSearchService, readSearchService } from './plan/search-service.ts';

/**
 * Throws UNSUPPORTED for SERVICE and LOAD without SILENT, because this engine makes no network
 * requests; with SILENT they do nothing. Search over the same worlds is not a request; a malformed
 * search pattern throws INVALID_SPARQL.
 */
export function refuseNetwork(operation: Query | Update): void {
  if (operation.type !== 'update') {
    if (operation.algebra) visit(operation.algebra);
    return;
  }
  for (const one of operation.operations) {
    if (one.type === 'load' && !one.silent) {
      throw new WorldsError(
        'UNSUPPORTED',
        `LOAD <${one.iri}> is refused: updates do not fetch documents here. Import the document instead.`,
      );
    }
    if (one.type === 'modify') visit(one.where);
  }
}

function visit(algebra: Algebra): void {
  switch (algebra.type) {
    case 'service':
      if (isSearchService(algebra)) {
        if (!algebra.silent) readSearchService(algebra);
        break;
      }
      if (!algebra.silent) {
        const { name } = algebra;
        const shown = name.termType === 'Variable' ? `?${name.value}` : `<${name.value}>`;
        throw new WorldsError(
          'UNSUPPORTED',
          `SERVICE ${shown} is refused: this engine makes no network requests. Write SERVICE SILENT, or use the engine of @rdf-worlds/comunica with allowed endpoints.`,
        );
      }
      return;
    case 'bgp':
    case 'path':
    case 'values':
      return;
    case 'join':
    case 'union':
      algebra.operands.forEach(visit);
      return;
    case 'leftJoin':
    case 'minus':
      visit(algebra.left);
      visit(algebra.right);
      if (algebra.type === 'leftJoin' && algebra.condition) visitExpression(algebra.condition);
      return;
    case 'filter':
      visitExpression(algebra.condition);
      break;
    case 'extend':
      visitExpression(algebra.expression);
      break;
    case 'group':
      for (const { expression } of algebra.keys) visitExpression(expression);
      for (const { aggregate } of algebra.aggregates) if (aggregate.argument) visitExpression(aggregate.argument);
      break;
    case 'orderBy':
      for (const { expression } of algebra.conditions) visitExpression(expression);
      break;
  }
  visit(algebra.input);
}

function visitExpression(expression: Expression): void {
  if (expression.type === 'exists') visit(expression.pattern);
  else if (expression.type === 'call' || expression.type === 'iriCall') expression.arguments.forEach(visitExpression);
}
