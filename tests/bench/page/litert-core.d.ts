/** What the benchmark calls of LiteRT.js, which is installed by the first run of the benchmark. */
declare module '@litertjs/core' {
  export class Tensor {
    constructor(data: Int32Array, shape: number[]);
    data(): Promise<Float32Array>;
    delete(): void;
  }

  export interface CompiledModel {
    run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor>>;
    delete(): void;
  }

  /** The folder has the scripts and binaries, of which the best for the browser is loaded. */
  export function loadLiteRt(folder: string, options: {threads: boolean}): Promise<unknown>;

  export function loadAndCompile(
    graph: string,
    options: {accelerator: 'wasm'; cpuOptions: {numThreads: number}},
  ): Promise<CompiledModel>;
}
