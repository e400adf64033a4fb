import type { Expression } from '../algebra/algebra.ts';
import type { TextMatch, TextRelation } from '../exec/stored-texts.ts';
import { plainText } from '../exec/text-slice.ts';
import {
  areSpellingsExact,
  type CaseMap,
  type PartAt,
  requiredSpellings,
  spellings,
} from '../expressions/case-spellings.ts';
import { compilePattern } from '../expressions/regex/pattern.ts';
import type { RequiredText } from '../expressions/regex/required-text.ts';
import type { Scope } from './scope.ts';
import { disjuncts } from './variables.ts';

/**
 * A condition on the text of a variable that is tested on stored bytes, at least for most texts.
 */
export interface TextCondition {
  readonly expression: Expression;
  readonly slot: number;
  /** Whether it applies to STR of the variable, which all literals and IRIs have. */
  readonly ofStr: boolean;
  readonly match: TextMatch;
}

/** What a condition reads. */
type TextOf = Pick<TextCondition, 'slot' | 'ofStr'>;

/** Maximum length of a disjunction, and of a list of IN. Each member costs a comparison. */
const MAX_DISJUNCTS = 32;

/**
 * Recognizes a test of a variable's text, or a disjunction of such tests, of which one must hold;
 * returns undefined for any other condition. An error counts as false here, and in a disjunction
 * that is so too: `error || true` is true, and `error || false` drops the row (section 17.2).
 */
export function textConditions(expression: Expression, scope: Scope): readonly TextCondition[] | undefined {
  const parts = disjuncts(expression);
  if (parts.length > MAX_DISJUNCTS) return undefined;
  const conditions: TextCondition[] = [];
  for (const part of parts) {
    const condition = textCondition(part, scope);
    if (!condition) return undefined;
    conditions.push(condition);
  }
  return merged(conditions);
}

function textCondition(expression: Expression, scope: Scope): TextCondition | undefined {
  if (expression.type !== 'call') return undefined;
  switch (expression.function) {
    case 'CONTAINS':
    case 'STRSTARTS':
    case 'STRENDS':
      return relationCondition(expression, expression.function, expression.arguments, scope);
    case '=': {
      const [one, other] = expression.arguments;
      return relationCondition(expression, 'EQUALS', one.type === 'term' ? [other, one] : [one, other], scope);
    }
    case 'IN':
      return relationCondition(expression, 'EQUALS', expression.arguments, scope);
    case 'REGEX':
      return regexCondition(expression, expression.arguments, scope);
    default:
      return undefined;
  }
}

