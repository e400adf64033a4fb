import { parseMoment } from '@rdf-worlds/core/internal';
import { InvalidArgumentError, Option } from 'commander';

const MOMENT = 'a revision, or a time such as 2026-01-31T12:00:00Z';

/** Option parser for a moment. Returns the text; the service parses it again. */
export function moment(text: string): string {
  try {
    parseMoment(text, 'the moment');
  } catch {
    throw new InvalidArgumentError(`Expected ${MOMENT}.`);
  }
  return text;
}

/** For commands that read worlds. */
export const AT_OPTION = new Option('--at <MOMENT>', `read the past: ${MOMENT}`).argParser(moment);
