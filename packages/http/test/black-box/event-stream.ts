import { bearer, type Caller } from './callers.ts';
import type { RunningServer } from './running-server.ts';

/** A server-sent event, with the last id that the stream has set. */
export interface Event {
  readonly type: string;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: JSON, looked at from outside
  readonly data: any;
}

/** A reader of server-sent events, as the HTML standard (section 9.2.6) describes it. */
export class EventStream {
  readonly response: Response;
  /** The last id, also of events without data. */
  lastId = '';
  /** Number of comments, which are heartbeats. */
  comments = 0;
  private readonly abort: AbortController;
  private readonly events: AsyncGenerator<Event>;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.abort = abort;
    this.events = this.parse();
  }

  static async open(
    { origin }: Pick<RunningServer, 'origin'>,
    path: string,
    { as = 'alice', headers = {} }: { readonly as?: Caller; readonly headers?: Record<string, string> } = {},
  ): Promise<EventStream> {
    const abort = new AbortController();
    const response = await fetch(`${origin}${path}`, {
      headers: { authorization: bearer(as), ...headers },
      signal: abort.signal,
    });
    return new EventStream(response, abort);
  }

  /** Returns the next event; undefined at the end of the stream. */
  async next(): Promise<Event | undefined> {
    const { value, done } = await this.events.next();
    return done ? undefined : value;
  }

  async take(count: number): Promise<Event[]> {
    const taken: Event[] = [];
    while (taken.length < count) taken.push((await this.next())!);
    return taken;
  }

  async rest(): Promise<Event[]> {
    const rest: Event[] = [];
    for (let event = await this.next(); event; event = await this.next()) rest.push(event);
    return rest;
  }

  close(): void {
    this.abort.abort();
  }

  private async *parse(): AsyncGenerator<Event> {
    let buffer = '';
    let type = '';
    let data: string[] = [];
    for await (const chunk of this.response.body!.pipeThrough(new TextDecoderStream())) {
      buffer += chunk;
      for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
        const line = buffer.slice(0, end);
        buffer = buffer.slice(end + 1);
        const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
        if (line === '') {
          if (data.length > 0) yield { type: type || 'message', id: this.lastId, data: JSON.parse(data.join('\n')) };
          type = '';
          data = [];
        } else if (field === '') this.comments++;
        else if (field === 'id') this.lastId = value;
        else if (field === 'event') type = value;
        else if (field === 'data') data.push(value);
        else if (field !== 'retry') throw new Error(`unknown field ${JSON.stringify(line)}`);
      }
    }
  }
}
