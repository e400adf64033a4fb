/**
 * Tests that fail, and why: test IRI to reason. They stay failures in the table of the report. An entry that passes is an error
 * of the run, so that this table stays true.
 */
export const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map([]);
