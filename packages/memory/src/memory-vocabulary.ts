/** Namespace of the vocabulary of facts; the customary prefix is `mem:`. */
export const MEMORY_NAMESPACE = 'urn:rdf-worlds:memory#';
/** Namespace of PROV-O, from which facts take most of their properties. */
export const PROV_NAMESPACE = 'http://www.w3.org/ns/prov#';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';

/**
 * The properties of a fact: a node that reifies one triple (RDF 1.2) and says where it comes from,
 * when it holds and when it was recorded.
 */
export const FACT_PROPERTIES = {
  /** The triple, as a triple term (RDF 1.2 Schema). */
  reifies: `${RDF}reifies`,
  /** The subject of the triple, so that the facts about an entity are found by lookup. */
  about: `${MEMORY_NAMESPACE}about`,
  /** `xsd:dateTime` at which the fact was recorded. */
  recordedAt: `${PROV_NAMESPACE}generatedAtTime`,
  /** `xsd:dateTime` at which the fact was retracted. Absent while it is believed. */
  retractedAt: `${PROV_NAMESPACE}invalidatedAtTime`,
  /** A source that is an IRI. */
  derivedFrom: `${PROV_NAMESPACE}wasDerivedFrom`,
  /** A source in words, such as "said in a call". */
  source: 'http://purl.org/dc/elements/1.1/source',
  /** The fact that this one replaces. */
  revisionOf: `${PROV_NAMESPACE}wasRevisionOf`,
  /** `xsd:dateTime` from which the triple holds. Absent: always did, as far as is known. */
  validFrom: `${MEMORY_NAMESPACE}validFrom`,
  /** `xsd:dateTime` from which the triple no longer holds. Absent: holds still. */
  validUntil: `${MEMORY_NAMESPACE}validUntil`,
  /** `xsd:decimal` from 0 to 1. Absent: not estimated. */
  confidence: `${MEMORY_NAMESPACE}confidence`,
  /** Why the fact was retracted, in words. */
  reason: `${MEMORY_NAMESPACE}reason`,
} as const;

/**
 * The graph of all facts. The default graph has only the triples that hold now, so queries without
 * GRAPH need not know of provenance.
 */
export const FACTS_GRAPH = `${MEMORY_NAMESPACE}Facts`;

/**
 * The graph of the triples that are believed to hold for a limited time, or from a later time: they
 * are not in the default graph, which would assert them forever.
 */
export const TIMED_GRAPH = `${MEMORY_NAMESPACE}Timed`;

/**
 * The graph of stored documents and their passages. They are no facts: a document that is stored
 * again replaces what was there.
 */
export const DOCUMENTS_GRAPH = `${MEMORY_NAMESPACE}Documents`;

/** The properties of a document and of its passages, besides its label and its sources. */
export const DOCUMENT_PROPERTIES = {
  /** `xsd:dateTime` at which the document was stored as it is. */
  storedAt: `${PROV_NAMESPACE}generatedAtTime`,
  /** UTF-16 code units of the whole text. */
  length: `${MEMORY_NAMESPACE}length`,
  /** The document of a passage. */
  passageOf: `${MEMORY_NAMESPACE}passageOf`,
  /** Number of a passage in its document, from 1. */
  order: `${MEMORY_NAMESPACE}order`,
  /** The UTF-16 code unit of the document at which a passage starts. */
  start: `${MEMORY_NAMESPACE}start`,
  /** The UTF-16 code unit before which a passage ends. */
  end: `${MEMORY_NAMESPACE}end`,
  /** The text of a passage. */
  text: `${MEMORY_NAMESPACE}text`,
} as const;

/** Class of stored documents. */
export const DOCUMENT_CLASS = `${MEMORY_NAMESPACE}Document`;
/** Class of passages. */
export const PASSAGE_CLASS = `${MEMORY_NAMESPACE}Passage`;
/** IRIs of passages begin with this. */
export const PASSAGE_IRIS = 'urn:rdf-worlds:passage:';

/** IRIs of facts begin with this; the customary prefix is `fact:`. */
export const FACT_IRIS = 'urn:rdf-worlds:fact:';
/** IRIs of entities that were named only by a name; the customary prefix is `e:`. */
export const ENTITY_IRIS = 'urn:rdf-worlds:entity:';
/** IRIs of predicates and classes that were named only by a name; the customary prefix is `v:`. */
export const VOCABULARY_IRIS = 'urn:rdf-worlds:vocabulary:';

/** A sentence about an entity, as the reference memory server keeps them. */
export const OBSERVATION = `${MEMORY_NAMESPACE}observation`;

export const RDF_TYPE = `${RDF}type`;
export const RDFS_LABEL = `${RDFS}label`;

/** Predicates whose objects name an entity, the preferred one first. */
export const LABEL_PREDICATES: readonly string[] = [
  RDFS_LABEL,
  'http://www.w3.org/2004/02/skos/core#prefLabel',
  'https://schema.org/name',
  'http://schema.org/name',
  'http://xmlns.com/foaf/0.1/name',
  'http://purl.org/dc/terms/title',
  'http://www.w3.org/2004/02/skos/core#altLabel',
];
