/**
 * N-Triples whose cross product is far more than any limit lets through: a query over it is long,
 * and answers from the start.
 */
export function wideWorld(triples: number): string {
  return Array.from({ length: triples }, (_, index) => `<urn:s${index}> <urn:p> "${'x'.repeat(40)}${index}" .\n`).join(
    '',
  );
}

export const ENDLESS_PATTERN = '{ ?a <urn:p> ?b . ?c <urn:p> ?d . ?e <urn:p> ?f . ?g <urn:p> ?h }';
