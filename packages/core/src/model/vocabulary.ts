/** Vocabularies used by the library itself, as plain IRIs. */
export const XSD = 'http://www.w3.org/2001/XMLSchema#';
export const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
export const RDFS = 'http://www.w3.org/2000/01/rdf-schema#';

export const XSD_STRING = `${XSD}string`;
export const XSD_BOOLEAN = `${XSD}boolean`;
export const XSD_INTEGER = `${XSD}integer`;
export const XSD_DECIMAL = `${XSD}decimal`;
export const XSD_DOUBLE = `${XSD}double`;
export const XSD_DATE = `${XSD}date`;
export const XSD_DATE_TIME_STAMP = `${XSD}dateTimeStamp`;
export const XSD_DAY_TIME_DURATION = `${XSD}dayTimeDuration`;
export const XSD_DATE_TIME = `${XSD}dateTime`;
export const RDF_TYPE = `${RDF}type`;
export const RDF_JSON = `${RDF}JSON`;
export const RDF_LANG_STRING = `${RDF}langString`;
export const RDF_DIR_LANG_STRING = `${RDF}dirLangString`;
export const RDFS_LABEL = `${RDFS}label`;

/**
 * Internationalization Tag Set 2.0; its:dir is the base direction of a literal in RDF/XML (RDF 1.2
 * XML Syntax section 2.8).
 */
export const ITS = 'http://www.w3.org/2005/11/its';
