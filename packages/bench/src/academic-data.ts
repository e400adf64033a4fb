import { ADJECTIVES, FAMILY_NAMES, FIELDS, GIVEN_NAMES, METHODS, PLACES, THINGS } from './academic-words.ts';
import { RandomNumbers } from './random-numbers.ts';

export interface AcademicDataSettings {
  /** The same seed produces the same bytes on every machine. */
  readonly seed: number;
  /** The exact number of lines; all are distinct. */
  readonly quads: number;
  /**
   * The prefix of the IRIs, ending with `/`. Data with different bases have no subject in common.
   */
  readonly base?: string;
}

export const ACADEMIC = 'https://vocabulary.example/academic#';
export const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const XSD = 'http://www.w3.org/2001/XMLSchema#';

/**
 * Degrees come from universities with a number below this, whether or not the data describe them.
 */
const KNOWN_UNIVERSITIES = 500;
/** Number of preceding publications of a department that a publication may cite. */
const CITED_WINDOW = 12;

/**
 * Yields N-Triples about fictitious universities: departments, professors, courses, students and
 * publications, each line with its newline. Related triples are adjacent, so that the first 100
 * lines contain every kind of entity.
 */
export function* academicLines({
  seed,
  quads,
  base = 'https://data.example/',
}: AcademicDataSettings): Generator<string> {
  let left = quads;
  if (left <= 0) return;
  const random = new RandomNumbers(seed);
  for (let number = 0; ; number++) {
    for (const line of university(random, `${base}university/${number}`, base)) {
      yield line;
      if (--left === 0) return;
    }
  }
}

/** Returns all of {@link academicLines} as UTF-8. */
export function academicDocument(settings: AcademicDataSettings): Buffer {
  return Buffer.concat([...academicPieces(settings, PIECE_UNITS)]);
}

/**
 * Yields {@link academicLines} as UTF-8, in pieces of at least this many UTF-16 code units but for
 * the last one.
 */
export function* academicPieces(settings: AcademicDataSettings, units: number): Generator<Buffer> {
  let piece = '';
  for (const line of academicLines(settings)) {
    piece += line;
    if (piece.length < units) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

/** Strings of this length are encoded: a large document would exceed V8's limit for one string. */
const PIECE_UNITS = 1 << 20;

function* university(random: RandomNumbers, iri: string, base: string): Generator<string> {
  yield relation(iri, RDF_TYPE, `${ACADEMIC}University`);
  yield text(iri, 'name', `University of ${random.pick(PLACES)}`);
  const departments = random.between(8, 20);
  for (let i = 0; i < departments; i++) yield* department(random, `${iri}/department/${i}`, iri, base);
}

function* department(random: RandomNumbers, iri: string, home: string, base: string): Generator<string> {
  yield relation(iri, RDF_TYPE, `${ACADEMIC}Department`);
  yield text(iri, 'name', `Department of ${random.pick(FIELDS)}`);
  yield relation(iri, `${ACADEMIC}partOf`, home);
  const courses: string[] = [];
  const publications: string[] = [];
  const professors = random.between(6, 12);
  let students = 0;
  for (let i = 0; i < professors; i++) {
    const professor = `${iri}/professor/${i}`;
    yield* person(random, professor, 'Professor');
    yield relation(professor, `${ACADEMIC}worksFor`, iri);
    yield relation(professor, `${ACADEMIC}degreeFrom`, `${base}university/${random.below(KNOWN_UNIVERSITIES)}`);
    yield text(professor, 'interest', `${random.pick(ADJECTIVES)} ${random.pick(THINGS)}`);
    const taught = random.between(1, 2);
    for (let j = 0; j < taught; j++) {
      const course = `${iri}/course/${courses.length}`;
      courses.push(course);
      yield* courseOf(random, course, professor);
    }
    const advised: string[] = [];
    const count = random.between(3, 7);
    for (let j = 0; j < count; j++) {
      const student = `${iri}/student/${students++}`;
      advised.push(student);
      yield* person(random, student, 'Student');
      yield relation(student, `${ACADEMIC}memberOf`, iri);
      yield relation(student, `${ACADEMIC}advisor`, professor);
      for (const course of random.sample(courses, random.between(1, 4))) {
        yield relation(student, `${ACADEMIC}takes`, course);
      }
    }
    const written = random.between(1, 4);
    for (let j = 0; j < written; j++) {
      const publication = `${iri}/publication/${publications.length}`;
      yield* publicationBy(random, publication, [professor, ...random.sample(advised, random.below(3))]);
      for (const cited of random.sample(publications.slice(-CITED_WINDOW), random.below(4))) {
        yield relation(publication, `${ACADEMIC}cites`, cited);
      }
      publications.push(publication);
    }
  }
}

function* person(random: RandomNumbers, iri: string, type: 'Professor' | 'Student'): Generator<string> {
  const given = random.pick(GIVEN_NAMES);
  const family = random.pick(FAMILY_NAMES);
  yield relation(iri, RDF_TYPE, `${ACADEMIC}${type}`);
  yield text(iri, 'name', `${given} ${family}`);
  yield text(iri, 'email', `${given}.${family}.${random.below(10_000)}@mail.example`.toLowerCase());
}

function* courseOf(random: RandomNumbers, iri: string, professor: string): Generator<string> {
  yield relation(iri, RDF_TYPE, `${ACADEMIC}Course`);
  yield text(iri, 'title', `${random.pick(METHODS)} ${random.pick(THINGS)}`, '@en');
  yield relation(iri, `${ACADEMIC}taughtBy`, professor);
  yield text(iri, 'credits', String(random.between(2, 10)), `^^<${XSD}integer>`);
}

function* publicationBy(random: RandomNumbers, iri: string, authors: readonly string[]): Generator<string> {
  yield relation(iri, RDF_TYPE, `${ACADEMIC}Publication`);
  const title = `${random.pick(METHODS)} ${random.pick(ADJECTIVES)} ${random.pick(THINGS)} in ${random.pick(FIELDS)}`;
  yield text(iri, 'title', title, '@en');
  yield text(iri, 'year', String(random.between(1990, 2025)), `^^<${XSD}gYear>`);
  for (const author of authors) yield relation(iri, `${ACADEMIC}author`, author);
}

function relation(subject: string, predicate: string, object: string): string {
  return `<${subject}> <${predicate}> <${object}> .\n`;
}

/** `value` needs no N-Triples escapes: it consists of the word lists and digits. */
function text(subject: string, property: string, value: string, suffix = ''): string {
  return `<${subject}> <${ACADEMIC}${property}> "${value}"${suffix} .\n`;
}
