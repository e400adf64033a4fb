import type { Answer } from './answer.ts';

interface Deviation {
  readonly name: string;
  /** What proves Comunica wrong, or leaves it free. */
  readonly reason: string;
  applies(text: string, expected: Answer, actual: Answer): boolean;
}

const isCrash = (answer: Answer, message: RegExp) =>
  answer.type === 'error' && answer.code === 'crash' && message.test(answer.message);
const isSelect = (answer: Answer) => answer.type === 'rows';

/** Where Comunica's answers are known to differ from the specification's; each was seen, and decided for the reason beside it. */
export const COMUNICA_DEVIATIONS: readonly Deviation[] = [
  {
    name: 'cannot join',
    reason: 'Comunica has no actor for some OPTIONALs with expressions, and says so; section 18.6 defines them.',
    applies: (_, __, actual) => isCrash(actual, /RDF joining failed|Illegal binding/u),
  },
  {
    name: 'errors in aggregates',
    reason:
      'Section 18.5.1: ListEval keeps errors, SUM and AVG of one are errors, GROUP_CONCAT of a blank node is (STR, 17.4.2.5); Comunica leaves them out.',
    applies: (text, expected) => isSelect(expected) && /\b(?:SUM|AVG|GROUP_CONCAT)\(/u.test(text),
  },
  {
    name: 'blank nodes in COUNT(DISTINCT *)',
    reason:
      'Section 18.3.1: blank nodes of a pattern are not in the domain of its solutions; Comunica counts them apart.',
    applies: (text, expected) => isSelect(expected) && text.includes('COUNT(DISTINCT *)'),
  },
  {
    name: 'REDUCED',
    reason: 'Section 15.3: at least one of equal solutions stays; Comunica drops some that are different.',
    applies: (text, expected) => isSelect(expected) && text.includes('REDUCED'),
  },
  {
    name: 'graphs named by blank nodes',
    reason:
      'Section 13 of the query language: graphs are named by IRIs; a template that names another makes no quad (Update 3.1.3).',
    applies: (text, expected) => expected.type === 'state' && /GRAPH \?/u.test(text),
  },
  {
    name: 'substitution in EXISTS',
    reason:
      'Section 18.6: every occurrence of a variable is replaced by its value, in filters, OPTIONAL and MINUS inside too; Comunica joins afterwards where it cannot.',
    applies: (text) => text.includes('EXISTS'),
  },
  {
    name: 'BNODE(label)',
    reason:
      'Section 17.4.2.9: one blank node for each label and solution; Comunica makes one for each label and query.',
    applies: (text) => text.includes('BNODE('),
  },
  {
    name: 'paths from a variable to itself',
    reason: 'Section 18.4: ?a path+ ?a is the pairs with two equal ends; Comunica gives none.',
    applies: (text) => /(\?\w+) [^ ?]*[+*!|][^ ?]* \1 /u.test(text),
  },
  {
    name: 'negated property sets',
    reason: 'Section 18.4, NegatedPropertySet: Comunica loses pairs where such a path is joined with other patterns.',
    applies: (text) => /!\(?\^?</u.test(text),
  },
  {
    name: 'SUBSTR from 0',
    reason:
      'Section 17.4.3.3 with XPath F&O 5.4.3: positions before the first hold nothing; Comunica counts from the end there.',
    applies: (text) => /SUBSTR\([^;]*, 0\)/u.test(text),
  },
  {
    name: 'literals of two known types',
    reason:
      'Section 17.3.1 lets an implementation replace a type error: here 1 = true is false, where Comunica keeps the error of 17.4.1.7.',
    applies: (text) => / (?:=|!=|IN) /u.test(text.replaceAll('SEPARATOR = ', '')),
  },
];
