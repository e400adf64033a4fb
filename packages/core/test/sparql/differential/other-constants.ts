import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { NODES } from './random/terms.ts';

const DATE = '"2020-02-29"^^<http://www.w3.org/2001/XMLSchema#date>';
const CONSTANTS: readonly string[] = [...NODES, '"none"', '1', '"a"', '2.50', '"B"@en', '1e0', DATE, 'true'];

/**
 * Texts that differ from a query or an update in constant subjects and objects, and in operands of
 * FILTER: in each of them, and in every second one. None if it has no such constants, or does not
 * parse.
 */
export function withOtherConstants(text: string, baseIri: string): readonly string[] {
  const places = constantsOf(text, baseIri);
  if (!places) return [];
  const [first] = places.constants;
  return [1, 2].map((step) => {
    let other = '';
    let from = 0;
    places.constants.forEach(({ start, end }, i) => {
      other += text.slice(from, start);
      const constant = CONSTANTS[(first.start + i + step) % CONSTANTS.length];
      other += i % step === 0 ? `${constant} ` : text.slice(start, end);
      from = end;
    });
    return other + text.slice(from);
  });
}

function constantsOf(text: string, baseIri: string) {
  try {
    const operation = prepareOperation(text, { baseIri });
    // The places are those of a text without escapes.
    const { writtenAs } = operation;
    return writtenAs?.text === text && writtenAs.constants.length > 0 ? writtenAs : undefined;
  } catch {
    // The text is refused in the same way with other constants.
    return undefined;
  }
}
