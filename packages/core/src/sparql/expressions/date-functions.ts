import { type DateTime, dateTimeOfDate, zoneText } from './date-time.ts';
import { Decimal, parseDecimal } from './decimal.ts';
import { Duration } from './duration.ts';
import { type FunctionRow, form, unary } from './function-row.ts';
import { constantOperand } from './operand.ts';
import { dateTimeValue, durationValue, exactValue, integerValue, stringValue, type Value } from './value.ts';
import { KIND, type ValueKind } from './value-kind.ts';

/**
 * Extracts a part of xsd:dateTime and of the other types that have it: XPath F&O 10.5, an extension
 * that section 17.3.1 permits.
 */
function part(kinds: readonly ValueKind[], read: (parts: DateTime) => Value | undefined): FunctionRow {
  return unary((value) => (kinds.includes(value.kind) ? read(value.exact as DateTime) : undefined));
}

const { dateTime, date, time, gYear, gYearMonth, gMonthDay, gDay, gMonth } = KIND;

/** Section 17.4.5.6: includes the fraction. */
function seconds({ second, fraction }: DateTime): Value | undefined {
  const decimal = fraction === '' ? new Decimal(second, 0) : parseDecimal(`${second}.${fraction}`);
  return decimal && exactValue(decimal);
}

/** Section 17.4.5.7: "raises an error if there is no timezone". */
function timezone({ offset }: DateTime): Value | undefined {
  if (offset === undefined) return undefined;
  return durationValue(new Duration(0, new Decimal(offset * 60 + 0, 0)), KIND.dayTimeDuration);
}

/** Section 17.4.5.1. */
const now = form(0, 0, (_parts, context) => constantOperand(dateTimeValue(dateTimeOfDate(context.now))));

const WITH_ZONE = [dateTime, date, time, gYear, gYearMonth, gMonthDay, gDay, gMonth];

/** Section 17.4.5. */
export const DATE_FUNCTIONS: readonly (readonly [name: string, row: FunctionRow])[] = [
  ['NOW', now],
  ['YEAR', part([dateTime, date, gYear, gYearMonth], ({ year }) => integerValue(year))],
  ['MONTH', part([dateTime, date, gYearMonth, gMonthDay, gMonth], ({ month }) => integerValue(month))],
  ['DAY', part([dateTime, date, gMonthDay, gDay], ({ day }) => integerValue(day))],
  ['HOURS', part([dateTime, time], ({ hour }) => integerValue(hour))],
  ['MINUTES', part([dateTime, time], ({ minute }) => integerValue(minute))],
  ['SECONDS', part([dateTime, time], seconds)],
  ['TIMEZONE', part(WITH_ZONE, timezone)],
  ['TZ', part(WITH_ZONE, ({ offset }) => stringValue(zoneText(offset)))],
];
