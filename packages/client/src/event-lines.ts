/** A server-sent event. */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The last id of the stream, set by this event or an earlier one; '' before the first. */
  readonly id: string;
}

/** Code units of one event above which the stream is no stream of events. */
const MAX_EVENT_LENGTH = 1 << 28;

/**
 * Yields the events of a stream, in the format of the HTML standard (section 9.2.6). Events without
 * data are not dispatched, but `onId` receives their ids. An event that is cut off is dropped.
 */
export async function* serverEvents(
  chunks: AsyncIterable<Uint8Array>,
  onId: (id: string) => void,
): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let type = '';
  let data: string[] = [];
  let id = '';
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    for (const [i, piece] of lines.entries()) {
      length += piece.length;
      if (length > MAX_EVENT_LENGTH) throw new RangeError('An event is too long.');
      rest.push(piece);
      if (i === lines.length - 1) break;
      const line = rest.join('').replace(/\r$/, '');
      rest = [];
      if (line === '') {
        onId(id);
        if (data.length > 0) yield { type: type || 'message', data: data.join('\n'), id };
        type = '';
        data = [];
        length = 0;
        continue;
      }
      const colon = line.indexOf(':');
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
      if (field === 'event') type = value;
      else if (field === 'data') data.push(value);
      else if (field === 'id' && !value.includes('\0')) id = value;
    }
  }
}
