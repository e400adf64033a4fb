import { WorldsError } from '../model/worlds-error.ts';

/** Returns a counter of output rows that throws LIMIT_EXCEEDED above the limit. */
export function rowCounter(maxRows: number | undefined): (rows: number) => void {
  let rows = 0;
  return (more) => {
    rows += more;
    if (maxRows !== undefined && rows > maxRows) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `The query has more than ${maxRows} rows; add a LIMIT, or raise maxRows.`,
      );
    }
  };
}
