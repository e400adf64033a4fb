import type { CodeBlocks, CodeLayout } from './code-blocks.ts';
import { PlainCodeBlocks } from './plain-code-blocks.ts';
import { SIGN_SCAN_WASM } from './sign-scan.generated.ts';
import { type WasmModule, wasm } from './wasm.ts';
import { WasmCodeBlocks } from './wasm-code-blocks.ts';

let compiled: WasmModule | null | undefined;

/**
 * The scan, compiled at its first use; null where there is no WebAssembly, or none with SIMD, or
 * code may not be compiled.
 */
function signScan(): WasmModule | null {
  if (compiled !== undefined) return compiled;
  compiled = null;
  if (!wasm) return compiled;
  const bytes = Uint8Array.from(atob(SIGN_SCAN_WASM), (character) => character.charCodeAt(0));
  try {
    compiled = new wasm.Module(bytes);
  } catch (error) {
    // A runtime without SIMD, or a content security policy. The plain scan gives the same answers,
    // only later.
    if (!(error instanceof wasm.CompileError) && !(error instanceof EvalError)) throw error;
  }
  return compiled;
}

/** The fastest code blocks that this process can have. */
export function makeCodeBlocks(layout: CodeLayout): CodeBlocks {
  const module = signScan();
  if (wasm && module) {
    try {
      return new WasmCodeBlocks(layout, wasm, module);
    } catch (error) {
      // Each memory takes address space, of which there may be too little: some thousand large
      // indexes, or a limit on the process.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return new PlainCodeBlocks(layout);
}
