/** Longer than any message of ours: an answer of something else is not printed whole. */
const MAX_SHOWN = 2_000;

/**
 * The answer, if it is a success or has a status that is fine too; throws what its Error body says
 * otherwise.
 */
export async function succeeded(response: Response, alsoFine: readonly number[] = []): Promise<Response> {
  if (response.ok || alsoFine.includes(response.status)) return response;
  const text = await response.text();
  throw new Error(messageOf(text) ?? `HTTP ${response.status}: ${text.slice(0, MAX_SHOWN).trim() || 'no message'}`);
}

function messageOf(text: string): string | undefined {
  try {
    const message = JSON.parse(text)?.error?.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    // Not JSON: something between us and the service answered.
    return undefined;
  }
}
