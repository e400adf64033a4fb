/**
 * The subset of the global `WebAssembly` that is used; the configured libraries do not declare it.
 */
export interface Wasm {
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (
    module: WasmModule,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly [name: string]: unknown } };
  readonly Memory: new (size: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly CompileError: new () => Error;
}

export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB, which detaches the buffer. */
  grow(pages: number): number;
}

/** Undefined in runtimes without WebAssembly. */
export const wasm: Wasm | undefined = (globalThis as unknown as { readonly WebAssembly?: Wasm }).WebAssembly;
