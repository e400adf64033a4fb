/** Properties whose values are names of their subjects. To add one, add a row. */
export const LABEL_PREDICATES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2000/01/rdf-schema#label',
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'http://www.w3.org/2004/02/skos/core#altLabel',
  'http://www.w3.org/2008/05/skos-xl#literalForm',
  'https://schema.org/name',
  'http://schema.org/name',
  'https://schema.org/alternateName',
  'http://schema.org/alternateName',
  'http://xmlns.com/foaf/0.1/name',
  'http://xmlns.com/foaf/0.1/nick',
  'http://purl.org/dc/terms/title',
  'http://purl.org/dc/elements/1.1/title',
  'http://www.w3.org/2006/vcard/ns#fn',
]);
