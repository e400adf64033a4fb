import type * as RDF from '@rdfjs/types';
import type { Aggregate } from '../../../../src/sparql/algebra/algebra.ts';
import { integer, numberOf, string } from './meaning.ts';
import { keyOf } from './naive-dataset.ts';
import { arithmetic } from './operators.ts';
import { compareTerms } from './order.ts';

type Values = readonly (RDF.Term | undefined)[];

/**
 * Section 18.5.1: the value of a group from those of its members, of which errors are undefined.
 * COUNT(*) is counted by the caller.
 */
export function aggregateOf({ function: name, distinct, separator }: Aggregate, all: Values): RDF.Term | undefined {
  const values = distinct ? distinctOf(all) : all;
  switch (name) {
    case 'COUNT':
      return integer(values.filter((value) => value !== undefined).length);
    case 'SUM':
      return sum(values);
    case 'AVG': {
      if (values.length === 0) return integer(0);
      const total = sum(values);
      return total && arithmetic('/', total, integer(values.length));
    }
    // "Minimum by the order of ORDER BY", where an error is the least (18.5.1.5).
    case 'MIN':
      return extreme(values, -1);
    case 'MAX':
      return extreme(values, 1);
    case 'SAMPLE':
      return values.find((value) => value !== undefined);
    case 'GROUP_CONCAT': {
      const texts = values.map((value) =>
        value?.termType === 'Literal' || value?.termType === 'NamedNode' ? value.value : undefined,
      );
      return texts.includes(undefined) ? undefined : string(texts.join(separator ?? ' '));
    }
  }
}

function extreme(values: Values, sign: number): RDF.Term | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((best, value) => (compareTerms(value, best) * sign > 0 ? value : best));
}

/** 18.5.1.3: op:numeric-add from 0 on; one error makes the sum an error. */
function sum(values: Values): RDF.Term | undefined {
  return values.reduce<RDF.Term | undefined>(
    (total, value) => total && value && numberOf(value) && arithmetic('+', total, value),
    integer(0),
  );
}

function distinctOf(values: Values): Values {
  const seen = new Set<string>();
  return values.filter((value) => {
    const key = value ? keyOf(value) : '';
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