/** Recognizes a relation between a text and a constant, or any of several. */
function relationCondition(
  expression: Expression,
  relation: TextRelation,
  [haystack, ...needles]: readonly Expression[],
  scope: Scope,
): TextCondition | undefined {
  if (needles.length > MAX_DISJUNCTS) return undefined;
  const texts: string[] = [];
  for (const needle of needles) {
    const text = constantText(needle);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  const map = caseMapOf(haystack);
  const read = textOfVariable(map && haystack.type === 'call' ? haystack.arguments[0] : haystack, scope);
  if (!read) return undefined;
  if (!map) return { expression, ...read, match: { relation, patterns: texts.map(spelling), decision: 'found' } };
  const matches = texts.map((text) => casedMatch(relation, text, map));
  if (matches.length === 1) return matches[0] && { expression, ...read, match: matches[0] };
  const patterns: RequiredText[] = [];
  for (const match of matches) {
    if (match?.decision !== 'found') return undefined;
    patterns.push(...match.patterns);
  }
  return { expression, ...read, match: { relation, patterns, decision: 'found' } };
}

const PART: Readonly<Record<TextRelation, PartAt>> = {
  CONTAINS: 'anywhere',
  STRSTARTS: 'start',
  STRENDS: 'end',
  EQUALS: 'start',
};
const OF_PART: Readonly<Record<PartAt, TextRelation>> = { anywhere: 'CONTAINS', start: 'STRSTARTS', end: 'STRENDS' };
/** A shorter text is in too many others to rule them out. */
const MIN_BYTES = 2;

/** Returns how a text is tested whose lower or upper case has a relation to another. */
function casedMatch(relation: TextRelation, text: string, map: CaseMap): TextMatch | undefined {
  const ends = {
    startsInside: relation === 'CONTAINS' || relation === 'STRENDS',
    endsInside: relation === 'CONTAINS' || relation === 'STRSTARTS',
  };
  const all = spellings(text, map, ends);
  if (all) return { relation, patterns: all, decision: areSpellingsExact(text, map) ? 'found' : undefined };
  const at = PART[relation];
  const required = requiredSpellings(text, map, at);
  if (required.some(({ bytes }) => bytes.length < MIN_BYTES)) return undefined;
  return { relation: OF_PART[at], patterns: required, decision: undefined };
}

/** Longer matches are looked for in the whole text. */
const MAX_WINDOW = 256;

/**
 * Recognizes `REGEX(?v, "pattern", "flags")` where a match must begin with a known text or contain
 * one.
 */
function regexCondition(
  expression: Expression,
  [haystack, ...constants]: readonly Expression[],
  scope: Scope,
): TextCondition | undefined {
  const [source, flags = ''] = constants.map(constantText);
  if (source === undefined || (constants.length > 1 && constantText(constants[1]) === undefined)) return undefined;
  const read = textOfVariable(haystack, scope);
  const pattern = read && compilePattern(source, flags);
  const patterns = pattern?.requiredTexts;
  const first = pattern?.firstTexts;
  if (read && first) {
    const decision = first.isWhole ? 'found' : undefined;
    return { expression, ...read, match: { relation: 'STRSTARTS', patterns: first.texts, decision, inside: patterns } };
  }
  if (!read || !patterns) return undefined;
  const { maxCharacters } = pattern;
  const isShort = maxCharacters <= MAX_WINDOW;
  const decision = isShort ? { maxCharacters, test: (text: string) => pattern.test(text) } : undefined;
  return { expression, ...read, match: { relation: 'CONTAINS', patterns, decision } };
}

/** Maximum number of patterns of one search. */
const MAX_PATTERNS = 8;

/** Merges tests that one search decides together. */
function merged(conditions: readonly TextCondition[]): readonly TextCondition[] {
  const all: TextCondition[] = [];
  for (const condition of conditions) {
    const at = all.findIndex((one) => canMerge(one, condition));
    if (at < 0) all.push(condition);
    else {
      const { match, ...rest } = all[at];
      all[at] = { ...rest, match: { ...match, patterns: [...match.patterns, ...condition.match.patterns] } };
    }
  }
  return all;
}

function canMerge(one: TextCondition, other: TextCondition): boolean {
  if (one.slot !== other.slot || one.ofStr !== other.ofStr || one.match.relation !== other.match.relation) return false;
  if (one.match.decision !== 'found' || other.match.decision !== 'found') return false;
  return one.match.patterns.length + other.match.patterns.length <= MAX_PATTERNS;
}

function spelling(text: string): RequiredText {
  const bytes = [...new TextEncoder().encode(text)];
  return { bytes, others: bytes };
}

/**
 * Returns the text of a constant xsd:string. Constants with a language tag are excluded, because
 * the result depends on the language of the other argument (section 17.4.3.1.2).
 */
function constantText(expression: Expression | undefined): string | undefined {
  return expression?.type === 'term' ? plainText(expression.term) : undefined;
}

function caseMapOf(expression: Expression): CaseMap | undefined {
  if (expression.type !== 'call') return undefined;
  const { function: name } = expression;
  return name === 'LCASE' || name === 'UCASE' ? name : undefined;
}

/** Recognizes a variable, or STR of one. */
function textOfVariable(expression: Expression, scope: Scope): TextOf | undefined {
  const ofStr = expression.type === 'call' && expression.function === 'STR';
  const variable = ofStr ? expression.arguments[0] : expression;
  const slot = variable.type === 'variable' ? scope.find(variable.name) : undefined;
  return slot === undefined ? undefined : { slot, ofStr };
}
