let texts = 0;

/**
 * Returns a text with a prefix that no other text declares, so that the engine cannot serve it by a
 * plan for texts that differ in constants: it is planned for its own.
 */
export function unlikeOthers(query: string): string {
  return `PREFIX t${texts++}: <urn:t> ${query}`;
}
