/** Receives the bytes sent so far. */
export type UploadProgress = (sentBytes: number) => void;

let current: UploadProgress | undefined;

/**
 * Reports the bytes of large bodies as they are sent, until `stop` is called. `fetch` cannot report
 * them, so such requests use XMLHttpRequest. One upload at a time.
 */
export function withUploadProgress(progress: UploadProgress): { stop(): void } {
  current = progress;
  return {
    stop() {
      if (current === progress) current = undefined;
    },
  };
}

/** `fetch`, or XMLHttpRequest for a body whose upload is watched. */
export function uploadingFetch(request: string, init: RequestInit): Promise<Response> {
  const { body } = init;
  if (!current || !(body instanceof Blob)) return fetch(request, init);
  return send(request, init, body, current);
}

function send(request: string, { method, headers, signal }: RequestInit, body: Blob, progress: UploadProgress) {
  return new Promise<Response>((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    exchange.open(method ?? 'POST', request);
    exchange.responseType = 'blob';
    for (const [name, value] of Object.entries(headers as Record<string, string>))
      exchange.setRequestHeader(name, value);
    exchange.upload.onprogress = ({ loaded }) => progress(loaded);
    // Progress is reported every 50 ms only (XMLHttpRequest Standard, send()), the end without
    // delay.
    exchange.upload.onload = ({ loaded }) => progress(loaded);
    exchange.onload = () => {
      const { status } = exchange;
      const hasBody = status !== 204 && status !== 304;
      resolve(new Response(hasBody ? exchange.response : null, { status, headers: headersOf(exchange) }));
    };
    exchange.onerror = () => reject(new TypeError('The connection to the server broke.'));
    exchange.onabort = () => reject(signal?.reason ?? new DOMException('The request was aborted.', 'AbortError'));
    const abort = () => exchange.abort();
    signal?.addEventListener('abort', abort, { once: true });
    exchange.onloadend = () => signal?.removeEventListener('abort', abort);
    exchange.send(body);
  });
}

function headersOf(exchange: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of exchange.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}
