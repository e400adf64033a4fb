/** Maximum length of an unexpected answer that is shown; the service's own messages are shorter. */
const MAX_SHOWN = 2_000;

/**
 * Returns the response if its status is 2xx or in `alsoFine`; otherwise throws the message of its
 * Error body.
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
    // Not JSON: the answer came from an intermediary.
    return undefined;
  }
}
