import { WorldsError } from '@rdf-worlds/client';
import { useEffect } from 'preact/hooks';
import { client } from '../../session/service.ts';
import { isAdmin } from '../../session/session.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { byteSize, clockTime, count, duration } from '../../ui/numbers.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { Visible } from '../../ui/visible.tsx';

/** A request as the server reports it: its text has no literals. */
interface RequestReport {
  readonly requestId: string;
  readonly operation?: string;
  readonly principal?: string;
  readonly namespace?: string;
  readonly rows?: number;
  readonly durationMs: number;
  readonly workMs?: number;
  readonly query?: string;
  readonly endedAt?: number;
}

interface Activity {
  readonly health: {
    readonly status: 'ok' | 'degraded';
    readonly problems: readonly {
      readonly namespace: string | null;
      readonly activity: string;
      readonly message: string;
      readonly atMs: number;
    }[];
  };
  readonly memory: Readonly<Record<string, number>>;
  readonly namespaces: readonly { readonly namespace: string; readonly worlds: number; readonly memoryBytes: number }[];
  readonly running: readonly RequestReport[];
  readonly slowest: readonly RequestReport[];
}

const REFRESH_MS = 3_000;
const MAX_NAMESPACES = 10;

/** What the server does, for admins: health, memory by part, running requests and slow queries. */
export function ServerActivity() {
  const { value, error, reload } = useLoaded(
    async (signal): Promise<Activity | undefined> => {
      if (!isAdmin.value) return undefined;
      try {
        return (await (await client.request('/activity', { signal })).json()) as Activity;
      } catch (cause) {
        // A server that does not report it.
        if (cause instanceof WorldsError && ['NOT_FOUND', 'UNSUPPORTED'].includes(cause.code)) return undefined;
        throw cause;
      }
    },
    [isAdmin.value],
  );
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  if (error !== undefined) return <ErrorNote error={error} />;
  if (!value) return null;
  const { health, memory, namespaces, running, slowest } = value;
  return (
    <>
      <section class="card" aria-label={t.activity.health}>
        <header>
          <h2 class="grow">{t.activity.health}</h2>
          <span class="badge" data-health={health.status}>
            {t.activity.states[health.status]}
          </span>
        </header>
        {health.problems.map((problem) => (
          <p class="problem" key={`${problem.namespace} ${problem.activity}`}>
            <span class="muted number">{clockTime(problem.atMs)}</span> {problem.activity}{' '}
            <Visible text={problem.namespace ?? ''} max={60} /> <Visible text={problem.message} max={300} />
          </p>
        ))}
        <dl class="numbers">
          {Object.entries(memory).map(([part, bytes]) => (
            <div key={part}>
              <dt>{t.activity.memoryOf(part)}</dt>
              <dd class="number">{byteSize(bytes)}</dd>
            </div>
          ))}
        </dl>
        {namespaces.length > 0 && (
          <>
            <h3 class="numbers-title">{t.activity.byNamespace}</h3>
            <dl class="numbers">
              {namespaces.slice(0, MAX_NAMESPACES).map(({ namespace, worlds, memoryBytes }) => (
                <div key={namespace}>
                  <dt>
                    <Visible text={namespace} max={40} />
                  </dt>
                  <dd class="number">{byteSize(memoryBytes)}</dd>
                  <dd class="muted number note-of">{t.activity.worlds(count(worlds))}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </section>
      <Requests title={t.activity.running} none={t.activity.nothingRuns} requests={running} />
      <Requests title={t.activity.slowest} none={t.activity.nothingSlow} requests={slowest} />
    </>
  );
}

function Requests({ title, none, requests }: { title: string; none: string; requests: readonly RequestReport[] }) {
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
      </header>
      {requests.length === 0 && <p class="problem muted">{none}</p>}
      <ol class="ruled requests">
        {requests.map(
          ({ requestId, operation = '', principal = '', namespace = '', rows, durationMs, workMs, query, endedAt }) => (
            <li key={`${requestId} ${endedAt}`}>
              <div class="row wrap">
                <span class="number strong">{duration(workMs ?? durationMs)}</span>
                <span class="badge">{operation}</span>
                <Visible text={principal} max={40} />
                <span class="muted">
                  <Visible text={namespace} max={40} />
                </span>
                <span class="grow" />
                {rows !== undefined && <span class="muted number">{t.activity.rows(count(rows))}</span>}
                {endedAt !== undefined && <span class="muted number">{clockTime(endedAt)}</span>}
              </div>
              {query !== undefined && (
                <code class="request-text">
                  <Visible text={query} max={400} />
                </code>
              )}
            </li>
          ),
        )}
      </ol>
    </section>
  );
}
