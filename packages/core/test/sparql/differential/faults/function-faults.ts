import { createHash } from 'node:crypto';
import { nativeEngine } from '../../../../src/index.ts';
import { type DateTime, dateTimeAt, epochSeconds } from '../../../../src/sparql/expressions/date-time.ts';
import { type FunctionRow, form } from '../../../../src/sparql/expressions/function-row.ts';
import { FUNCTIONS, IRI_FUNCTIONS } from '../../../../src/sparql/expressions/function-table.ts';
import { valueOperand } from '../../../../src/sparql/expressions/operand.ts';
import {
  booleanValue,
  dateTimeValue,
  decimalOfValue,
  doubleValue,
  FALSE,
  integerValue,
  iriValue,
  isNumeric,
  langStringValue,
  stringLike,
  stringValue,
  TRUE,
  typedValue,
  type Value,
} from '../../../../src/sparql/expressions/value.ts';
import { KIND } from '../../../../src/sparql/expressions/value-kind.ts';
import { XSD } from '../naive/meaning.ts';
import type { PlantedFault } from './planted-fault.ts';

type Result = Value | undefined;

/** A row that gives another value than the right one; all its arguments are evaluated first. */
function wrong(row: FunctionRow, change: (right: Result, args: readonly Result[]) => Result): FunctionRow {
  return form(row.minArguments, row.maxArguments, (parts, context) => {
    const right = row.compile(parts, context);
    const pure = { deterministic: right.deterministic };
    return valueOperand(
      (at) =>
        change(
          right.evaluate(at),
          parts.map((part) => part.evaluate(at)),
        ),
      parts,
      pure,
    );
  });
}

function rowFault(name: string, table: ReadonlyMap<string, FunctionRow>, key: string, row: FunctionRow): PlantedFault {
  const rows = table as Map<string, FunctionRow>;
  const right = rows.get(key);
  if (!right) throw new Error(`There is no function ${key}.`);
  const needs = `function ${key.replace(XSD, 'xsd:')}`;
  return {
    name,
    needs,
    engine: nativeEngine(),
    plant() {
      rows.set(key, row);
      return () => rows.set(key, right);
    },
  };
}

/** A fault in one function, said in words. */
function fault(key: string, what: string, change: (right: Result, args: readonly Result[]) => Result): PlantedFault {
  return rowFault(`${key} ${what}`, FUNCTIONS, key, wrong(FUNCTIONS.get(key)!, change));
}

function castFault(
  type: string,
  what: string,
  change: (right: Result, args: readonly Result[]) => Result,
): PlantedFault {
  const iri = XSD + type;
  return rowFault(`xsd:${type} ${what}`, IRI_FUNCTIONS, iri, wrong(IRI_FUNCTIONS.get(iri)!, change));
}

const swapped = (key: string, other: string): PlantedFault =>
  rowFault(`${key} is ${other}`, FUNCTIONS, key, FUNCTIONS.get(other)!);

const isText = (value: Result): value is Value => value?.kind === KIND.string || value?.kind === KIND.langString;
const isDate = (value: Result): value is Value =>
  value !== undefined && value.kind >= KIND.dateTime && value.kind <= KIND.gMonth;
/** The parts of a date as a clock in Greenwich shows them. */
function inUtc(value: Value): DateTime {
  const parts = value.exact as DateTime;
  return dateTimeAt(epochSeconds(parts), parts.fraction, 0)!;
}
const sign = (value: Value) => (value.number < 0 || Object.is(value.number, -0) ? -1 : 1);

