import { useEffect, useRef, useState } from 'preact/hooks';
import { reconnections, token } from '../session/service.ts';
import { isAborted } from './error-note.tsx';

/** Something that is loaded: its last value stays while the next one comes. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/**
 * Loads a value whenever `inputs` change, after a reconnection and after a sign-in. The signal
 * fires when the value is no longer wanted.
 */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<Omit<Loaded<Value>, 'reload'>>({
    value: undefined,
    error: undefined,
    isLoading: true,
  });
  const [turn, setTurn] = useState(0);
  const last = useRef(load);
  last.current = load;
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    last.current(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setState({ value, error: undefined, isLoading: false });
      },
      (error) => {
        if (controller.signal.aborted || isAborted(error)) return;
        setState((before) => ({ value: before.value, error, isLoading: false }));
      },
    );
    return () => controller.abort();
  }, [...inputs, turn, reconnections.value, token.value]);
  return { ...state, reload: () => setTurn((before) => before + 1) };
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
