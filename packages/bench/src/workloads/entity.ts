import { RDF_TYPE } from '../academic-data.ts';

/**
 * What a column holds. `reference`: the number of an entity of the kind in `to`. `text`: with a
 * language tag.
 */
export type ColumnType = 'reference' | 'decimal' | 'double' | 'integer' | 'date' | 'dateTime' | 'text' | 'string';

export interface Column {
  /** The local name of the property. */
  readonly name: string;
  readonly type: ColumnType;
  /** Name of the kind that a reference is of. */
  readonly to?: string;
  /** Any number of values; a typed layout keeps them in a table of their own. */
  readonly isMany?: boolean;
}

/** A class of entities and its properties. */
export interface EntityKind {
  /** In IRIs and as a name of a table: one word, lower case. */
  readonly name: string;
  readonly columns: readonly Column[];
}

export interface LanguageText {
  readonly text: string;
  readonly language: string;
}

export type Value = number | string | LanguageText;

/** One entity. Values are the lexical forms of literals; a column without a value is left out. */
export interface Entity {
  readonly kind: EntityKind;
  /** Unique among the entities of its kind. */
  readonly number: number;
  readonly values: Readonly<Record<string, Value | readonly Value[] | undefined>>;
}

/**
 * Entities of several kinds, from which both an RDF document and typed tables are made, so that
 * stores of either form hold the same.
 */
export interface Dataset {
  /** One word, in the IRIs of the entities. */
  readonly name: string;
  readonly kinds: readonly EntityKind[];
  /** Generates all entities: the same ones at every call. */
  entities(): Iterable<Entity>;
}

const XSD = 'http://www.w3.org/2001/XMLSchema#';

/** The datatypes of the literals; other types have none. */
const DATATYPES: Partial<Readonly<Record<ColumnType, string>>> = {
  decimal: `${XSD}decimal`,
  double: `${XSD}double`,
  integer: `${XSD}integer`,
  date: `${XSD}date`,
  dateTime: `${XSD}dateTime`,
};

/** Returns the prefix of the IRIs of a dataset's entities: `<prefix><kind>/<number>`. */
export function entityPrefix(dataset: string): string {
  return `https://data.example/${dataset}/`;
}

/** Returns the prefix of the IRIs of a dataset's classes and properties. */
export function vocabularyPrefix(dataset: string): string {
  return `https://vocabulary.example/${dataset}#`;
}

/** Returns the local name of the class of a kind. */
export function className({ name }: EntityKind): string {
  return name[0].toUpperCase() + name.slice(1);
}

/** Yields the values of a column; none if it is left out. */
export function valuesOf({ values }: Entity, { name }: Column): readonly Value[] {
  const value = values[name];
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly Value[]) : [value as Value];
}

/** A term, in N-Triples and, if it is a literal, as its parts. */
export interface Term {
  readonly text: string;
  /** The value of the term: the IRI or the lexical form. */
  readonly value: string;
  /** Undefined for an IRI. */
  readonly type?: ColumnType;
  readonly language?: string;
}

/** Yields the triples of an entity; the first one is its type. */
export function* triplesOf(dataset: string, entity: Entity): Generator<readonly [Term, Term, Term]> {
  const subject = iri(`${entityPrefix(dataset)}${entity.kind.name}/${entity.number}`);
  yield [subject, iri(RDF_TYPE), iri(vocabularyPrefix(dataset) + className(entity.kind))];
  for (const column of entity.kind.columns) {
    const property = iri(vocabularyPrefix(dataset) + column.name);
    for (const value of valuesOf(entity, column)) yield [subject, property, termOf(dataset, column, value)];
  }
}

/** Returns the whole dataset as N-Triples. */
export function documentOf(dataset: Dataset): Buffer {
  const pieces: Buffer[] = [];
  let piece = '';
  for (const entity of dataset.entities()) {
    for (const [s, p, o] of triplesOf(dataset.name, entity)) piece += `${s.text} ${p.text} ${o.text} .\n`;
    if (piece.length < PIECE_UNITS) continue;
    pieces.push(Buffer.from(piece));
    piece = '';
  }
  pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Strings of this length are encoded: a large document would exceed V8's limit for one string. */
const PIECE_UNITS = 1 << 20;

function iri(value: string): Term {
  return { text: `<${value}>`, value };
}

function termOf(dataset: string, { type, to }: Column, value: Value): Term {
  if (type === 'reference') return iri(`${entityPrefix(dataset)}${to}/${value as number}`);
  if (typeof value === 'object') {
    return { text: `${quoted(value.text)}@${value.language}`, value: value.text, type, language: value.language };
  }
  const lexical = String(value);
  const datatype = DATATYPES[type];
  return { text: datatype ? `"${lexical}"^^<${datatype}>` : quoted(lexical), value: lexical, type };
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"\n\r]/g, (char) => ESCAPES[char])}"`;
}
