import { WorldsError } from '@rdf-worlds/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isOnline, reconnections, token } from '../session/service.ts';
import { state } from '../session/session.ts';
import { isAborted } from './error-note.tsx';

/**
 * Something that is loaded: its last value stays while the next one of the same subject is loading.
 */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Value> extends Omit<Loaded<Value>, 'reload'> {
  readonly subject: string;
}

/**
 * Loads a value whenever `inputs` change, after a reconnection and after a sign-in. The signal
 * fires when the value is no longer wanted. `subject` names what the value is of: a value or an
 * error of another subject is never returned.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  subject = '',
): Loaded<Value> {
  const none: State<Value> = { subject, value: undefined, error: undefined, isLoading: true };
  const [current, setCurrent] = useState(none);
  const [turn, setTurn] = useState(0);
  const last = useRef(load);
  last.current = load;
  useEffect(() => {
    const controller = new AbortController();
    setCurrent((before) => (before.subject === subject ? { ...before, isLoading: true } : none));
    last.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setCurrent({ subject, value, error: undefined, isLoading: false });
      },
      (error) => {
        if (controller.signal.aborted || isAborted(error)) return;
        if (isToldElsewhere(error)) return;
        setCurrent((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...inputs, subject, turn, reconnections.value, token.value]);
  const { value, error, isLoading } = current.subject === subject ? current : none;
  return { value, error, isLoading, reload: () => setTurn((before) => before + 1) };
}

/**
 * True if the sign-in form or the banner says what is wrong; a new token or connection loads again.
 */
function isToldElsewhere(error: unknown): boolean {
  if (!(error instanceof WorldsError)) return false;
  if (error.code === 'UNAUTHENTICATED') return state.value === 'expired';
  return error.code === 'UNAVAILABLE' && !isOnline.value;
}

/** Returns the value once it has not changed for a while. */
export function useSettled<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}

/** Returns the value, which changes at most once in `intervalMs`; the last one is never lost. */
export function useThrottled<Value>(value: Value, intervalMs: number): Value {
  const [taken, setTaken] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const takenMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (timer.current !== undefined || Object.is(value, taken)) return;
    const delayMs = Math.max(0, takenMs.current + intervalMs - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      takenMs.current = performance.now();
      setTaken(latest.current);
    }, delayMs);
  }, [value, taken, intervalMs]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return taken;
}