export const FUNCTION_FAULTS: readonly PlantedFault[] = [
  swapped('=', 'SAMETERM'),
  swapped('SAMETERM', '='),
  swapped('<', '<='),
  swapped('IN', 'NOT IN'),
  fault('!=', 'takes an error for a difference', (right) => right ?? TRUE),
  fault('<', 'orders strings by their UTF-16 units', (right, [one, other]) =>
    one?.kind === KIND.string && other?.kind === KIND.string ? booleanValue(one.lexical < other.lexical) : right,
  ),
  fault('<=', 'compares integers as doubles', (right, [one, other]) =>
    one && other && isNumeric(one) && isNumeric(other) ? booleanValue(one.number <= other.number) : right,
  ),
  fault('>', 'compares dates without their time zones', (right, [one, other]) =>
    isDate(one) && isDate(other) && one.kind === other.kind && right
      ? booleanValue(
          one.number + ((one.exact as DateTime).offset ?? 0) * 60 >
            other.number + ((other.exact as DateTime).offset ?? 0) * 60,
        )
      : right,
  ),
  fault('&&', 'takes false and an error for an error', (right, args) => (args.includes(undefined) ? undefined : right)),
  fault('||', 'takes true and an error for an error', (right, args) => (args.includes(undefined) ? undefined : right)),
  fault('!', 'takes an error for true', (right) => right ?? TRUE),
  fault('IF', 'takes the other branch on an error', (right, [test, , other]) => (test ? right : other)),
  fault('COALESCE', 'takes the last value', (_, args) => args.findLast((one) => one !== undefined)),
  fault('NOT IN', 'leaves errors out', (right) => right ?? TRUE),
  fault('+', 'adds doubles', (right) =>
    right && right.kind === KIND.decimal ? typedValue(String(right.number), `${XSD}decimal`) : right,
  ),
  fault('*', 'gives doubles', (right) => (right?.kind === KIND.decimal ? doubleValue(right.number) : right)),
  fault('/', 'of integers is an integer', (right, [one, other]) =>
    right && one?.kind === KIND.integer && other?.kind === KIND.integer
      ? integerValue(Math.trunc(right.number))
      : right,
  ),
  fault('ABS', 'keeps the sign of a zero', (right, [one]) => (one && Object.is(one.number, -0) ? one : right)),
  fault('ROUND', 'takes halves away from zero', (right, [one]) => {
    if (!right || !one || !Number.isFinite(one.number) || one.exact === undefined) return right;
    const size = Math.round(Math.abs(one.number)) * sign(one);
    return typedValue(String(size), right.datatype);
  }),
  fault('FLOOR', 'truncates', (right, [one]) =>
    right && one && one.kind === KIND.decimal && one.number < 0 && right.number !== one.number
      ? typedValue(String(right.number + 1), right.datatype)
      : right,
  ),
  fault('STRLEN', 'counts UTF-16 units', (right, [one]) => right && integerValue(one!.lexical.length)),
  fault(
    'SUBSTR',
    'counts from 0',
    (right, [text, start]) => right && stringLike([...text!.lexical].slice(Math.max(0, start!.number)).join(''), text!),
  ),
  fault('UCASE', 'loses the language', (right) => right && stringValue(right.lexical)),
  fault(
    'LCASE',
    'is for ASCII',
    (right, [text]) =>
      right &&
      stringLike(
        text!.lexical.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
        text!,
      ),
  ),
  fault('STRBEFORE', 'keeps the language of nothing', (right, [text, part]) =>
    right && !text!.lexical.includes(part!.lexical) ? stringLike('', text!) : right,
  ),
  fault('STRAFTER', 'compares any languages', (right, [text, part]) => {
    if (!isText(text) || !isText(part) || right) return right;
    const at = text.lexical.indexOf(part.lexical);
    return at < 0 ? stringValue('') : stringLike(text.lexical.slice(at + part.lexical.length), text);
  }),
  fault(
    'CONTAINS',
    'looks at no letter case',
    (right, [text, part]) => right && booleanValue(text!.lexical.toLowerCase().includes(part!.lexical.toLowerCase())),
  ),
  fault('STRSTARTS', 'takes no language for an error', (right, [one, other]) =>
    isText(one) && isText(other) && one.language !== other.language ? undefined : right,
  ),
  fault('STRENDS', 'of an error is false', (right) => right ?? FALSE),
  fault('CONCAT', 'keeps the first language', (right, [first]) =>
    right && first?.kind === KIND.langString ? stringLike(right.lexical, first) : right,
  ),
  fault(
    'ENCODE_FOR_URI',
    "leaves !'()* alone",
    (right) =>
      right &&
      stringValue(
        right.lexical.replace(/%2[17-9A]/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
      ),
  ),
  rowFault(
    'REGEX forgets its flags',
    FUNCTIONS,
    'REGEX',
    form(2, 3, (parts, context) => FUNCTIONS.get('REGEX')!.compile(parts.slice(0, 2), context)),
  ),
  rowFault(
    'REPLACE forgets its flags',
    FUNCTIONS,
    'REPLACE',
    form(3, 4, (parts, context) => FUNCTIONS.get('REPLACE')!.compile(parts.slice(0, 3), context)),
  ),
  fault(
    'SHA1',
    'is of Latin-1',
    (right, [text]) => right && stringValue(createHash('sha1').update(text!.lexical, 'latin1').digest('hex')),
  ),
  fault('YEAR', 'is that of UTC', (right, [date]) => right && date && integerValue(inUtc(date).year)),
  fault('DAY', 'is that of UTC', (right, [date]) => right && date && integerValue(inUtc(date).day)),
  fault('HOURS', 'are those of UTC', (right, [date]) => right && date && integerValue(inUtc(date).hour)),
  fault(
    'SECONDS',
    'lose their fraction',
    (right, [date]) => right && typedValue(String((date!.exact as DateTime).second), `${XSD}decimal`),
  ),
  fault('TZ', 'of UTC is +00:00', (right) => (right?.lexical === 'Z' ? stringValue('+00:00') : right)),
  fault(
    'TIMEZONE',
    'without a zone is that of UTC',
    (right, [date]) => right ?? (isDate(date) ? typedValue('PT0S', `${XSD}dayTimeDuration`) : undefined),
  ),
  fault('LANG', 'is in lower case', (right) => right && stringValue(right.lexical.toLowerCase())),
  fault('LANGMATCHES', 'looks at letter case', (right, [tag, range]) =>
    right && tag && range && range.lexical !== '*'
      ? booleanValue(tag.lexical === range.lexical || tag.lexical.startsWith(`${range.lexical}-`))
      : right,
  ),
  fault('DATATYPE', 'of a string with a language is xsd:string', (right, [text]) =>
    text?.kind === KIND.langString ? iriValue(`${XSD}string`) : right,
  ),
  fault(
    'ISNUMERIC',
    'looks at the datatype only',
    (right, [one]) => right && (/#(?:integer|byte)$/.test(one!.datatype) ? TRUE : right),
  ),
  fault('ISLITERAL', 'is not for strings with a language', (right, [one]) =>
    one?.kind === KIND.langString ? FALSE : right,
  ),
  fault(
    'STRLANG',
    'makes the language of the tag alone',
    (right) => right && langStringValue(right.lexical, right.language.split('-')[0], ''),
  ),
  fault('IRI', 'does not resolve', (right, [one]) =>
    one?.kind === KIND.iri || right?.lexical === one?.lexical ? right : undefined,
  ),
  castFault('integer', 'rounds', (right, [one]) =>
    right && one && isNumeric(one) && one.kind !== KIND.integer && Number.isSafeInteger(Math.round(one.number))
      ? integerValue(Math.round(one.number))
      : right,
  ),
  castFault('boolean', 'does not know "1" and "0"', (right, [one]) =>
    /^ ?[01] ?$/.test(one?.lexical ?? '') ? undefined : right,
  ),
  castFault('string', 'writes doubles with an exponent', (right, [one]) =>
    right && one && one.kind === KIND.double ? stringValue(doubleValue(one.number).lexical) : right,
  ),
  castFault(
    'decimal',
    'goes by way of a double',
    (right) => right && typedValue(decimalOfValue(right).toNumber().toFixed(6), `${XSD}decimal`),
  ),
  castFault(
    'byte',
    'takes any integer',
    (right, [one]) =>
      right ?? (one && isNumeric(one) && Number.isInteger(one.number) ? typedValue('0', `${XSD}byte`) : undefined),
  ),
  castFault('date', 'loses the time zone', (right) => right && typedValue(right.lexical.slice(0, 10), `${XSD}date`)),
  castFault('dateTime', 'moves to UTC', (right) => right && dateTimeValue(inUtc(right))),
];
