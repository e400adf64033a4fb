import { XSD_STRING } from '../../model/vocabulary.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { TextCandidates, TextRelation } from '../exec/stored-texts.ts';
import { compilePattern } from '../expressions/regex/pattern.ts';
import { isWholeLowerCase, requiredOfLowerCase } from '../expressions/regex/required-text.ts';
import type { Scope } from './scope.ts';

/** A condition that searches the text of a variable for a constant string. */
export interface TextCondition {
  readonly relation: TextRelation;
  readonly slot: number;
  /** Whether it applies to STR of the variable, which all literals and IRIs have. */
  readonly ofStr: boolean;
  readonly text: string;
}

const RELATIONS: ReadonlySet<string> = new Set<TextRelation>(['CONTAINS', 'STRSTARTS', 'STRENDS']);

/**
 * Recognizes `CONTAINS(?v, "text")`, STRSTARTS and STRENDS; returns undefined for any other
 * condition. Constants with a language tag are excluded, because the result depends on the language
 * of the other argument (section 17.4.3.1.2).
 */
export function textCondition(expression: Expression, scope: Scope): TextCondition | undefined {
  if (expression.type !== 'call' || !RELATIONS.has(expression.function)) return undefined;
  const [haystack, needle] = expression.arguments;
  const text = constantText(needle);
  const read = text === undefined ? undefined : textOfVariable(haystack, scope);
  return read && { relation: expression.function as TextRelation, ...read, text: text! };
}

/** Longer matches are looked for in the whole text. */
const MAX_WINDOW = 256;

/** A condition on a text that can only hold for candidates: strings that contain certain bytes. */
export interface CandidateCondition {
  readonly slot: number;
  readonly ofStr: boolean;
  readonly candidates: TextCandidates;
}

/**
 * Recognizes `REGEX(?v, "pattern", "flags")` and `CONTAINS(LCASE(?v), "text")` where a match must
 * contain a known text; returns undefined for any other condition.
 */
export function candidateCondition(expression: Expression, scope: Scope): CandidateCondition | undefined {
  if (expression.type !== 'call') return undefined;
  const [haystack, ...constants] = expression.arguments;
  const texts = constants.map(constantText);
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  if (expression.function === 'REGEX') {
    const read = textOfVariable(haystack, scope);
    const pattern = read && compilePattern(texts[0]!, texts[1] ?? '');
    const required = pattern?.requiredTexts;
    if (!required) return undefined;
    const { maxCharacters } = pattern;
    const isShort = maxCharacters <= MAX_WINDOW;
    const decision = isShort ? { maxCharacters, test: (text: string) => pattern.test(text) } : undefined;
    return { ...read!, candidates: { required, decision } };
  }
  if (expression.function !== 'CONTAINS' || haystack.type !== 'call' || haystack.function !== 'LCASE') return undefined;
  const read = textOfVariable(haystack.arguments[0], scope);
  const required = read && requiredOfLowerCase(texts[0]!);
  if (!required) return undefined;
  const decision = isWholeLowerCase(texts[0]!) ? 'found' : undefined;
  return { ...read!, candidates: { required: [required], decision } };
}

/** Returns the text of a constant xsd:string. */
function constantText(expression: Expression | undefined): string | undefined {
  if (expression?.type !== 'term' || expression.term.termType !== 'Literal') return undefined;
  const { value, language, datatype } = expression.term;
  return language || datatype.value !== XSD_STRING ? undefined : value;
}

/** Recognizes a variable, or STR of one. */
function textOfVariable(
  expression: Expression,
  scope: Scope,
): { readonly slot: number; readonly ofStr: boolean } | undefined {
  const ofStr = expression.type === 'call' && expression.function === 'STR';
  const variable = ofStr ? expression.arguments[0] : expression;
  const slot = variable.type === 'variable' ? scope.find(variable.name) : undefined;
  return slot === undefined ? undefined : { slot, ofStr };
}
